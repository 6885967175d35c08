// What backends are told of clients, in the place of what clients say of themselves.
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http2"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask as askPlain, type Question } from "../../../harness/http.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { type ClientsSite, startClients } from "./support/clients.ts"

// Compiled ahead of the tests, which have little time.
await zoneWriter()

const host = "shop.test"
const names = ["ssl-client-verify", "ssl-client-subject-dn", "ssl-client-issuer-dn", "ssl-client-cert"]
let site: ClientsSite
beforeAll(async () => {
  site = await startClients({ http: "underscores_in_headers on; ignore_invalid_headers off;" })
  await site.host("plain.test", undefined)
})
afterAll(() => site[Symbol.asyncDispose]())

/** Those headers that the backend may take for one of ours. */
async function told(question: Partial<Question>, hello: object = {}): Promise<Record<string, unknown>> {
  const { headers } = await site.seen({ host, ...question }, { identity: site.good, ...hello })
  const ours = Object.entries(headers).filter(([name]) => /^ssl.client/i.test(name))
  return Object.fromEntries(ours)
}

const known = {
  "ssl-client-verify": "SUCCESS",
  "ssl-client-subject-dn": "CN=good,O=Shop",
  "ssl-client-issuer-dn": "CN=ca",
}

test.each(["h1", "h2"] as const)("who it is, %s", async (protocol) => {
  await site.host(host, {})
  expect(await told({}, { protocol })).toEqual(known)
  await site.host(host, { passCertificate: true })
  const { "ssl-client-cert": cert, ...rest } = await told({}, { protocol })
  expect(rest).toEqual(known)
  expect(cert).toMatch(/^-----BEGIN%20CERTIFICATE-----%0A/)
  expect(decodeURIComponent(String(cert))).toBe(site.good.pem)
})

test("who shows nothing", async () => {
  await site.host(host, { verify: "optional", passCertificate: true })
  expect(await told({}, { identity: undefined })).toEqual({ "ssl-client-verify": "NONE" })
  await site.host(host, { verify: "off", passCertificate: true })
  expect(await told({})).toEqual({ "ssl-client-verify": "NONE" })
})

test.each(["h1", "h2"] as const)("what a client says of itself is not passed on, %s", async (protocol) => {
  const alike = names.flatMap((name) => [name, name.replaceAll("-", "_"), name.replaceAll("-", ".")])
  const wrong = Object.fromEntries(alike.map((name) => [name, ["SUCCESS", "forged"]]))
  const close = { "ssl-client-verify2": "mine", "x-ssl-client-verify": "mine", sslclientverify: "mine" }
  const headers = { ...wrong, ...close }
  await site.host(host, {})
  expect(await told({ headers }, { protocol })).toEqual(known)
  await site.host(host, { verify: "optional" })
  const nobody = { protocol, identity: undefined }
  expect(await told({ headers }, nobody)).toEqual({ "ssl-client-verify": "NONE" })
  await site.host(host, { verify: "off" })
  expect(await told({ headers }, { protocol })).toEqual({ "ssl-client-verify": "NONE" })
})

test("letters of any size, and names sent many times", async () => {
  await site.host(host, {})
  const headers = { "SSL-Client-Verify": ["SUCCESS", "SUCCESS"], Ssl_Client_CERT: "forged" }
  expect(await told({ headers })).toEqual(known)
})

test("plain HTTP: nothing is known, and nothing is claimed", async () => {
  await site.host(host, { passCertificate: true })
  const headers = { "ssl-client-verify": "SUCCESS", ssl_client_cert: "forged" }
  const { json } = await askPlain({ port: site.ingress.port }, { host, headers })
  const { headers: seen } = json() as { headers: Record<string, string> }
  expect(Object.keys(seen).filter((name) => /^ssl.client/.test(name))).toEqual([])
})

test("hosts that ask nothing pass nothing of the kind on", async () => {
  const headers = { "ssl-client-verify": "from a proxy", "ssl-client-verify2": "mine" }
  expect(await told({ host: "plain.test", headers })).toEqual({})
})

test.each([
  ['Käthe, die "Zweite"', String.raw`CN=K\C3\A4the\, die \"Zweite\"`],
  ["a\r\nX-Admin: 1", "CN=a\\0D\\0AX-Admin: 1"],
  ["\u0000\u007f\t", "CN=\\00\\7F\\09"],
  ["日本", "CN=\\E6\\97\\A5\\E6\\9C\\AC"],
  [" #+<>;=\\x", "CN=\\ #\\+\\<\\>\\;=\\\\x"],
])("the name %j is one printable text", async (cn, dn) => {
  await site.host(host, { passCertificate: true })
  const identity = await site.ca.issue({ cn })
  const seen = await told({}, { identity })
  expect(seen["ssl-client-subject-dn"]).toBe(dn)
  expect(Object.keys(seen).sort()).toEqual([...names].sort())
})

test("subrequests know it, too", async () => {
  const asked = site.backend.asked
  await using withAuth = await startClients({
    locations: `
      location /auth { internal; client_max_body_size 0; proxy_pass http://127.0.0.1:${site.backend.port}; }
      location @authenticated { auth_request /auth; try_files /nothing =204; }`,
  })
  await withAuth.host(host, {}, [{ location: "authenticated" }])
  asked.length = 0
  await withAuth.ask({ host, headers: { "ssl-client-verify": "forged" } }, { identity: withAuth.good })
  expect(asked.map(({ url, headers }) => [url, headers["ssl-client-verify"]])).toEqual([["/auth", "SUCCESS"]])
})

test("gRPC", async () => {
  const asked: IncomingHttpHeaders[] = []
  const service = createServer({}, (request, response) => {
    asked.push(request.headers)
    response.end()
  }).listen(0, "127.0.0.1")
  await once(service, "listening")
  const { port } = service.address() as AddressInfo
  await using calling = await startClients({
    locations: `location @call { grpc_pass grpc://127.0.0.1:${port}; }`,
  })
  await calling.host(host, {}, [{ location: "call" }])
  const headers = { "ssl-client-verify": "forged" }
  const { status } = await calling.ask({ host, headers }, { identity: calling.good, protocol: "h2" })
  service.close()
  expect([status, asked.length]).toEqual([200, 1])
  expect(asked[0]).toMatchObject(known)
})

test("a request that comes back from inside nginx is told once", async () => {
  await site.host(host, {}, [{ path: "/" }])
  site.backend.answer = ({ url }) => (url === "/" ? { headers: { "x-accel-redirect": "/again" } } : {})
  const { url, headers } = await site.seen({ host, path: "/" }, { identity: site.good })
  expect([url, headers["ssl-client-verify"]]).toEqual(["/again", "SUCCESS"])
  site.backend.answer = () => ({})
})
