// The alternative names that certificates of endpoints have to have (`ingress_endpoint_names`), over HTTP/1.1 and gRPC's HTTP/2.
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createSecureServer, type Http2SecureServer } from "node:http2"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { confOf, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"

const folder = mkdtempSync(join(tmpdir(), "endpoint-names-"))
const trusted = join(folder, "ca.pem")

/** Says what name it was asked for, or that there was a session. */
async function endpoint(identity: Identity) {
  const server = createSecureServer(
    { cert: identity.chainPem, key: identity.keyPem, allowHTTP1: true },
    ({ stream, socket }, response) => {
      const { servername } = (stream?.session?.socket ?? socket) as TLSSocket
      response.end(servername || "resumed")
    },
  )
  await once(server.listen(0, "127.0.0.1"), "listening")
  return server
}

/** A location in which the certificate has to have one of these names. */
function location(name: string, by: "proxy" | "grpc", to: string, names: readonly string[], reuse = "off") {
  const pass = by === "proxy" ? `https://${to}` : `grpcs://${to}`
  const settings = `${by}_ssl_verify on; ${by}_ssl_trusted_certificate ${trusted}; ${by}_ssl_verify_depth 2;`
  const sent = `${by}_ssl_server_name on; ${by}_ssl_name sent.test; ${by}_ssl_session_reuse ${reuse};`
  return `location @${name} { ${settings} ${sent} ${by}_pass ${pass};
    ingress_endpoint_names ${names.map((it) => `"${it}"`).join(" ")}; }`
}

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

let ingress: Ingress
const servers: Http2SecureServer[] = []

beforeAll(async () => {
  const [ca, others] = await Promise.all([rootAuthority(), rootAuthority()])
  writeFileSync(trusted, ca.pem)
  const names = ["db.internal", "*.pool.internal", "127.0.0.9", "spiffe://cluster/db"]
  const identities = {
    good: await ca.issue({ cn: "subject.test", names }),
    nameless: await ca.issue({ cn: "subject.test" }),
    stranger: await others.issue({ cn: "subject.test", names }),
  }
  const blocks: string[] = []
  for (const [name, identity] of Object.entries(identities)) {
    const server = await endpoint(identity)
    servers.push(server)
    blocks.push(`upstream ${name} { server 127.0.0.1:${(server.address() as AddressInfo).port}; }`)
  }
  const locations = cases.flatMap(([to, names], at) => [
    location(`l${at}proxy`, "proxy", to, names),
    location(`l${at}grpc`, "grpc", to, names),
  ])
  locations.push(
    location("first", "proxy", "good", ["db.internal"], "on"),
    location("second", "proxy", "good", ["x.test"], "on"),
  )
  ingress = await startIngress({ http: blocks.join("\n"), locations: locations.join("\n") })
  const paths = [...cases.flatMap((_, at) => [`l${at}proxy`, `l${at}grpc`]), "first", "second"]
  await ingress.route(
    "_",
    paths.map((location) => ({ path: `/${location}`, location })),
  )
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

test.each(cases.map((it, at) => [...it, at] as const))("%s for %j: %s", async (_, __, isServed, at) => {
  const expected = isServed ? "sent.test" : "502"
  for (const by of ["proxy", "grpc"])
    expect([by, await ingress.ask("a", `/l${at}${by}`)]).toEqual([by, expected])
})

test("what one location's session was verified for is not taken for what another's would have to be", async () => {
  expect(await ingress.ask("a", "/first")).toBe("sent.test")
  expect(await ingress.ask("a", "/first")).toBe("resumed")
  expect(await ingress.ask("a", "/second")).toBe("502")
  expect(await ingress.ask("a", "/first")).toBe("sent.test")
})

test("the log says what is wrong", () => {
  const log = ingress.nginx.errorLog()
  expect(log).toContain("certificate verify failed")
  expect(log).not.toMatch(/\[alert\]|panic|signal/)
})

test.each([
  [
    "proxy_pass http://127.0.0.1:1; ingress_endpoint_names a;",
    "needs a location that passes requests on in TLS",
  ],
  ["proxy_pass https://127.0.0.1:1; ingress_endpoint_names a;", 'with "proxy_ssl_verify" or'],
  ["ingress_endpoint_names a; ingress_endpoint_names b;", '"ingress_endpoint_names" directive is duplicate'],
  ['ingress_endpoint_names "";', '"ingress_endpoint_names" directive has an empty name'],
  ["ingress_endpoint_names;", 'invalid number of arguments in "ingress_endpoint_names"'],
])("%s", async (text, message) => {
  const writer = await zoneWriter()
  const { output } = await checkConf((site) => confOf(site, writer, { locations: `location @x { ${text} }` }))
  expect(output).toContain(message)
})
