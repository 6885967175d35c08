import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { annotations } from "../../../../../controller/core/annotations/table.ts"
import { parseSettings } from "../../../../../controller/core/options/configmap.ts"
import type { Ingress } from "../../../../../controller/model/objects/ingress.ts"
import type { Host } from "../../../../../controller/model/route.ts"
import {
  authoritySecret,
  ingress,
  meta,
  options,
  type Part,
  service,
  slice,
  snapshot,
  tlsSecret,
  translate,
} from "../../../../../harness/objects.ts"
import { runs } from "../../../../support/runs.ts"

// `shop` was first to have shop.test. `evil` may write any Ingress for the same host: nothing that `shop` serves there changes.

const services = ["shop/web", "shop/api", "evil/web", "evil/api"].flatMap((name, at): Part[] => [
  service(name, "80"),
  slice(name, [`10.0.0.${at + 1}`], "80"),
])

const secrets = [
  authoritySecret("shop/ca", "shop"),
  authoritySecret("evil/ca", "evil"),
  tlsSecret("shop/tls", { names: ["shop.test"] }),
  tlsSecret("evil/tls", { names: ["shop.test"] }),
]

function pass(parts: readonly Part[], data: Record<string, string> = {}) {
  const { settings } = parseSettings({
    kind: "ConfigMap",
    meta: meta("wick/settings"),
    data: { "annotations-risk-level": "Critical", ...data },
  })
  return translate(snapshot(...services, ...secrets, ...parts), settings, { ...options, passesTls: true })
}

/** All that is in force for requests of the host, but for the paths that others have added. */
function inForce({ model: { live } }: ReturnType<typeof pass>) {
  const isShops = (name: string) => name.startsWith("shop-") || name.startsWith("shop/")
  return {
    hosts: live.hosts.map(({ routes, ...host }) => ({
      ...host,
      routes: routes.filter(({ namespace, match }) => namespace !== "evil" && match !== "regex"),
    })),
    passthroughs: live.passthroughs,
    tls: live.tlsHosts,
    backends: live.backends.filter(({ name }) => isShops(name)),
  }
}

const withTls = (object: Ingress, secretName: string): Ingress => ({
  ...object,
  tls: [{ hosts: ["shop.test"], secretName }],
})

const owner = withTls(
  ingress(
    "shop/web",
    ["shop.test/ → web:80", "Exact shop.test/exact → api:80", "shop.test/api → api:80"],
    {},
    1,
  ),
  "tls",
)
const evil = (rules: string | readonly string[], said: Record<string, string> = {}, createdMs = 2) =>
  ingress("evil/web", rules, said, createdMs)

describe("every annotation of another namespace's Ingress", () => {
  const examples = annotations.map(({ name, isOwn, example, exampleWith }) => ({
    name,
    said: {
      ...exampleWith?.annotations,
      [isOwn ? `wick.dev/${name}` : name]: String(example).replaceAll("shop/", "evil/"),
    },
  }))

  test.each(examples)("leaves the host what it is: $name", ({ said }) => {
    for (const path of ["/evil", "/", "/.*"]) {
      const before = inForce(pass([owner]))
      expect(inForce(pass([owner, withTls(evil(`shop.test${path} → web:80`, said), "tls")]))).toEqual(before)
      expect(inForce(pass([owner, evil(`shop.test${path} → web:80`, { ...said, canary: "true" })]))).toEqual(
        before,
      )
    }
  })

  test.each(examples)("of a host that says nothing of it: $name", ({ said }) => {
    const bare = ingress("shop/web", "shop.test/ → web:80", {}, 1)
    const before = inForce(pass([bare]))
    expect(inForce(pass([bare, withTls(evil("shop.test/evil → web:80", said), "tls")]))).toEqual(before)
  })
})

/** As the ingress module finds routes: exact, then the first pattern, then the longest prefix. */
function found({ routes }: Host, path: string) {
  const exact = routes.find((route) => route.match === "exact" && route.path === path)
  const regex = routes.find((route) => route.match === "regex" && matcher(route.path).test(path))
  const prefixes = routes.filter(
    (route) => route.match === "prefix" && `${path}/`.startsWith(route.path.replace(/\/?$/, "/")),
  )
  return exact ?? regex ?? prefixes.sort((a, b) => b.path.length - a.path.length)[0]
}

function matcher(path: string): RegExp {
  expect(path).toMatch(/^\//)
  return new RegExp(`^${path}`, "i")
}

const served = (parts: readonly Part[], path: string, data: Record<string, string> = {}) => {
  const host = pass(parts, data).model.live.hosts.find(({ host }) => host === "shop.test")
  const route = host && found(host, path)
  return route && `${route.namespace} ${route.serviceName}`
}

describe("patterns of others", () => {
  const segments = fc.array(fc.constantFrom("a", "b", "A", "ab", "x.y"), { maxLength: 3 })
  const plain = fc
    .tuple(segments, fc.boolean())
    .map(([parts, slash]) => `/${parts.join("/")}${slash && parts.length > 0 ? "/" : ""}`)
  const pattern = fc
    .tuple(
      plain,
      fc.constantFrom("(.*)", ".*", "(/|$)(.*)", "?", ".{0,99}", "|/", "[a-z]*", "*", ".+", "a?b*.*"),
    )
    .map(([beginning, rest]) => beginning + rest)
  const rules = (paths: readonly string[], isExact: readonly boolean[]) =>
    paths.map((path, at) => `${isExact[at] === true ? "Exact " : ""}shop.test${path} → web:80`)

  test("take no request that is for a path of the owner's, but those below a longer beginning", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(plain, { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        fc.uniqueArray(fc.oneof(pattern, plain), { minLength: 1, maxLength: 4 }),
        fc.array(plain, { minLength: 4, maxLength: 8 }),
        (own, isExact, others, requests) => {
          const shop = ingress("shop/web", rules(own, isExact), {}, 1)
          const parts = [shop, evil(rules(others, []), { "use-regex": "true" })]
          const before = pass([shop]).model.live.hosts.find(({ host }) => host === "shop.test")
          const after = pass(parts).model.live.hosts.find(({ host }) => host === "shop.test")
          if (before === undefined || after === undefined) throw new Error("The host is gone")
          for (const request of [...requests, ...own]) {
            const was = found(before, request)
            const is = found(after, request)
            const isDeclared = was?.serviceName !== ""
            if (!isDeclared || is?.namespace !== "evil") {
              expect(is?.namespace === "evil" || is?.locationPath === was?.locationPath).toBe(true)
              continue
            }
            // the text that is certain in the path of the other, which has to say more than the owner's path
            const [certain = ""] = /^[-\w/]*/.exec(is.locationPath) ?? []
            expect(certain.replace(/\/$/, "").length).toBeGreaterThan(
              (was?.locationPath ?? "").replace(/\/$/, "").length,
            )
            expect(was?.match).not.toBe("exact")
          }
        },
      ),
      runs(200),
    )
  })

  test("leave plain paths plain, and may have what nobody else has", () => {
    const parts = [owner, evil("shop.test/x(/|$)(.*) → web:80", { "rewrite-target": "/$2" })]
    expect(["/x/y", "/X", "/exactly", "/exact", "/api/x", "/"].map((path) => served(parts, path))).toEqual([
      "evil web",
      "evil web",
      "shop web",
      "shop api",
      "shop api",
      "shop web",
    ])
  })

  test("that could match everything are left out, with a Problem", () => {
    const { problems } = pass([owner, evil("shop.test/.* → web:80", { "use-regex": "true" })])
    expect(problems.map(({ code, object }) => [code, object.namespace])).toContainEqual([
      "pattern-foreign",
      "evil",
    ])
  })

  test("come after those of the owner that begin alike", () => {
    const rewriting = ingress("shop/web", "shop.test/api(/|$)(.*) → api:80", { "rewrite-target": "/$2" }, 1)
    const long = `shop.test/api/${"(|x)".repeat(20)}.* → web:80`
    const parts = [rewriting, evil(long, { "use-regex": "true" })]
    expect(served(parts, "/api/x")).toBe("shop api")
    expect(served(parts, "/api/x", { "cross-namespace": "allowed" })).toBe("evil web")
  })

  test("and plain paths of others do not become patterns on a host that has some", () => {
    const rewriting = ingress("shop/web", "shop.test/x(.*) → api:80", { "rewrite-target": "/$1" }, 1)
    expect(served([rewriting, evil("shop.test/............ → web:80")], "/xylophone-music")).toBe("shop api")
    expect(served([rewriting, evil("shop.test/v1.0 → web:80")], "/v1.0/a")).toBe("evil web")
  })
})

describe("a path of the owner's", () => {
  test.each([
    "Exact shop.test/api → web:80",
    "shop.test/api/ → web:80",
    "shop.test/api → web:80",
  ])("is no other's by %s", (rule) => {
    const parts = [owner, evil(rule)]
    expect([served(parts, "/api"), served(parts, "/api/x")]).toEqual(["shop api", "shop api"])
    expect(pass(parts).problems.map(({ code }) => code)).toContain("path-taken")
  })

  test("a default backend is the owner's path /", () => {
    const all = ingress("shop/web", ["shop.test/api → api:80", "* → web:80"], {}, 1)
    expect(served([all, evil("shop.test/ → web:80")], "/x")).toBe("shop web")
    expect(
      served([ingress("shop/web", "shop.test/api → api:80", {}, 1), evil("shop.test/ → web:80")], "/x"),
    ).toBe("evil web")
  })
})

/** Code and object of each Problem, without those of the tests' own objects. */
const complaints = (parts: readonly Part[], data: Record<string, string> = {}) =>
  pass(parts, data).problems.map(({ code, object, message }) => ({
    code,
    of: `${object.namespace}/${object.name}`,
    message,
  }))

const hostOf = (parts: readonly Part[], name: string, data: Record<string, string> = {}) =>
  pass(parts, data).model.live.hosts.find(({ host }) => host === name)

describe("whoever says something of another's host is told whose it is", () => {
  test.each([
    ["ciphers", { "ssl-ciphers": "AES128-SHA" }],
    ["the order of ciphers", { "ssl-prefer-server-ciphers": "false" }],
    ["a passthrough", { "ssl-passthrough": "true" }],
    ["aliases", { "server-alias": "other.test" }],
    ["a redirect between www", { "from-to-www-redirect": "true" }],
    ["where / leads", { "app-root": "/evil" }],
  ])("by %s", (_, said) => {
    const found = complaints([owner, evil("shop.test/evil → web:80", said)])
    expect(found.map(({ code, of }) => [code, of])).toEqual([["host-owned", "evil/web"]])
    expect(found[0]?.message).toMatch(
      /belongs to namespace "shop", whose Ingress "shop\/web" is the oldest of the host/,
    )
  })

  test("by client certificates, and its own paths are closed, as they were to be protected", () => {
    for (const secret of ["evil/ca", "evil/none"]) {
      const parts = [owner, evil("shop.test/evil → web:80", { "auth-tls-secret": secret })]
      const { routes = [], clientCertificate } = hostOf(parts, "shop.test") ?? {}
      expect(clientCertificate).toBeUndefined()
      expect(routes.filter(({ status }) => status === 503).map(({ path }) => path)).toEqual(["/evil"])
      expect(complaints(parts).map(({ code }) => code)).toContain("client-certificates-foreign")
    }
  })

  test("not by client certificates that are asked for anyway", () => {
    const asking = (it: Ingress, said: Record<string, string>) => ({
      ...it,
      meta: { ...it.meta, annotations: said },
    })
    const ca = { "nginx.ingress.kubernetes.io/auth-tls-secret": "shop/ca" }
    const parts = [asking(owner, ca), asking(evil("shop.test/evil → web:80"), ca)]
    const data = { "allow-cross-namespace-resources": "true" }
    expect(complaints(parts, data)).toEqual([])
    expect(hostOf(parts, "shop.test", data)?.routes.some(({ status }) => status === 503)).toBe(false)
  })

  test("by a certificate where the owner shows the default one", () => {
    const bare = ingress("shop/web", "shop.test/ → web:80", {}, 1)
    const parts = [bare, withTls(evil("shop.test/evil → web:80"), "tls")]
    expect(complaints(parts).map(({ code, of }) => [code, of])).toEqual([["host-owned", "evil/web"]])
    expect(pass(parts).model.live.certificates).toEqual([])
  })
})

describe("what people do every day changes nothing", () => {
  test("a Secret of the same name in each namespace of a host", () => {
    const parts = [owner, withTls(evil("shop.test/other → web:80"), "tls")]
    expect(complaints(parts)).toEqual([])
    expect(served(parts, "/other")).toBe("evil web")
  })

  test("a solver of an HTTP-01 challenge in another namespace, also before the application", () => {
    const challenge = "/.well-known/acme-challenge/token"
    for (const createdMs of [0, 2]) {
      const solver = evil(`Exact shop.test${challenge} → web:80`, {}, createdMs)
      const guarded = {
        ...owner,
        meta: { ...owner.meta, annotations: { ...annotated({ "ssl-ciphers": "AES128-SHA" }) } },
      }
      const parts = [guarded, solver]
      expect(complaints(parts)).toEqual([])
      expect([served(parts, challenge), served(parts, "/x")]).toEqual(["evil web", "shop web"])
      expect(pass(parts).model.live.tlsHosts).toContainEqual(
        expect.objectContaining({ host: "shop.test", ciphers: "AES128-SHA" }),
      )
    }
  })

  test("rewriting from several namespaces", () => {
    const front = ingress("shop/web", "shop.test/ → web:80", {}, 1)
    const api = evil("shop.test/api(/|$)(.*) → api:80", { "rewrite-target": "/$2" })
    expect(complaints([front, api])).toEqual([])
    expect([served([front, api], "/api/x"), served([front, api], "/apix")]).toEqual(["evil api", "shop web"])
  })
})

function annotated(said: Record<string, string>): Record<string, string> {
  return ingress("shop/x", [], said).meta.annotations
}

describe("an owner", () => {
  const ciphers = (name: string) => ({ "ssl-ciphers": name })
  const first = ingress("shop/web", "shop.test/ → web:80", ciphers("AES128-SHA"), 1)
  const second = evil("shop.test/x → web:80", ciphers("AES256-SHA"))
  const inUse = (parts: readonly Part[], data: Record<string, string> = {}) =>
    pass(parts, data).model.live.tlsHosts.find(({ host }) => host === "shop.test")?.ciphers

  test("that is deleted leaves the host to the next, whose words count from then on", () => {
    expect([inUse([first, second]), inUse([second])]).toEqual(["AES128-SHA", "AES256-SHA"])
    expect(complaints([second])).toEqual([])
  })

  test("is of two Ingresses of one age the one that comes first in every conflict", () => {
    const together = evil("shop.test/x → web:80", ciphers("AES256-SHA"), 1)
    expect(inUse([first, together])).toBe("AES128-SHA")
  })

  test("can be named by the operator, whoever came first, and has its paths", () => {
    const older = evil("shop.test/ → web:80", ciphers("AES256-SHA"), 0)
    for (const line of ["shop.test: shop", "*.test: shop", "other.test: evil\n*.test: shop"]) {
      const data = { "host-owner": line }
      expect(inUse([first, older], data)).toBe("AES128-SHA")
      expect(served([first, older], "/", data)).toBe("shop web")
      expect(
        complaints([first, older], data)
          .map(({ message }) => message)
          .join(),
      ).toContain('belongs to namespace "shop", as key "host-owner" of the ConfigMap says')
    }
    expect(inUse([first, older])).toBe("AES256-SHA")
  })

  test("can be nobody, where a line cannot be read", () => {
    expect(inUse([first, second], { "host-owner": "shop.test: Shop!" })).toBeUndefined()
  })

  test("named for a name keeps it from being anybody's alias", () => {
    const parts = [evil("evil.test/ → web:80", { "server-alias": "shop.test" })]
    expect(hostOf(parts, "shop.test", { "host-owner": "shop.test: shop" })).toBeUndefined()
    expect(hostOf(parts, "shop.test")).toBeDefined()
  })

  test("of every other host is who came first, and a younger default backend does not take its /", () => {
    const rule = ingress("shop/web", "/ → web:80", {}, 1)
    const catchAll = evil("* → web:80")
    const [host] = pass([rule, catchAll]).model.live.hosts
    expect(host?.routes.map(({ namespace, path }) => `${namespace} ${path}`)).toEqual(["shop /"])
    expect(complaints([rule, catchAll]).map(({ code }) => code)).toEqual(["path-taken"])
    expect(
      pass([rule, catchAll], { "cross-namespace": "allowed" }).model.live.hosts[0]?.routes[0]?.namespace,
    ).toBe("evil")
  })

  test("of a wildcard has no say in a whole host of another's, unless the operator says so", () => {
    const wildcard = ingress("shop/web", "*.test/ → web:80", {}, 1)
    const exact = evil("evil.test/ → web:80", ciphers("AES256-SHA"))
    const found = (data = {}) => pass([wildcard, exact], data).model.live.tlsHosts.map(({ host }) => host)
    expect(found()).toEqual(["evil.test"])
    expect(found({ "host-owner": "*.test: shop" })).toEqual([])
  })
})

describe("cross-namespace", () => {
  test("none leaves the rules of others out, with a Problem", () => {
    const parts = [owner, evil(["shop.test/x → web:80", "evil.test/ → web:80"])]
    const data = { "cross-namespace": "none" }
    expect(served(parts, "/x", data)).toBe("shop web")
    expect(hostOf(parts, "evil.test", data)?.routes[0]?.namespace).toBe("evil")
    expect(complaints(parts, data).map(({ code, of }) => [code, of])).toEqual([["host-foreign", "evil/web"]])
  })

  test("allowed is as in ingress-nginx: the oldest that says something decides", () => {
    const parts = [
      ingress("shop/web", "shop.test/ → web:80", {}, 1),
      withTls(
        evil("shop.test/x → web:80", { "auth-tls-secret": "evil/ca", "server-alias": "other.test" }),
        "tls",
      ),
    ]
    const data = { "cross-namespace": "allowed" }
    expect(hostOf(parts, "shop.test", data)?.clientCertificate?.namespace).toBe("evil")
    expect(hostOf(parts, "other.test", data)).toBeDefined()
    expect(pass(parts, data).model.live.certificates).toHaveLength(1)
  })
})

describe("a canary", () => {
  const canary = (name: string, rules: string | readonly string[], createdMs = 3) =>
    ingress(name, rules, { canary: "true", "canary-weight": "100" }, createdMs)
  const portsWithCanaries = (parts: readonly Part[], data: Record<string, string> = {}) => {
    const { backends, hosts } = pass(parts, data).model.live
    const byName = new Map(backends.map((backend) => [backend.name, backend.alternatives ?? []]))
    return hosts.flatMap(({ host, routes }) =>
      routes.flatMap(({ path, backend }) => {
        const alternatives = byName.get(backend) ?? []
        return alternatives.length === 0 ? [] : [`${host}${path} ${alternatives.join()}`]
      }),
    )
  }
  const main = ingress("shop/web", ["shop.test/ → web:80", "shop.test/x → web:80", "b.test/ → web:80"], {}, 1)

  test("of another namespace gets nothing, and is told why", () => {
    const parts = [main, canary("evil/canary", "shop.test/ → api:80")]
    expect(portsWithCanaries(parts)).toEqual([])
    expect(complaints(parts).map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringMatching(
        /^canary-left-out: .*Ingress "shop\/web" serves them, and a canary has to be in the same namespace/,
      ),
    ])
    expect(portsWithCanaries(parts, { "cross-namespace": "allowed" })).toEqual([
      "b.test/ evil-api-80",
      "shop.test/ evil-api-80",
      "shop.test/x evil-api-80",
    ])
  })

  test("takes its share of its host and path alone", () => {
    const parts = [main, canary("shop/canary", "shop.test/ → api:80")]
    expect(portsWithCanaries(parts)).toEqual(["shop.test/ shop-api-80"])
    expect(pass(parts).model.live.backends.map(({ name }) => name)).toEqual([
      "shop-api-80",
      "shop-web-80",
      "shop/web:80>api:80",
    ])
  })

  test("beside all that its primary has leaves the backend its name", () => {
    const all = ["shop.test/ → api:80", "shop.test/x → api:80", "b.test/ → api:80"]
    expect(pass([main, canary("shop/canary", all)]).model.live.backends.map(({ name }) => name)).toEqual([
      "shop-api-80",
      "shop-web-80",
    ])
    expect(portsWithCanaries([main, canary("shop/canary", all)])).toHaveLength(3)
  })

  test("of a path that its own namespace has added to another's host works as ever", () => {
    const added = evil("shop.test/evil → web:80")
    const parts = [main, added, canary("evil/canary", "shop.test/evil → api:80")]
    expect(portsWithCanaries(parts)).toEqual(["shop.test/evil evil-api-80"])
    expect(complaints(parts)).toEqual([])
  })

  test("with a default backend takes its share of what every other host gets at /, whatever rules it has", () => {
    const all = ingress("shop/all", ["/x → web:80", "/ → web:80"], {}, 1)
    expect(portsWithCanaries([all, canary("shop/canary", ["none.test/ → api:80", "* → api:80"])])).toEqual([
      "_/ shop-api-80",
    ])
  })
})
