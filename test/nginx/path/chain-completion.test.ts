// --enable-ssl-chain-completion on a real nginx: what a Secret's chain lacks is fetched from where its certificates say.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { handshake } from "../../support/agents.ts"
import { Responder } from "../../support/ocsp.ts"
import { Site } from "./site.ts"

const host = "foo.test"

let site: Site
let server: Responder
let leaf: Identity
let intermediate: Identity
beforeAll(async () => {
  server = await Responder.start((_, response) => void response.end(intermediate.der))
  site = await Site.start(["a"], { flags: ["--enable-ssl-chain-completion"] })
  const ca = await (await rootAuthority()).intermediate()
  intermediate = ca
  leaf = await ca.issue({ names: [host], issuer: server.url })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** The Secret holds the leaf alone. */
async function put(): Promise<void> {
  const { spec, ...rest } = ingress("demo/shop", `${host}/ → a:80`) as { spec: Json }
  const withTls = { ...rest, spec: { ...spec, tls: [{ hosts: [host], secretName: "shop-tls" }] } }
  const tls = secret("demo/shop-tls", { ...leaf.tlsData(), "tls.crt": leaf.pem })
  await site.put(...site.service("a", "a"), withTls, tls)
}

const shown = () => handshake(site.wick.httpsPort, { servername: host })

test("the chain is complete soon, without a reload", async () => {
  await put()
  await until("the chain to be complete", async () => (await shown()).certificates === 2)
  const { certificate } = await shown()
  expect(certificate.fingerprint256).toBe(leaf.certificate.fingerprint256)
  expect(certificate.issuerCertificate.fingerprint256).toBe(intermediate.certificate.fingerprint256)
  await site.expectOnlyPosts()
})

test("it stays so when the controller starts anew while nobody answers", async () => {
  server.answering = (_, response) => void response.writeHead(500).end()
  const asked = server.requests.length
  await site.wick.kill()
  await site.wick.start()
  await put()
  expect((await shown()).certificates).toBe(2)
  expect(server.requests).toHaveLength(asked)
})
