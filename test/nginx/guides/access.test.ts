// What the guides say about who gets in, and about certificates, with what they show.
import { X509Certificate } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { secret, service, slice } from "../../../harness/manifests.ts"
import type { Identity } from "../../../harness/pki.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { pathOf, Solver } from "../../support/cert-manager.ts"
import { objectsUnder } from "../../support/examples.ts"
import { GuideSite } from "./guide-site.ts"

const certificates = "docs/guides/cert-manager.md"
const clients = { page: "docs/client-certificates.md", heading: "Certificates of clients" }
const proxy = { page: "docs/external-authentication.md", heading: "With oauth2-proxy" }
const host = "shop.example.com"

let at: GuideSite
let oauth2Proxy: Echo
let solver: Solver
beforeAll(async () => {
  oauth2Proxy = await new Echo().start()
  solver = await Solver.start({
    host,
    token: "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0",
    key: "LoqX.print",
  })
  at = await GuideSite.start([clients, { page: certificates, heading: "HTTP-01" }])
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await oauth2Proxy[Symbol.asyncDispose]()
  await solver[Symbol.asyncDispose]()
})

async function overTls(path: string, identity?: Identity) {
  await using client = await TlsClient.connect(at.site.wick.httpsPort, { servername: host, identity })
  const answer = await client.ask({ host, path })
  return { answer, shown: new X509Certificate(client.socket.getPeerCertificate().raw) }
}

test("a challenge of HTTP-01 is answered, though the host redirects; then its certificate is shown", async () => {
  await at.apply(certificates, "HTTP-01", ...solver.service(), solver.ingress())
  expect((await at.site.get("/", { host })).status).toBe(308)
  expect((await at.site.get(pathOf(solver.challenge), { host })).body).toBe(solver.challenge.key)
  const renewed = await at.authority.issue({ names: [host], serial: "2026" })
  await at.apply(certificates, "HTTP-01", secret("demo/shop-tls", renewed.tlsData()))
  const { answer, shown } = await overTls("/")
  expect([answer.body, shown.serialNumber]).toEqual(["shop", "2026"])
  await at.site.expectOnlyPosts()
})

test("clients of the example need a certificate of the authority", async () => {
  await at.apply(clients.page, clients.heading)
  expect((await overTls("/")).answer.status).toBe(400)
  const jane = await at.authority.issue({ cn: "jane" })
  expect((await overTls("/", jane)).answer.body).toBe("shop")
  expect(at.site.backend("shop").lastHeaders["ssl-client-subject-dn"]).toBe("CN=jane")
})

test("oauth2-proxy is asked about each request, and whoever has no session is sent there", async () => {
  oauth2Proxy.answer = ({ url, headers }) => {
    if (!url.startsWith("/oauth2/auth")) return { body: "sign in" }
    const isKnown = headers.cookie?.includes("_oauth2_proxy=good") === true
    return isKnown ? { status: 202, headers: { "X-Auth-Request-User": "jane" } } : { status: 401 }
  }
  await at.site.put(
    ...objectsUnder(proxy.page, proxy.heading),
    service("shop/shop"),
    slice("shop/shop", ["127.0.0.1"], at.site.backend("shop").port),
    service("sso/oauth2-proxy", 4180),
    slice("sso/oauth2-proxy", ["127.0.0.1"], oauth2Proxy.port),
  )
  const stranger = await at.site.get("/cart", { host })
  expect(stranger.status).toBe(302)
  expect(stranger.headers.location).toMatch(/^https:\/\/shop\.example\.com\/oauth2\/start\?rd=/)
  expect((await at.site.get("/oauth2/start", { host })).body).toBe("sign in")
  const jane = await at.site.get("/cart", { host, headers: { cookie: "_oauth2_proxy=good" } })
  expect(jane.body).toBe("shop")
  expect(at.site.backend("shop").lastHeaders["x-auth-request-user"]).toBe("jane")
})
