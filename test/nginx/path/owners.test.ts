// Two namespaces and one host, on a real nginx: what somebody who may write Ingresses anywhere tried with the host of another, and what people
// do every day. Nothing here reloads but what the attacker's own paths need.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { ingress, type Json, secret, serviceOn, withTls } from "../../../harness/manifests.ts"
import { type Authority, rootAuthority, selfSignedIdentity } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { handshake, tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

let site: Site
let ca: Authority
let secrets: readonly Json[]
beforeAll(async () => {
  const flags = ["--enable-ssl-passthrough"]
  const identities = ["shop", "evil"].map((cn) => selfSignedIdentity({ cn, names: ["shop.test"] }))
  ;[site, ca] = await Promise.all([
    Site.start(["shop", "api", "evil"], { flags }),
    rootAuthority({ cn: "evil" }),
  ])
  secrets = (await Promise.all(identities)).map(({ chainPem, keyPem }, at) =>
    secret(`${["shop", "evil"][at]}/tls`, { "tls.crt": chainPem, "tls.key": keyPem }),
  )
})
afterAll(() => site[Symbol.asyncDispose]())

const on = (name: string, backend: string) => serviceOn(name, [site.backend(backend).port])

const put = (...objects: readonly Json[]) =>
  site.put(
    ...on("shop/web", "shop"),
    ...on("shop/api", "api"),
    ...on("evil/web", "evil"),
    ...secrets,
    secret("evil/ca", { "ca.crt": ca.pem }),
    ...objects,
  )

const shop = withTls(
  ingress("shop/web", ["shop.test/ → web:80", "shop.test/api → api:80"], { "ssl-redirect": "false" }, 1),
  "shop.test=tls",
)
const evil = (rules: string | readonly string[], said: Record<string, string> = {}) =>
  ingress("evil/web", rules, { "ssl-redirect": "false", ...said }, 2)

const body = async (path: string, host = "shop.test") => (await site.get(path, { host })).body
const status = async (path: string, host = "shop.test") => (await site.get(path, { host })).status

/** Who shows his certificate for the host. */
async function subject(): Promise<unknown> {
  return (await handshake(site.wick.httpsPort, { servername: "shop.test" })).certificate.subject.CN
}

async function isUntouched(): Promise<void> {
  expect([await body("/"), await body("/api/x"), await body("/secret.php")]).toEqual(["shop", "api", "shop"])
  expect(await subject()).toBe("shop")
  const overTls = { port: site.wick.httpsPort, agent: tlsAgent("shop.test") }
  expect((await ask(overTls, { host: "shop.test", path: "/api/x" })).body).toBe("api")
}

describe("from another namespace nobody takes or breaks a host", () => {
  test.each<[string, string | readonly string[], Record<string, string>]>([
    [
      "client certificates of a Secret that is not there",
      "shop.test/evil → web:80",
      { "auth-tls-secret": "evil/no" },
    ],
    [
      "client certificates of an authority of his own",
      "shop.test/evil → web:80",
      { "auth-tls-secret": "evil/ca" },
    ],
    ["a passthrough of TLS", "shop.test/evil → web:80", { "ssl-passthrough": "true" }],
    ["a pattern for everything", "shop.test/.* ~→ web:80", { "use-regex": "true" }],
    ["a long one", "shop.test/.{0,99}(|||||||||||||||||||) ~→ web:80", { "use-regex": "true" }],
    ["rewriting", "shop.test/(.*) ~→ web:80", { "rewrite-target": "/$1" }],
    ["the page that / leads to", "shop.test/evil → web:80", { "app-root": "/evil" }],
    ["a path of its own with a slash more", "shop.test/api/ → web:80", {}],
    ["a canary of weight 0", "shop.test/ → web:80", { canary: "true", "canary-weight": "0" }],
    ["a canary that takes all", "shop.test/ → web:80", { canary: "true", "canary-weight": "100" }],
    ["a default backend", ["shop.test/evil → web:80", "* → web:80"], {}],
  ])("by %s", async (_, rules, said) => {
    await put(shop, withTls(evil(rules, said), "shop.test=tls"))
    await isUntouched()
  })

  test("what he wanted to protect is closed, not open", async () => {
    await put(shop, evil("shop.test/evil → web:80", { "auth-tls-secret": "evil/ca" }))
    expect([await status("/evil"), await status("/")]).toEqual([503, 200])
    await site.untilProblem("client-certificates-foreign")
  })

  test("aliases and redirects of the host are its owner's", async () => {
    const said = { "server-alias": "alias.test", "from-to-www-redirect": "true" }
    await put(shop, evil("shop.test/evil → web:80", said))
    expect([await status("/", "alias.test"), await status("/", "www.shop.test")]).toEqual([404, 404])
    await site.untilProblem("host-owned")
  })
})

describe("what people do every day", () => {
  test("paths from several namespaces, each with a Secret of the same name and with rewriting", async () => {
    const api = evil("shop.test/v2(/|$)(.*) ~→ web:80", { "rewrite-target": "/$2" })
    await put(shop, withTls(api, "shop.test=tls"))
    expect([await body("/v2/x"), await body("/v2"), await body("/v22")]).toEqual(["evil", "evil", "shop"])
    await isUntouched()
  })

  test("a path beside a pattern keeps its case, its elements and its exactness", async () => {
    const own = ingress(
      "shop/web",
      ["shop.test/Api → api:80", "shop.test/a =→ api:80", "shop.test/ → web:80"],
      {},
      1,
    )
    await put(own, evil("shop.test/a(.*) ~→ web:80", { "use-regex": "true" }))
    const paths = ["/Api", "/Api/x", "/api", "/Apix", "/a", "/ab", "/b"]
    expect(await Promise.all(paths.map((path) => body(path)))).toEqual([
      "api",
      "api",
      "evil",
      "evil",
      "api",
      "evil",
      "shop",
    ])
  })

  test("a solver of another namespace that was there before the application", async () => {
    const challenge = "/.well-known/acme-challenge/token"
    const solver = ingress("evil/solver", `shop.test${challenge} =→ web:80`, {}, 1)
    const younger = withTls(
      ingress("shop/web", ["shop.test/ → web:80", "shop.test/api → api:80"], { "ssl-redirect": "false" }, 2),
      "shop.test=tls",
    )
    await put(younger, solver)
    expect(await body(challenge)).toBe("evil")
    await isUntouched()
  })
})

/** Sets keys of the ConfigMap, which is a file of its own, and waits until requests are answered so. */
async function configured(
  data: Readonly<Record<string, string>>,
  isSo: () => Promise<boolean>,
): Promise<void> {
  site.configure(data)
  await until(`${JSON.stringify(data)} to be in force`, isSo)
}

test("a canary takes requests for its host and path, not for all that its primary's Service gets", async () => {
  const main = ingress("shop/web", ["shop.test/ → web:80", "shop.test/x → web:80", "b.test/ → web:80"], {}, 1)
  const canary = ingress("shop/canary", "shop.test/x → api:80", { canary: "true", "canary-weight": "100" }, 2)
  await put(main, canary)
  const who = async () => [await body("/x"), await body("/"), await body("/x", "b.test")].join()
  expect(await who()).toBe("api,shop,shop")
  await configured({ "cross-namespace": "allowed" }, async () => (await who()) === "api,api,api")
  await configured({}, async () => (await who()) === "api,shop,shop")
})

describe("an operator", () => {
  test("gives a host to a namespace, whoever came first", async () => {
    await put(
      ingress("evil/web", "shop.test/ → web:80", { "server-alias": "alias.test" }, 1),
      ingress("shop/web", "shop.test/ → web:80", {}, 2),
    )
    const who = async () => `${await body("/")} ${await status("/", "alias.test")}`
    expect(await who()).toBe("evil 200")
    await configured({ "host-owner": "shop.test: shop" }, async () => (await who()) === "shop 404")
    await configured({}, async () => (await who()) === "evil 200")
  })

  test("has it as in ingress-nginx, and stricter", async () => {
    await put(shop, evil("shop.test/x → web:80", { "server-alias": "alias.test" }))
    const who = async () => `${await body("/x")} ${await status("/", "alias.test")}`
    expect(await who()).toBe("evil 404")
    await configured({ "cross-namespace": "none" }, async () => (await who()) === "shop 404")
    await configured({ "cross-namespace": "allowed" }, async () => (await who()) === "evil 200")
  })
})
