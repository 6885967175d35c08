// What a route says of TLS towards its backend (`backend_tls`), over HTTP/1.1 and gRPC's HTTP/2, with an upstream of nginx's own.
import { once } from "node:events"
import { createSecureServer, type Http2SecureServer } from "node:http2"
import type { AddressInfo } from "node:net"
import type { TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { BackendTls } from "../../../controller/model/route-records.ts"
import { keptMs } from "../../../harness/http.ts"
import { confOf, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { authorityRecord, pairOf, pairRecord } from "../../../harness/ingress/tls-records.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"

/** Says what name it was asked for, or that there was a session, and who the client is, with what is spoken. */
async function endpoint(identity: Identity, ca: Authority) {
  const server = createSecureServer(
    {
      ...{ cert: identity.chainPem, key: identity.keyPem, ca: ca.pem },
      ...{ requestCert: true, rejectUnauthorized: false, allowHTTP1: true },
    },
    ({ stream, socket }, response) => {
      const { session } = stream ?? {}
      const tls = (session?.socket ?? socket) as TLSSocket
      const client = tls.getPeerCertificate()?.subject?.CN ?? "nobody"
      const { servername } = tls as { servername?: string | false }
      const name = tls.isSessionReused() ? "resumed" : servername || "-"
      response.end([name, client, tls.getProtocol(), tls.getCipher().name].join(" "))
    },
  )
  server.on("sessionError", () => {})
  Object.assign(server, { keepAliveTimeout: keptMs }) // of HTTP/1.1; Node's types do not know it
  await once(server.listen(0, "127.0.0.1"), "listening")
  return server
}

let ingress: Ingress
let ca: Authority
const servers: Http2SecureServer[] = []

beforeAll(async () => {
  const [own, others] = await Promise.all([rootAuthority(), rootAuthority()])
  ca = own
  const names = ["db.internal", "*.pool.internal", "127.0.0.9", "spiffe://cluster/db"]
  const identities = {
    good: await ca.issue({ cn: "subject.test", names }),
    nameless: await ca.issue({ cn: "subject.test" }),
    stranger: await others.issue({ cn: "subject.test", names }),
  }
  const blocks: string[] = []
  for (const [name, identity] of Object.entries(identities)) {
    const server = await endpoint(identity, ca)
    servers.push(server)
    blocks.push(`upstream ${name} { server 127.0.0.1:${(server.address() as AddressInfo).port}; }`)
  }
  const locations = Object.keys(identities).flatMap((to) => [
    `location @proxy-${to} { proxy_pass https://${to}; }`,
    `location @grpc-${to} { grpc_ssl_session_reuse off; grpc_pass grpcs://${to}; }`,
    `location @plain-${to} { proxy_ssl_session_reuse off; proxy_pass https://${to}; }`,
  ])
  ingress = await startIngress({
    http: `ingress_backend_tls certificates; ${blocks.join("\n")}`,
    locations: [...locations, "location @http { proxy_pass http://127.0.0.1:1; }"].join("\n"),
  })
  const first = await ca.issue({ cn: "first" })
  const second = await ca.issue({ cn: "second" })
  await ingress.write("authorities/own", authorityRecord({ certificates: [ca] }), "certificates")
  await ingress.write("authorities/others", authorityRecord({ certificates: [others] }), "certificates")
  await ingress.write("pairs/first", pairRecord(first), "certificates")
  await ingress.write("pairs/second", pairRecord(second), "certificates")
  await ingress.write("pairs/wrong", pairOf(first.der, second.der), "certificates")
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  for (const server of servers) server.close()
})

const told = new Map<string, Promise<void>>()

/** What the endpoint says of a request through a route that says this. */
async function through(
  location: string,
  backendTls: BackendTls | undefined,
  name = "sent.test",
): Promise<string> {
  const path = `/${location}/${Buffer.from(JSON.stringify([backendTls, name])).toString("hex")}`
  const route = { path, location, variables: { proxy_ssl_name: name }, ...(backendTls && { backendTls }) }
  told.set(path, told.get(path) ?? ingress.route("_", [...routes, route]))
  routes.push(route)
  await told.get(path)
  return ingress.ask("a", path)
}
const routes: { path: string; location: string; backendTls?: BackendTls }[] = []

const verified = { authority: "own", depth: 2, sendsName: true } as const

const cases = [
  ["good", ["db.internal"], true],
  ["good", ["x.test", "DB.internal"], true],
  ["good", ["a.pool.internal"], true],
  ["good", ["a.b.pool.internal"], false],
  ["good", ["127.0.0.9"], true],
  ["good", ["127.0.0.1"], false],
  ["good", ["spiffe://cluster/db"], true],
  ["good", ["x.test", "spiffe://cluster/db"], true],
  ["good", ["spiffe://cluster/d"], false],
  ["good", ["spiffe://cluster/DB"], false],
  ["good", ["sent.test"], false],
  ["good", ["subject.test"], false],
  ["nameless", ["subject.test"], false],
  ["nameless", ["spiffe://cluster/db"], false],
  ["stranger", ["db.internal"], false],
  ["stranger", ["spiffe://cluster/db"], false],
] as const

test.each(cases)("%s for the alternative names %j: %s", async (to, alternativeNames, isServed) => {
  const expected = isServed ? /^(sent\.test|resumed) nobody/ : /^502$/
  for (const by of ["plain", "grpc"])
    expect(await through(`${by}-${to}`, { ...verified, alternativeNames })).toMatch(expected)
})

test.each([
  ["the name that is sent", "good", verified, "db.internal", /^db\.internal nobody TLSv1.3/],
  ["another name", "good", verified, "other.test", /^502$/],
  ["another authority", "good", { ...verified, authority: "others" }, "db.internal", /^502$/],
  ["an authority that is not there", "good", { ...verified, authority: "gone" }, "db.internal", /^502$/],
  ["another endpoint's authority", "stranger", { ...verified, authority: "others" }, "db.internal", /^db/],
  ["nobody", "stranger", { sendsName: true }, "x.test", /^x\.test nobody/],
  ["nobody, who is sent nothing", "stranger", {}, "x.test", /^- nobody/],
  ["a certificate of ours", "good", { certificate: "first" }, "x.test", /^- first/],
  ["another one", "good", { certificate: "second" }, "x.test", /^- second/],
  ["one that is not there", "good", { certificate: "gone" }, "x.test", /^502$/],
  ["one that is none", "good", { certificate: "wrong" }, "x.test", /^502$/],
  ["one version", "good", { version: "TLSv1.2" }, "x.test", /TLSv1.2/],
  ["the other version", "good", { version: "TLSv1.3" }, "x.test", /TLSv1.3/],
  [
    "ciphers",
    "good",
    { version: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384" },
    "x.test",
    /ECDHE-ECDSA-AES256-GCM-SHA384/,
  ],
  ["ciphers that nobody has", "good", { ciphers: "none-of-them" }, "x.test", /^503$/],
] as const)("%s", async (_, to, backendTls, name, expected) => {
  for (const by of ["plain", "grpc"]) expect(await through(`${by}-${to}`, backendTls, name)).toMatch(expected)
})

test("without it the location's own text holds, and where the location speaks no TLS it has no effect", async () => {
  expect(await through("plain-stranger", undefined)).toMatch(/^- nobody/)
  expect(await through("http", verified)).toBe("502")
})

test("what one route's session was verified for is not taken for what another's would have to be", async () => {
  const good = { ...verified, alternativeNames: ["db.internal"] }
  expect(await through("proxy-good", good)).toMatch(/^sent\.test/)
  expect(await through("proxy-good", good)).toMatch(/^resumed/)
  expect(await through("proxy-good", { ...good, alternativeNames: ["y.test"] })).toBe("502")
  expect(await through("proxy-good", good)).toMatch(/^sent\.test/)
})

test("what comes into the zone later is found by the next handshake", async () => {
  const late = { ...verified, authority: "late", certificate: "later" }
  expect(await through("plain-good", late, "db.internal")).toBe("502")
  await ingress.write("authorities/late", authorityRecord({ certificates: [ca] }), "certificates")
  expect(await through("plain-good", late, "db.internal")).toBe("502")
  await ingress.write("pairs/later", pairRecord(await ca.issue({ cn: "later" })), "certificates")
  expect(await through("plain-good", late, "db.internal")).toMatch(/^db\.internal later/)
})

test("the log says what is wrong", () => {
  const log = ingress.nginx.errorLog()
  expect(log).toContain("certificate verify failed")
  expect(log).toContain('Cannot use authority "gone" of backends: the zone does not have it')
  expect(log).toContain("TLS to its backend cannot be set up: no cipher match")
  expect(log).not.toMatch(/\[alert\]|panic|signal/)
})

test("a configuration that says nowhere where certificates are refuses such routes", async () => {
  await using without = await startIngress({ locations: "location @tls { proxy_pass https://127.0.0.1:1; }" })
  await without.route("_", [{ location: "tls", backendTls: {} }])
  expect(await without.ask("a")).toBe("503")
  expect(without.nginx.errorLog()).toContain('the configuration has no "ingress_backend_tls"')
})

test("there are at most so many ways to speak TLS until the next reload", async () => {
  await using few = await startIngress({
    http: "ingress_backend_tls certificates; ingress_route_max_overrides 16;",
    locations: "location @tls { proxy_pass https://127.0.0.1:1; }",
  })
  const route = (depth: number) => ({ path: `/${depth}`, location: "tls", backendTls: { depth } })
  await few.route("_", [1, 2, 3].map(route))
  expect([await few.ask("a", "/1"), await few.ask("a", "/2"), await few.ask("a", "/3")]).toEqual([
    ...["502", "502", "503"],
  ])
  expect(await few.ask("a", "/1")).toBe("502")
  expect(few.nginx.errorLog()).toContain("of which there are too many since the last reload")
})

test.each([
  ["ingress_backend_tls a; ingress_backend_tls b;", '"ingress_backend_tls" directive is duplicate'],
  ["ingress_backend_tls;", 'invalid number of arguments in "ingress_backend_tls"'],
  ["ingress_backend_tls nowhere;", '"ingress_backend_tls" uses the zone "nowhere"'],
])("%s", async (text, message) => {
  const writer = await zoneWriter()
  const { output } = await checkConf((site) => confOf(site, writer, { http: text }))
  expect(output).toContain(message)
})
