import { describe, expect, test } from "vitest"
import { lint } from "../../../../cli/lint/lint.ts"
import { lintObjectsOf } from "../../../../cli/lint/objects.ts"
import { reportText } from "../../../../cli/lint/print-text.ts"
import type { Report } from "../../../../cli/lint/report.ts"
import { hasCorpus, readCorpus } from "../../../../harness/corpus.ts"
import { ingress, ingressClass, type Json, secret, service, settings } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf } from "../../../../harness/translation.ts"
import { ends } from "../../../support/ends.ts"

const nowMs = Date.UTC(2026, 5, 1)

interface Given {
  readonly flags?: readonly string[]
  /** the objects come from an API server */
  readonly isComplete?: boolean
}

function reportOf(objects: readonly Json[], { flags = [], isComplete = true }: Given = {}): Report {
  const options = optionsOf(flags)
  const changes = [ingressClass, ...objects].flatMap((object) => changesOf(object, "objects.yaml:1"))
  return lint(lintObjectsOf(changes, options, isComplete), { options, badFlags: [], nowMs })
}

/** Verdict and rules of the only Ingress. */
function judged(annotations: Readonly<Record<string, string>>, given?: Given) {
  const [it] = reportOf(
    [ingress("shop/cart", "cart.test/ → cart:80", annotations), service("shop/cart")],
    given,
  ).ingresses
  return { verdict: it?.verdict, rules: it?.findings.map(({ rule }) => rule) }
}

describe("an Ingress", () => {
  test("without anything special serves as before", () => {
    expect(judged({})).toEqual({ verdict: "same", rules: [] })
    expect(judged({ "proxy-read-timeout": "5", "ssl-redirect": "false" }).verdict).toBe("same")
  })

  test("serves as before where ingress-nginx ignores the same, which is noted", () => {
    const [it] = reportOf([ingress("shop/cart", "cart.test/ → cart:80", { "does-not-exist": "1" })]).ingresses
    expect(it).toMatchObject({ verdict: "same", findings: [] })
    expect(it?.notes.map(({ rule }) => rule)).toEqual(["annotation-unknown", "backend-unusable"])
  })

  test("that rewrites with a group is told of wick.dev/rewrite-raw, and serves as before", () => {
    const hintsOf = (annotations: Readonly<Record<string, string>>) => {
      const rule = "mq.test/mq(/|$)(.*) ~→ cart:80"
      const report = reportOf([ingress("shop/cart", rule, annotations), service("shop/cart")])
      const printed = reportText(report, false).map(({ text }) => text)
      const [it] = report.ingresses
      const hints = (it?.notes ?? []).filter(({ isHint }) => isHint).map(({ rule }) => rule)
      return { hints, verdict: it?.verdict, isPrinted: printed.includes("Hints: nothing differs") }
    }
    const rewrite = { "rewrite-target": "/$2" }
    expect(hintsOf(rewrite)).toEqual({ hints: ["rewrite-raw"], verdict: "same", isPrinted: true })
    const none = { hints: [], verdict: "same", isPrinted: false }
    expect(hintsOf({ "rewrite-target": "/new" })).toEqual(none)
    expect(hintsOf({ ...rewrite, "wick.dev/rewrite-raw": "T" })).toEqual(none)
    expect(hintsOf({ ...rewrite, "backend-protocol": "grpc" })).toEqual(none)
  })

  test("says of each snippet whether it takes a reload, and what says the same", () => {
    const hintOf = (text: string) => {
      const objects = [
        ingress("shop/a", "a.test/ → a:80", { "configuration-snippet": text }),
        settings("nginx/settings", {
          "annotations-risk-level": "Critical",
          "allow-snippet-annotations": "true",
        }),
      ]
      const [it] = reportOf(objects, { flags: ["--configmap=nginx/settings"] }).ingresses
      const hint = it?.notes.find(({ isHint }) => isHint)
      return [it?.verdict, hint?.rule, hint?.change]
    }
    const change =
      'Nothing. What says the same without a snippet: annotation "denylist-source-range" for deny'
    expect(hintOf("deny 192.0.2.1;")).toEqual(["same", "snippet-as-data", change])
    const filters =
      "Nothing. What says the same without a snippet: in the Gateway API filter RequestHeaderModifier for proxy_set_header, in the Gateway API filter ResponseHeaderModifier for add_header"
    expect(hintOf("proxy_set_header A b; add_header C d; add_header E f;")).toEqual([
      "same",
      "snippet-as-data",
      filters,
    ])
    expect(hintOf("sub_filter a b;").slice(0, 2)).toEqual(["same", "snippet-printed"])
    expect(hintOf("resolver 192.0.2.53;").slice(0, 2)).toEqual(["same", "snippet-as-text"])
    expect(hintOf("root /x;").slice(0, 2)).toEqual(["closed", undefined])
  })

  test("names three Ingresses of a hint, and how many more there are", () => {
    const many = ["a", "b", "c", "d", "e"].map((name) =>
      ingress(`shop/${name}`, `${name}.test/x(.*) ~→ cart:80`, { "rewrite-target": "/$1" }),
    )
    const lines = reportText(reportOf([...many, service("shop/cart")]), false).map(({ text }) => text)
    expect(lines.filter((line) => line.endsWith(" and 2 more"))).toHaveLength(1)
    expect(lines.filter((line) => line.includes("[rewrite-raw"))).toHaveLength(1)
  })

  test("has the differences of its annotations, by their values", () => {
    expect(judged({ "cors-allow-origin": "https://a.test", "enable-cors": "true" })).toEqual({
      verdict: "different",
      rules: ["cors-allow-origin-anchored", "cors-allow-origin-vary"],
    })
    expect(judged({ "cors-allow-origin": "*", "enable-cors": "true" }).verdict).toBe("same")
    expect(judged({ "auth-cache-duration": "200 1500ms" }).rules).toContain(
      "auth-cache-duration-milliseconds",
    )
  })

  test("is not said to differ where ingress-nginx comes to the same", () => {
    expect(judged({ "auth-type": "basic" }).verdict).toBe("same")
    expect(judged({ "mirror-target": "http://192.0.2.1$request_uri" }).verdict).toBe("same")
    expect(judged({ "backend-protocol": "HTTPS", "proxy-ssl-name": "a.internal" }).verdict).toBe("same")
    expect(judged({ "cors-allow-origin": "https://a.test" }).verdict).toBe("same")
    const verdicts = (...objects: readonly Json[]) =>
      reportOf([...objects, service("shop/cart")]).ingresses.map(({ verdict }) => verdict)
    const other = ingress("shop/other", "www.cart.test/ → cart:80")
    const www = { "from-to-www-redirect": "true" }
    expect(verdicts(ingress("shop/cart", "cart.test/ → cart:80", www), other)).toEqual(["same", "same"])
    const alias = { "server-alias": "www.cart.test" }
    expect(verdicts(ingress("shop/cart", "cart.test/ → cart:80", alias), other)).toEqual(["same", "same"])
  })

  test("differs where ingress-nginx leaves out or takes what wick does not", () => {
    const users = secret("shop/users", { auth: "foo:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" })
    const rules = (type: string) =>
      reportOf([
        ingress("shop/cart", "cart.test/ → cart:80", { "auth-type": type, "auth-secret": "users" }),
        service("shop/cart"),
        users,
      ]).ingresses.map(({ verdict, findings }) => [verdict, ...findings.map(({ rule }) => rule)])
    expect(rules("Basic")).toEqual([["different", "auth-type-in-capitals"]])
    expect(rules("basic-auth")).toEqual([["closed", "auth-type-unusable"]])
    expect(rules("basic")).toEqual([["same"]])
  })

  test("has its error pages beside a sign-in, which it had not", () => {
    const given = (more: Readonly<Record<string, string>>) => {
      const signIn = { "auth-url": "http://192.0.2.1/", "auth-signin": "https://a.test/in", ...more }
      const objects = [
        ingress("shop/cart", "cart.test/ → cart:80", signIn),
        service("shop/cart"),
        settings("ingress/settings", { "custom-http-errors": "404" }),
      ]
      const [it] = reportOf(objects, { flags: ["--configmap=ingress/settings"] }).ingresses
      return it?.findings.map(({ rule }) => rule)
    }
    expect(given({})).toContain("custom-http-errors-beside-sign-in")
    expect(given({ "custom-http-errors": "503" })).not.toContain("custom-http-errors-beside-sign-in")
  })

  test("is told of each value, of the one that weighs most first", () => {
    const [it] = reportOf([
      ingress("shop/cart", "cart.test/ → cart:80", {
        "auth-url": "http://192.0.2.1/",
        "wick.dev/client-body-timeout": "soon",
        "wick.dev/client-send-timeout": "soon",
        "wick.dev/auth-proxy-ssl-secret": "\u0001",
      }),
      service("shop/cart"),
    ]).ingresses
    const [refused] = it?.findings.filter(({ rule }) => rule === "annotation-value-refused") ?? []
    expect(refused?.now).toMatch(/"auth-proxy-ssl-secret".*503/)
    expect(refused?.also?.map((message) => /"(client-[a-z-]+)"/.exec(message)?.[1])).toEqual([
      "client-body-timeout",
      "client-send-timeout",
    ])
  })

  test("has variables that nginx does not know", () => {
    expect(judged({ "upstream-hash-by": "$reqest_uri" }).rules).toEqual(["upstream-hash-by-unknown"])
    expect(judged({ "app-root": "/$hots" }).rules).toEqual(["template-variable-unknown"])
  })

  test("has a path that may be expensive, told in time that grows with its length alone", () => {
    const rules = (path: string) => {
      const cart = ingress("shop/cart", "cart.test/ ~→ cart:80", { "use-regex": "true" })
      const [rule] = (cart.spec as { rules: { http: { paths: Json[] } }[] }).rules
      rule?.http.paths.push({ ...rule.http.paths[0], path })
      return reportOf([cart, service("shop/cart")]).ingresses[0]?.findings.map(({ rule }) => rule)
    }
    expect(rules("/(a+)*")).toEqual(["path-expensive-regex"])
    expect(rules("/(a+)b*/(c)+")).toEqual([])
    ends(() => rules(`/(${"*".repeat(3_000_000)}`))
  })

  test("is closed where wick refuses requests rather than let somebody in, unless ingress-nginx leaves it out", () => {
    expect(judged({ "limit-rps": "many" })).toEqual({
      verdict: "different",
      rules: ["limit-refused"],
    })
    expect(judged({ "whitelist-source-range": "" }).verdict).toBe("closed")
  })

  test("is not served either way where the rules of the operator forbid an annotation", () => {
    expect(judged({ "configuration-snippet": "more_set_headers 'A: b';" }).verdict).toBe("different")
  })

  /** Where snippets are allowed, but have no effect yet. */
  const ofSnippet = (text: string, keys: Readonly<Record<string, string>> = {}) => {
    const objects = [
      ingress("shop/cart", "cart.test/ → cart:80", { "configuration-snippet": text }),
      service("shop/cart"),
      settings("nginx/settings", { "annotations-risk-level": "Critical", ...keys }),
    ]
    return reportOf(objects, { flags: ["--configmap=nginx/settings"] }).ingresses[0]?.verdict
  }

  test("differs where an annotation has no effect yet", () => {
    expect(ofSnippet("more_set_headers 'A: b';")).toBe("different")
  })

  test("is closed where a directive of a snippet has no effect that may keep requests out, and open where the operator wants that", () => {
    expect(ofSnippet("return 418 $unknown;")).toBe("closed")
    expect(ofSnippet("return 418 $unknown;", { "unsupported-guards": "ignore" })).toBe("open")
  })

  test("is said once about a value, by the difference that says most", () => {
    expect(judged({ "proxy-read-timeout": "0" }).rules).toEqual(["timeout-below-second"])
    expect(judged({ "proxy-body-size": "15r" }).rules).toEqual([])
    expect(judged({ "client-body-buffer-size": "15r" }).rules).toEqual(["annotation-value-refused"])
  })

  test("cannot be judged where what it names was not read, unless it does not exist", () => {
    const auth = { "auth-type": "basic", "auth-secret": "users" }
    expect(judged(auth, { isComplete: false }).verdict).toBe("unread")
    expect(judged(auth).verdict).toBe("same")
  })

  test("of another controller is passed over", () => {
    const other = { ...ingress("shop/cart", "cart.test/ → cart:80"), spec: { ingressClassName: "other" } }
    expect(reportOf([other]).summary).toMatchObject({ ingresses: 0, others: 1 })
  })

  test("has findings for what others of its host have", () => {
    const report = reportOf([
      ingress("shop/a", "cart.test/a → a:80", { "proxy-ssl-secret": "shop/ca" }, 1),
      ingress("shop/b", "cart.test/b → b:80", {}, 2),
    ])
    expect(report.ingresses[1]?.findings.map(({ rule }) => rule)).toEqual(["proxy-ssl-of-shared-host"])
  })

  test("whose Secret holds users that cannot log in says so", () => {
    const [it] = reportOf([
      secret("shop/users", { auth: "ann:$9$unknown\nbob:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" }),
      ingress("shop/cart", "cart.test/ → cart:80", { "auth-type": "basic", "auth-secret": "users" }),
    ]).ingresses
    expect(it?.findings.map(({ rule }) => rule)).toEqual(["password-hash-unknown"])
  })
})

describe("owners of hosts", () => {
  const rulesOf = (other: Json, own = ingress("shop/web", "shop.test/ → web:80", {}, 1)) =>
    reportOf([own, other, service("shop/web"), service("blog/web")]).ingresses.find(
      ({ object }) => object.namespace === (other.metadata as Json).namespace && object.name === "other",
    )

  test.each([
    ["a word about the host", { "ssl-ciphers": "AES128-SHA" }, "host-of-another-namespace", "different"],
    ["client certificates", { "auth-tls-secret": "blog/ca" }, "auth-tls-of-another-namespace", "closed"],
    ["a canary", { canary: "true" }, "canary-of-another-namespace", "different"],
  ])("concern %s of another namespace", (_, said, rule, verdict) => {
    const it = rulesOf(ingress("blog/other", "shop.test/ → web:80", said, 2))
    expect(it?.findings.map((finding) => finding.rule)).toContain(rule)
    expect(it?.verdict).toBe(verdict)
  })

  test("concern patterns of another namespace", () => {
    const rules = (path: string) =>
      rulesOf(ingress("blog/other", `shop.test${path} ~→ web:80`, { "use-regex": "true" }, 2))
    expect(rules("/x(.*)")?.findings.map(({ rule }) => rule)).toEqual(["patterns-of-another-namespace"])
    expect(rules("/.*")?.verdict).toBe("closed")
    expect(rules("/x")?.findings).toEqual([])
  })

  test("concern nobody who only adds paths", () => {
    expect(rulesOf(ingress("blog/other", "shop.test/x → web:80", {}, 2))).toMatchObject({
      verdict: "same",
      findings: [],
    })
  })

  test("concern a canary of some of the paths of a Service", () => {
    const main = ingress("shop/web", ["shop.test/ → web:80", "shop.test/x → web:80"], {}, 1)
    const rules = (...paths: readonly string[]) =>
      rulesOf(
        ingress(
          "shop/other",
          paths.map((path) => `shop.test${path} → next:80`),
          { canary: "true" },
          2,
        ),
        main,
      )
    expect(rules("/")?.findings.map(({ rule }) => rule)).toEqual(["canary-of-host-and-path"])
    expect(rules("/", "/x")?.findings).toEqual([])
  })
})

describe("what the operator has set", () => {
  const flags = ["--configmap=nginx/settings"]
  const cart = ingress("shop/cart", "cart.test/ → cart:80")

  test("concerns all Ingresses, and is said once", () => {
    const report = reportOf(
      [settings("nginx/settings", { "location-snippet": "access_by_lua_file /x;" }), cart],
      { flags },
    )
    expect(report.everyone.map(({ rule, relation }) => [rule, relation])).toEqual([
      ["configmap-snippets", "closed"],
    ])
    expect(report.ingresses[0]).toMatchObject({ verdict: "closed", ownVerdict: "same", findings: [] })
    expect(report.summary).toMatchObject({ sameByThemselves: 1, byVerdict: { same: 0, closed: 1 } })
  })

  test("concerns nobody where it is switched off", () => {
    const report = reportOf([settings("nginx/settings", { "enable-modsecurity": "false" }), cart], { flags })
    expect(report.everyone).toEqual([])
    expect(report.ingresses[0]?.verdict).toBe("same")
  })

  test("is a matter of the controller where Ingresses have nothing to do with it", () => {
    const report = reportOf([cart], { flags: ["--log_dir=/var/log", "--stream-port=10248"] })
    expect(report.controller.map(({ now }) => now)).toEqual([
      "--log_dir has no effect: logs go to standard error, a JSON object a line: collect them there",
    ])
    expect(report.ingresses[0]?.verdict).toBe("same")
  })
})

describe.skipIf(!hasCorpus)("598 published Ingresses", () => {
  const report = hasCorpus
    ? reportOf(
        readCorpus().map(({ ingress }) => ingress),
        { isComplete: false },
      )
    : undefined

  /** How many have one of these findings, or more. */
  const concerned = (...rules: readonly string[]) =>
    report?.ingresses.filter(({ findings }) => findings.some(({ rule }) => rules.includes(rule))).length

  // docs/security.md has these numbers
  test("none of which says something of another namespace's host, or is the canary of some paths of a Service", () => {
    const owned = ["host", "auth-tls", "patterns", "rules", "default-backend"].map(
      (what) => `${what}-of-another-namespace`,
    )
    expect(concerned(...owned, "canary-of-another-namespace", "canary-of-host-and-path")).toBe(0)
  })

  test("of which none has annotations above the default risk level, and 99 have snippets, which ingress-nginx leaves out and wick lets in", () => {
    expect(concerned("annotation-above-risk-level")).toBe(0)
    expect(concerned("snippets-without-permission")).toBe(99)
  })

  test("have a verdict each", () => {
    expect(report?.summary.ingresses).toBe(598)
    expect(Object.values(report?.summary.byVerdict ?? {}).reduce((sum, count) => sum + count, 0)).toBe(598)
  })

  test("keep nobody out who gets in now", () => {
    expect(report?.summary.byVerdict.open).toBe(0)
  })

  test("with what may keep requests out and has no effect are closed; those with other snippets are not", () => {
    const allowing = reportOf(
      [
        ...readCorpus().map(({ ingress }) => ingress),
        settings("nginx/settings", { "annotations-risk-level": "Critical" }),
      ],
      { isComplete: false, flags: ["--configmap=nginx/settings"] },
    )
    const closing = new Set(["annotation-guard-closes", "modsecurity-rules-refused"])
    const asking = allowing.ingresses.flatMap(({ findings, verdict }) => {
      const all = findings.flatMap(({ evidence }) => evidence)
      const names = all.filter(({ field }) => /-snippet"\]$|enable-modsecurity"\]$/.test(field))
      if (names.length === 0) return []
      return [
        {
          verdict,
          closes: names.some(({ problem }) => closing.has(problem?.code ?? "")),
        },
      ]
    })
    expect(asking.filter(({ closes }) => closes)).toHaveLength(10)
    expect(asking.filter(({ closes }) => !closes)).toHaveLength(92)
    const others = asking.filter(({ closes, verdict }) => closes && verdict !== "closed")
    expect(others).toEqual([])
  })

  test("with a snippet never serve as before", () => {
    const same = new Set(
      report?.ingresses.filter(({ verdict }) => verdict === "same").map(({ object }) => object.name),
    )
    const snippets = readCorpus().filter(({ ingress: { metadata } }) =>
      Object.keys(metadata.annotations).some(
        (key) => key.startsWith("nginx.ingress.") && key.endsWith("-snippet"),
      ),
    )
    expect(snippets.length).toBeGreaterThan(50)
    const wrong = snippets.filter(
      ({ ingress: { metadata } }) =>
        same.has(metadata.name) && !Object.values(metadata.annotations).includes(""),
    )
    expect(wrong.map(({ ingress }) => ingress.metadata.name)).toEqual([])
  })
})
