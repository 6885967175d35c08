// However an annotation is spelled that is accepted, all that read it come to the same: the model, what lint and the webhook say of it, what it is
// converted to, and the requests that diff makes of it. Every annotation of the table is tried, in every spelling that its parser takes for the same value.
import { isDeepStrictEqual } from "node:util"
import { describe, expect, test } from "vitest"
import { convert } from "../../cli/convert/convert.ts"
import { knownFrom } from "../../cli/diff/diff.ts"
import { lint } from "../../cli/lint/lint.ts"
import { lintObjectsOf } from "../../cli/lint/objects.ts"
import { refusalOf } from "../../cli/lint/refusals.ts"
import { gate } from "../../controller/core/annotations/parse.ts"
import { type Annotation, annotations } from "../../controller/core/annotations/table.ts"
import { ownPrefix } from "../../controller/core/options/conflicts.ts"
import type { Setup } from "../../controller/core/options/usage.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
  withTls,
} from "../../harness/manifests.ts"
import { rootAuthority } from "../../harness/pki.ts"
import { changesOf, optionsOf, translationOf } from "../../harness/translation.ts"
import { review, submitted, webhook } from "./admission/reviews.ts"

const authority = secret("shop/clients-ca", { "ca.crt": (await rootAuthority()).pem })

const main = ingress("shop/main", ["app.test/ → main:80", "app.test/b%2Fc(/|$)(.*) ~→ main:80"], {}, 1)

/** What annotations refer to, and an older Ingress that a canary can belong to. */
const around: readonly Json[] = [
  ingressClass,
  main,
  ...["shop/app", "shop/main", "shop/auth", "shop/errors"].flatMap((name) => [
    service(name),
    slice(name, ["10.0.0.1"], 80),
  ]),
  secret("shop/users", { auth: "ann:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" }),
  authority,
  settings("shop/headers", { "X-Shop": "yes" }),
]

const gateway = { namespace: "edge", name: "main", gatewayClass: "other" }
const nowMs = Date.UTC(2026, 5, 1)

/** What all of wick makes of one annotation of an Ingress. */
function readingsOf(annotation: Pick<Annotation, "name" | "isOwn">, text: string, setup: Setup = {}) {
  const key = annotation.isOwn ? `${ownPrefix}/${annotation.name}` : annotation.name
  const rules = ["app.test/ → app:80", "app.test/b%2Fc(/|$)(.*) ~→ app:80", "new.test/v[0-9]+ ~→ app:80"]
  const own = withTls(ingress("shop/app", rules, { ...setup.annotations, [key]: text }, 5), "app.test=cert")
  const options = optionsOf(["--configmap=nginx/settings", ...(setup.flags ?? [])])
  const objects = [...around, own, settings("nginx/settings", setup.keys ?? {})]
  const changes = objects.flatMap((object) => changesOf(object, "objects.yaml:1"))
  const given = lintObjectsOf(changes, options, true)
  const { model, problems } = translationOf(changes, options)
  const report = lint(given, { options, badFlags: [], nowMs })
  const input = { given, controller: { options, badFlags: [] }, name: "", locate: () => undefined }
  const { ask } = webhook({ others: [main], settings: setup.keys ?? {} })
  return {
    model,
    problems: problems.map(({ code, field }) => [code, field]),
    verdicts: {
      lint: report.ingresses.map(({ verdict, findings }) => [
        verdict,
        findings.map(({ rule, relation }) => [rule, relation]),
      ]),
      webhook: ask(review(submitted(own))),
    },
    conversion: convert(given, options, { gateway, allowsOpen: false, isForWick: false, nowMs }),
    requests: knownFrom(input, nowMs).requests,
  }
}

const truths = ["1", "t", "T", "TRUE", "true", "True"]
const lies = ["0", "f", "F", "FALSE", "false", "False"]

/** Other ways to write a value that may be the same to its parser. */
function* spellings(text: string): Generator<string> {
  yield* [...truths, ...lies]
  yield* [` ${text}`, `${text} `, ` ${text} `]
  yield* [text.toLowerCase(), text.toUpperCase(), text.replace(/^./, (letter) => letter.toUpperCase())]
  yield* [`+${text}`, `0${text}`, `00${text}`, text.replace(/\d+/, (digits) => `0${digits}`)]
  const number = /^\d+$/.test(text) ? Number(text) : undefined
  if (number !== undefined) yield* [`0x${number.toString(16)}`, `${number}.0`, `0b${number.toString(2)}`]
  yield* inOtherUnits(text)
  const items = text.split(",").map((item) => item.trim())
  yield* [items.join(","), items.join(", "), items.join(" , "), `${items.join(",")},`]
  yield* [items.toReversed().join(","), [...items, ...items].join(",")]
}

function* inOtherUnits(text: string): Generator<string> {
  const [, digits = "", unit = ""] = /^(\d+)([a-zA-Z]+)$/.exec(text) ?? []
  const smaller = { h: [60, "m"], m: [60, "s"], s: [1000, "ms"] }[unit] as [number, string] | undefined
  const bytes = { m: [1024, "k"], k: [1024, ""] }[unit] as [number, string] | undefined
  for (const [factor, name] of [smaller, bytes].filter((it) => it !== undefined))
    yield `${Number(digits) * factor}${name}`
  if (smaller) yield `${digits}.0${unit}`
}

/** Values to begin with: that of the documentation, and of a switch both. */
function valuesOf({ parse, example }: Annotation): readonly string[] {
  const parsed = gate(parse)(example)
  if (parsed.kind !== "value" || typeof parsed.value !== "boolean") return [example]
  return gate(parse)("true").kind === "value" ? ["true", "false"] : ["on", "off"]
}

/** Each other text that the parser takes for the same value, with the same remark. */
function sameAs({ parse }: Annotation, text: string): readonly string[] {
  const read = gate(parse)
  const wanted = read(text)
  return [...new Set(spellings(text))].filter((it) => it !== text && isDeepStrictEqual(read(it), wanted))
}

const cases = annotations.flatMap((annotation) =>
  valuesOf(annotation).map((text) => {
    const others = sameAs(annotation, text)
    return { annotation, name: annotation.name, text, others, setup: annotation.exampleWith }
  }),
)

/** ingress-nginx takes one and refuses the other: there lint has to tell them apart. */
const apart = new Set(["auth-type", "auth-cache-duration"])

/** Words that are taken as they are, and text that is nothing else. */
const ofOneSpelling = [
  ...["proxy-http-version", "proxy-buffering", "proxy-request-buffering", "proxy-ssl-verify"],
  ...["proxy-ssl-server-name", "policy-config", "auth-tls-verify-client"],
  ...["auth-snippet", "configuration-snippet", "server-snippet", "stream-snippet"],
  ...["modsecurity-snippet", "modsecurity-transaction-id"],
  "opentelemetry-operation-name",
]

describe("every accepted spelling is the same to all who read it", () => {
  test.each(cases.filter(({ others }) => others.length > 0))("$name: $text", ({
    annotation,
    text,
    others,
    setup,
  }) => {
    const { verdicts, ...wanted } = readingsOf(annotation, text, setup)
    for (const other of others) {
      const { verdicts: found, ...rest } = readingsOf(annotation, other, setup)
      expect(rest, `written ${JSON.stringify(other)}`).toEqual(wanted)
      const isApart = refusalOf(annotation.name, other) !== refusalOf(annotation.name, text)
      if (isApart) expect(apart).toContain(annotation.name)
      else expect(found, `written ${JSON.stringify(other)}`).toEqual(verdicts)
    }
  })

  test("switches have each of Go's spellings, and every kind of value has others", () => {
    const switches = cases.filter(({ text }) => text === "true" || text === "false")
    expect(switches.length).toBeGreaterThanOrEqual(2 * 25)
    expect(switches.filter(({ others }) => others.length < 5).map(({ name }) => name)).toEqual([])
    const alone = new Set(cases.filter(({ others }) => others.length === 0).map(({ name }) => name))
    expect([...alone]).toEqual(ofOneSpelling)
    expect(cases.flatMap(({ others }) => others).length).toBeGreaterThan(
      5 * (annotations.length - alone.size),
    )
  })
})

describe("what was read in two ways", () => {
  test.each(truths)('canary: "%s" is a share of another Ingress, and no route of its own', (text) => {
    const { conversion, requests } = readingsOf({ name: "canary" }, text, {
      annotations: { "canary-weight": "20", "canary-by-header": "X-Beta" },
    })
    const routes = conversion.objects.filter(({ kind }) => kind === "HTTPRoute")
    expect(JSON.stringify(routes)).toContain('"name":"app","port":80,"weight":200')
    expect(routes.map(({ metadata }) => metadata.name)).not.toContain("app")
    expect(requests.map(({ headers }) => headers)).toContainEqual({ "x-beta": "always" })
  })

  test.each(truths)('use-regex: "%s" makes a regular expression of a path', (text) => {
    const { conversion, requests } = readingsOf({ name: "use-regex" }, text)
    const printed = JSON.stringify(conversion.objects)
    expect(printed).toContain("(?i)/v[0-9]+.*")
    expect(printed).not.toContain("%5B0-9%5D")
    expect(requests.map(({ target }) => target)).toContain("/v1")
  })

  test.each(truths)('ssl-passthrough: "%s" passes connections through', (text) => {
    const { conversion } = readingsOf({ name: "ssl-passthrough" }, text, {
      flags: ["--enable-ssl-passthrough"],
    })
    expect(conversion.objects.map(({ kind }) => kind)).toContain("TLSRoute")
    expect(JSON.stringify(conversion.objects)).toContain('"mode":"Passthrough"')
  })

  test.each(truths)('enable-cors: "%s" with an origin is served differently', (text) => {
    const { verdicts, requests } = readingsOf({ name: "enable-cors" }, text, {
      annotations: { "cors-allow-origin": "https://a.test" },
    })
    expect(JSON.stringify(verdicts)).toContain("cors-allow-origin-anchored")
    expect(requests.map(({ method }) => method)).toContain("OPTIONS")
  })
})
