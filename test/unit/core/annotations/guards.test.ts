// What keeps requests out and cannot be used closes: tried with every annotation and key that there is, in every way in which it can be unusable,
// on all that judge an Ingress. They have to agree.
import { describe, expect, test } from "vitest"
import { lint } from "../../../../cli/lint/lint.ts"
import { lintObjectsOf } from "../../../../cli/lint/objects.ts"
import { refusalOf as refusalBefore } from "../../../../cli/lint/refusals.ts"
import {
  closingAnnotations,
  closingKeys,
  otherAnnotations,
  strictAnnotations,
  strictKeys,
} from "../../../../controller/core/annotations/guards.ts"
import { annotationByName, annotations } from "../../../../controller/core/annotations/table.ts"
import { parseSettings } from "../../../../controller/core/options/configmap.ts"
import { ownPrefix } from "../../../../controller/core/options/conflicts.ts"
import { keys, unneededKeys } from "../../../../controller/core/options/key-table.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import { problemCatalogue } from "../../../../controller/model/problems/catalogue.ts"
import type { Route } from "../../../../controller/model/route.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
} from "../../../../harness/manifests.ts"
import { meta } from "../../../../harness/objects.ts"
import { rootAuthority } from "../../../../harness/pki.ts"
import { changesOf, optionsOf, translationOf } from "../../../../harness/translation.ts"
import { refusalOf, review, submitted, webhook } from "../../admission/reviews.ts"

const sorted = (names: Iterable<string>) => [...names].sort()
const all = (...lists: readonly (readonly { readonly name: string }[])[]) =>
  lists.flat().map(({ name }) => name)

describe("the tables", () => {
  test("have every annotation once", () => {
    const listed = [...closingAnnotations, ...strictAnnotations, ...otherAnnotations]
    const known = all(annotations)
    // of wick's own two belong to balancing
    expect(sorted(listed)).toEqual(sorted(known))
  })

  test("have every annotation that closes", () => {
    const refusing = annotations.filter(({ whenRefused }) => whenRefused !== undefined)
    expect(sorted(closingAnnotations)).toEqual(sorted(all(refusing)))
  })

  test("have keys that there are, each once, and those that close", () => {
    const known = new Set(all(keys, unneededKeys))
    const listed = [...closingKeys, ...strictKeys]
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.filter((name) => !known.has(name))).toEqual([])
    const refusing = keys.filter(({ whenRefused }) => whenRefused !== undefined)
    const notOfRequests = ["otlp-collector-tls-secret", "policies-public-key"]
    const closing = all(refusing).filter((name) => !notOfRequests.includes(name))
    // a directive of them that is refused closes; nothing of a text is refused as a value
    const snippets = ["global-auth-snippet", "http-snippet", "location-snippet", "server-snippet"]
    expect(sorted(closingKeys)).toEqual(sorted([...closing, ...snippets]))
  })
})

const authority = (await rootAuthority()).pem
const app = "app.test/ → app:80"

/** Ways in which a value is none. `undefined`: the annotation is not there. */
const ways: Readonly<Record<string, string | undefined>> = {
  absent: undefined,
  empty: "",
  blank: "  ",
  malformed: "\u0001",
  unknown: "no such thing; }",
  "missing object": "shop/missing",
}

/** What each comes to for those who judge an Ingress. */
function judged(name: string, value: string | undefined, keys: Readonly<Record<string, string>> = {}) {
  const annotations = { ...neededBy(name), ...written(name, value) }
  const options = optionsOf(["--configmap=nginx/settings"])
  const objects: readonly Json[] = [
    ingressClass,
    ingress("shop/app", app, annotations),
    service("shop/app"),
    slice("shop/app", ["10.0.0.1"], 80),
    secret("shop/users", { auth: "ann:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" }),
    secret("shop/clients-ca", { "ca.crt": authority }),
    service("shop/auth"),
    slice("shop/auth", ["10.0.0.2"], 80),
    settings("nginx/settings", { "annotations-risk-level": "Critical", ...keys }),
  ]
  const changes = objects.flatMap((object) => changesOf(object, "objects.yaml:1"))
  const { model, problems } = translationOf(changes, options)
  const report = lint(lintObjectsOf(changes, options, true), { options, badFlags: [], nowMs: 0 })
  const answer = webhook({
    settings: { "allow-snippet-annotations": "true", "annotations-risk-level": "Critical", ...keys },
    inspects: false,
  }).ask(review(submitted(ingress("shop/app", app, annotations))))
  return {
    isClosed: isClosed(model.live.hosts.find(({ host }) => host === "app.test")?.routes[0], name),
    errors: problems.filter(({ code }) => problemCatalogue[code].severity === "error"),
    isRefused: refusalOf(answer) !== "",
    verdict: report.ingresses[0]?.verdict ?? "none",
  }
}

/** Nobody gets in, or no page of another origin may do what the annotation is about. */
function isClosed(route: Route | undefined, name: string): boolean {
  if (name === "cors-allow-origin") return route?.cors === undefined
  if (name === "cors-allow-credentials") return route?.cors?.allowsCredentials !== true
  return route?.status === 503 || route?.status === 403
}

function written(name: string, value: string | undefined): Readonly<Record<string, string>> {
  if (value === undefined) return {}
  return { [annotationByName.get(name)?.isOwn ? `${ownPrefix}/${name}` : name]: value }
}

/** What is written with it, where it says nothing by itself. */
function neededBy(name: string): Readonly<Record<string, string>> {
  return withoutSecrets[name] ?? annotationByName.get(name)?.exampleWith?.annotations ?? {}
}

/** Where the example names a Secret that nobody needs here. */
const withoutSecrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "auth-snippet": { "auth-url": "http://auth.shop.svc/verify" },
  "auth-proxy-ssl-secret": { "auth-url": "https://auth.shop.svc:80/verify" },
  "proxy-ssl-verify": { "backend-protocol": "HTTPS" },
  "cors-allow-origin": { "enable-cors": "true" },
  "cors-allow-credentials": { "enable-cors": "true" },
}

/** In these ways the value is a good one. */
const usable: Readonly<Record<string, readonly string[]>> = {
  "auth-request-redirect": ["blank", "missing object"],
  "auth-cache-key": ["missing object"],
}

/** A list that has nothing in it, and a password that nobody has. */
const closesWhenEmpty = new Set([
  ...["allowlist-source-range", "denylist-source-range", "whitelist-source-range", "auth-secret"],
  ...["allow-countries", "deny-countries", "allow-asns", "deny-asns"],
])

/** A snippet that is blank says nothing. */
const isNothing = (name: string) => !annotationByName.has(name) || name.endsWith("-snippet")

describe.each([...closingAnnotations, "whitelist-source-range", "limit-whitelist"])("%s", (name) => {
  const closes = (way: string) => {
    if (way === "absent") return name === "auth-secret"
    if (way === "empty") return closesWhenEmpty.has(name)
    if (way === "blank" && (isNothing(name) || name === "cors-allow-origin")) return false
    return usable[name]?.includes(way) !== true
  }

  test.each(Object.keys(ways))("that is %s", (way) => {
    const found = judged(name, ways[way])
    // pages of other origins may come, or may bring credentials, by default
    expect(found.isClosed, "product").toBe(closes(way))
    expect(found.errors.length > 0, "parser").toBe(closes(way))
    const isMissing = found.errors.every(({ code }) => code === "reference-missing")
    expect(found.isRefused, "webhook").toBe(closes(way) && !isMissing)
    expect(verdictsOf(name, ways[way], closes(way), isMissing), "lint").toContain(found.verdict)
  })
})

/** `same` may become `different` for another reason. What is closed was open unless ingress-nginx refuses the value, too. */
function verdictsOf(name: string, value: string | undefined, closes: boolean, isMissing: boolean) {
  const before = refusalBefore(name, value ?? "")
  const wasDenied = before === "denied" || (name === "auth-secret" && (value ?? "").trim() === "")
  if (!closes || isMissing || wasDenied) return ["same", "different"]
  return before === "left-out" ? ["different"] : ["closed"]
}

test.each(strictAnnotations)("%s: in the place of what cannot be used stands what keeps out more", (name) => {
  const needed = annotationByName.get(name)?.exampleWith?.annotations ?? {}
  const hosts = (value: string | undefined) => hostsOf({ ...needed, ...written(name, value) })
  for (const way of ["empty", "malformed"]) expect(hosts(ways[way])).toEqual(hosts(undefined))
})

function hostsOf(annotations: Readonly<Record<string, string>>) {
  const objects = [ingressClass, ingress("shop/app", app, annotations), service("shop/app")]
  return translationOf(
    objects.flatMap((it) => changesOf(it, "objects.yaml:1")),
    optionsOf([]),
  ).model.live.hosts
}

/** About Ingresses that ask for something. */
const ofFewIngresses: readonly string[] = ["admission-hosts", "auth-namespaces", "cross-namespace"]

describe.each(closingKeys.filter((name) => !ofFewIngresses.includes(name)))("key %s", (name) => {
  const closes = (way: string) => {
    if (way === "absent" || way === "empty") return false
    if (way === "blank") return name === "whitelist-source-range" || name === "denylist-source-range"
    return usableKeys[name]?.includes(way) !== true
  }

  test.each(Object.keys(ways))("that is %s", (way) => {
    const value = ways[way]
    const found = judged("", undefined, {
      ...neededByKey(name),
      ...(value !== undefined && { [name]: value }),
    })
    expect(found.isClosed, "product").toBe(closes(way))
    expect(found.errors.length > 0, "parser").toBe(closes(way))
    expect(found.isRefused, "webhook: it is not about the Ingress").toBe(false)
    expect(closes(way) ? ["closed"] : ["same", "different"], "lint").toContain(found.verdict)
  })

  test("that could be used before keeps the value it had", () => {
    const good = keys.find((key) => key.name === name)
    if (good === undefined) return
    const before = parseSettings(configMapOf({ [name]: good.example })).settings
    const after = parseSettings(configMapOf({ [name]: "\u0001" }), before).settings
    expect(after[good.field]).toEqual(before[good.field])
  })
})

function configMapOf(data: Readonly<Record<string, string>>): ConfigMap {
  return { kind: "ConfigMap", meta: meta("nginx/settings"), data }
}

/** Any text is a pattern, or a URL. */
const usableKeys: Readonly<Record<string, readonly string[]>> = {
  "block-user-agents": ["unknown", "missing object"],
  "block-referers": ["unknown", "missing object"],
  "global-auth-request-redirect": ["missing object"],
  "global-auth-cache-key": ["missing object"],
}

function neededByKey(name: string): Readonly<Record<string, string>> {
  if (name === "enable-owasp-modsecurity-crs" || name === "modsecurity-snippet")
    return { "enable-modsecurity": "true" }
  if (/^global-auth-(?!url)/.test(name)) return { "global-auth-url": "http://auth.shop.svc/verify" }
  return name === "proxy-real-ip-cidr" ? { "whitelist-source-range": "0.0.0.0/0" } : {}
}
