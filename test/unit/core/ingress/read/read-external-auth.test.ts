import { describe, expect, test } from "vitest"
import { referencesIn } from "../../../../../controller/core/annotations/references.ts"
import { parseSettings } from "../../../../../controller/core/options/configmap.ts"
import { referencesInSettings } from "../../../../../controller/core/options/references.ts"
import { plan } from "../../../../../controller/core/plan/plan.ts"
import { Translator } from "../../../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../../../controller/model/facts.ts"
import type { NameAnswer } from "../../../../../controller/model/name-answer.ts"
import type { ConfigMap } from "../../../../../controller/model/objects/config-map.ts"
import {
  ingress,
  meta,
  options,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"

type Annotations = Readonly<Record<string, string>>

const rules = ["shop.test/cart → shop:80", "shop.test/.well-known/acme-challenge/x → shop:80"]
const shop = [service("demo/shop", "80"), slice("demo/shop", ["10.0.0.1"], "80")]
const auth = [service("demo/auth", "80"), slice("demo/auth", ["10.0.0.2"], "80")]
const url = { "auth-url": "http://auth/verify" }

function configMap(name: string, data: Annotations): ConfigMap {
  return { kind: "ConfigMap", meta: meta(name), data }
}

function settingsOf(keys: Annotations) {
  return parseSettings(configMap("wick/settings", keys)).settings
}

const everywhere = settingsOf({ "global-auth-url": "http://auth.demo/verify" })

/** What becomes of the paths of shop.test: who is asked, or the status. */
function paths(annotations: Annotations = {}, asked = settings) {
  const objects = snapshot(ingress("demo/shop", rules, annotations), ...shop, ...auth)
  const { hosts } = translate(objects, asked, options).model.live
  const routes = hosts.filter(({ host }) => host === "shop.test").flatMap(({ routes }) => routes)
  return Object.fromEntries(
    routes.map(({ path, access, status }) => [path, access?.external?.backend ?? status ?? "open"]),
  )
}

const challenge = "/.well-known/acme-challenge/x"

describe("which paths are asked about", () => {
  const asked = "auth:demo/auth:80"

  test("all of an Ingress with a service, but those of no-auth-locations, by the path of the Ingress", () => {
    expect(paths(url)).toEqual({ "/": asked, "/cart": asked, [challenge]: "open" })
    expect(paths(url, settingsOf({ "no-auth-locations": "/ca" }))).toMatchObject({ "/cart": "open" })
    expect(paths(url, settingsOf({ "no-auth-locations": "" }))).toMatchObject({ [challenge]: asked })
  })

  test("all of every Ingress when the ConfigMap has one", () => {
    const global = "auth:auth.demo:80"
    expect(paths({}, everywhere)).toEqual({ "/": global, "/cart": global, [challenge]: "open" })
    expect(paths({ "enable-global-auth": "false" }, everywhere)).toMatchObject({ "/cart": "open" })
    expect(paths({ "enable-global-auth": "no" }, everywhere)).toMatchObject({ "/cart": global })
    expect(paths(url, everywhere)).toMatchObject({ "/cart": asked })
    expect(paths({ ...url, "enable-global-auth": "false" }, everywhere)).toMatchObject({ "/cart": asked })
  })

  test("not the default backend: no Ingress is there to protect", () => {
    const { hosts } = translate(snapshot(), everywhere, options).model.live
    expect(hosts.map(({ host, routes }) => [host, routes.map(({ access }) => access)])).toEqual([
      ["_", [undefined]],
    ])
  })

  test("none when the annotation is empty", () => {
    expect(paths({ "auth-url": "" })).toMatchObject({ "/cart": "open" })
  })
})

describe("what cannot be asked closes", () => {
  const shut = { "/": 503, "/cart": 503, [challenge]: "open" }

  test.each([
    ["auth-url", "auth.test"],
    ["auth-url", " "],
    ["auth-method", "POST;"],
    ["auth-signin", "//evil.test"],
    ["auth-signin-redirect-param", "a&b"],
    ["auth-response-headers", "Transfer-Encoding"],
    ["auth-proxy-set-headers", "missing"],
    ["auth-request-redirect", "/\u0000"],
    ["auth-always-set-cookie", "perhaps"],
    ["auth-cache-key", "$1"],
    ["auth-cache-duration", "30m 200"],
  ])("%s: %j", (name, text) => {
    expect(paths({ ...url, [name]: text })).toEqual(shut)
    expect(paths({ ...url, [name]: text }, everywhere)).toEqual(shut)
  })

  test("a value that is refused without auth-url too, as its message says", () => {
    expect(paths({ "auth-method": "POST;" })).toEqual(shut)
  })

  test.each([
    "auth-keepalive",
    "auth-keepalive-requests",
    "auth-keepalive-timeout",
    "auth-keepalive-share-vars",
  ])("not %s, which says nothing", (name) => {
    expect(paths({ ...url, [name]: "x" })).toMatchObject({ "/cart": "auth:demo/auth:80" })
  })

  test("every path of the ConfigMap's, and no other", () => {
    const bad = settingsOf({ "global-auth-url": "http://auth.demo/", "global-auth-response-headers": "Host" })
    expect(paths({}, bad)).toEqual(shut)
    expect(paths({ "enable-global-auth": "false" }, bad)).toMatchObject({ "/cart": "open" })
    expect(paths(url, bad)).toMatchObject({ "/cart": "auth:demo/auth:80" })
    const useless = settingsOf({ "global-auth-method": "?" })
    expect(paths({}, useless)).toMatchObject({ "/cart": "open" })
  })
})

describe("the service", () => {
  const backendsOf = (annotations: Annotations, answer?: NameAnswer) => {
    const objects = snapshot(ingress("demo/shop", rules, annotations), ...shop, ...auth)
    const names = new Map(answer === undefined ? [] : [["auth.example.org", answer] as const])
    const { model, problems } = translate({ ...objects, names }, settings, options)
    const asked = model.live.backends.filter(({ name }) => name.startsWith("auth:"))
    return { endpoints: asked.flatMap(({ endpoints }) => endpoints), problems }
  }

  test("has the endpoints of its Service, whatever the annotations say of balancing", () => {
    expect(backendsOf({ ...url, affinity: "cookie", "load-balance": "ewma" })).toEqual({
      endpoints: [{ address: "10.0.0.2", port: 80 }],
      problems: [],
    })
  })

  test("may have no endpoints: requests are answered when it is asked", () => {
    const objects = snapshot(ingress("demo/shop", rules, url), ...shop, service("demo/auth", "80"))
    const { model, problems } = translate(objects, settings, options)
    expect(model.live.backends.find(({ name }) => name === "auth:demo/auth:80")?.endpoints).toEqual([])
    expect(model.live.hosts[1]?.routes.map(({ status }) => status)).toEqual([404, undefined, undefined])
    expect(problems).toEqual([])
  })

  test("is found in DNS where no Service has its name", () => {
    const outside = { "auth-url": "https://auth.example.org/" }
    const found: NameAnswer = { kind: "found", addresses: ["127.0.0.1", "203.0.113.1"] }
    expect(backendsOf(outside, found)).toEqual({
      endpoints: [{ address: "203.0.113.1", port: 443 }],
      problems: [],
    })
    const stale = { since: "2026-01-02T03:04:05Z", reason: "no DNS server answers" }
    expect(backendsOf(outside, { ...found, stale }).problems.map(({ code }) => code)).toEqual(["name-stale"])
    expect(backendsOf(outside).problems.map(({ code, field }) => [code, field])).toEqual([
      ["auth-service-unusable", 'metadata.annotations["nginx.ingress.kubernetes.io/auth-url"]'],
    ])
  })

  test("is looked up by its whole name, unless it is a Service or an address", () => {
    const wanted = (text: string) => {
      const objects = snapshot(ingress("demo/shop", rules, { "auth-url": text }), ...shop, ...auth)
      return [...new Translator(options).wantedFacts(objects, noFacts, settings).names]
    }
    expect(wanted("https://Auth.example.org/")).toEqual(["auth.example.org"])
    expect(wanted("https://$host/auth")).toEqual(["shop.test"])
    expect(wanted("http://auth.demo.svc/")).toEqual([])
    expect(wanted("http://auth.other.svc/")).toEqual(["auth.other.svc"])
    expect(wanted("http://10.1.2.3/")).toEqual([])
  })

  test("is a reason for a pass when it changes", () => {
    const names = (text: string) =>
      referencesIn(ingress("demo/shop", rules, { "auth-url": text }), options.annotationsPrefix)
    expect(names("http://auth/")).toEqual([{ kind: "Service", namespace: "demo", name: "auth" }])
    expect(names("http://auth.sso.svc.cluster.local/")).toEqual([
      { kind: "Service", namespace: "sso", name: "auth" },
    ])
    expect(names("http://auth.shop.example.com/")).toEqual([])
    expect(referencesInSettings(configMap("wick/settings", { "global-auth-url": "http://auth" }))).toEqual([
      { kind: "Service", namespace: "wick", name: "auth" },
    ])
  })
})

test("headers of a ConfigMap, and everything else, are posted", () => {
  const world = (text: string, annotations: Annotations = {}) => {
    const named = { ...url, "auth-proxy-set-headers": "headers", ...annotations }
    const objects = snapshot(ingress("demo/shop", rules, named), ...shop, ...auth)
    const configMaps = new Map([["demo/headers", configMap("demo/headers", { "X-A": text })]])
    return translate({ ...objects, configMaps }, settings, options).model
  }
  const without = translate(snapshot(ingress("demo/shop", rules), ...shop, ...auth), settings, options).model
  expect(plan(without, world("a")).kind).toBe("post")
  expect(plan(world("a"), world("b")).kind).toBe("post")
  expect(plan(world("a"), world("a", { "auth-signin": "https://a.test/" })).kind).toBe("post")
  expect(plan(world("a"), world("a")).kind).toBe("nothing")
})

test("the ConfigMap's service is one object for all Ingresses, and so is the Problem about it", () => {
  const global = settingsOf({ "global-auth-url": "http://nobody.demo.svc/" })
  const objects = [ingress("demo/a", "a.test/ → shop:80"), ingress("demo/b", "b.test/ → shop:80"), ...shop]
  const { problems } = translate(snapshot(...objects), global, {
    ...options,
    configMap: { namespace: "wick", name: "settings" },
  })
  expect(problems.map(({ object, code }) => [object.kind, code])).toEqual([
    ["ConfigMap", "auth-service-unusable"],
  ])
})
