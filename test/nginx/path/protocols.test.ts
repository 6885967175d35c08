// Backends are spoken to as their Ingress says, over connections that no other Ingress takes over, from the annotation to the wire.
import { connect } from "node:http2"
import { expect, test } from "vitest"
import { tlsData } from "../../../harness/certificates.ts"
import { call, GrpcServer } from "../../../harness/grpc.ts"
import { ingress, secret, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { type Seen, startEndpoint } from "../../support/endpoint.ts"
import { FastCgiServer } from "../../support/fastcgi.ts"
import { Site } from "./site.ts"

const named = (name: string) => ({
  "backend-protocol": "HTTPS",
  "proxy-ssl-secret": "demo/tls",
  "proxy-ssl-server-name": "on",
  "proxy-ssl-name": name,
})

const sends = (more: Record<string, string>) => ({
  "backend-protocol": "HTTPS",
  "proxy-ssl-server-name": "on",
  ...more,
})

/** Host → annotations, and how the one endpoint of all has to see its requests. */
const kinds: Record<string, { annotations: Record<string, string>; as: Partial<Seen> }> = {
  "http.test": { annotations: {}, as: { protocol: "h1" } },
  "https.test": { annotations: { "backend-protocol": "HTTPS" }, as: { protocol: "h1", tls: "" } },
  "grpc.test": { annotations: { "backend-protocol": "GRPC" }, as: { protocol: "h2" } },
  "grpcs.test": { annotations: { "backend-protocol": "GRPCS" }, as: { protocol: "h2", tls: "" } },
  "a.test": { annotations: named("a.internal"), as: { protocol: "h1", tls: "a.internal" } },
  "b.test": { annotations: named("b.internal"), as: { protocol: "h1", tls: "b.internal" } },
  "c.test": {
    annotations: sends({ "proxy-ssl-name": "c.internal" }),
    as: { protocol: "h1", tls: "c.internal" },
  },
  "d.test": {
    annotations: sends({ "upstream-vhost": "d.internal:8443" }),
    as: { protocol: "h1", tls: "d.internal" },
  },
  "e.test": { annotations: sends({}), as: { protocol: "h1", tls: "" } },
}

/** A location that nobody had before comes with a reload, after which each new worker takes its first connections. */
async function untilServed(site: Site, ...hosts: readonly string[]): Promise<void> {
  const isServed = async (host: string) => (await site.get("/", { host })).status !== 404
  for (const host of hosts) await until(`${host} to be served`, () => isServed(host))
}

test("all protocols at once, to one endpoint that speaks them all", async () => {
  await using endpoint = await startEndpoint()
  await using site = await Site.start([])
  const hosts = Object.entries(kinds)
  await site.put(
    secret("demo/tls", tlsData),
    ...serviceOn("demo/all", [endpoint.port]),
    ...hosts.map(([host, { annotations }]) => ingress(`demo/${host}`, `${host}/ → all:80`, annotations)),
  )
  await untilServed(site, ...Object.keys(kinds))
  const requests = 240
  for (let n = 0; n < requests; n++) {
    const [host, { as }] = hosts[(n * n + (n >> 2)) % hosts.length] as (typeof hosts)[number]
    const { status, body } = await site.get("/", { host })
    expect([host, status]).toEqual([host, 200])
    const { connection: _connection, isResumed: _resumed, ...seen } = JSON.parse(body) as Seen
    expect(seen, host).toEqual(as)
  }
  // Kept by each of four workers, not opened for each request.
  expect(endpoint.connections).toBeLessThan(requests / 2)
})

test("gRPC with its trailers, over the listener with TLS", async () => {
  await using server = await new GrpcServer("a").start()
  await using site = await Site.start([])
  await site.put(
    ...serviceOn("demo/grpc", [server.port]),
    ingress("demo/grpc", "grpc.test/ → grpc:80", { "backend-protocol": "GRPC" }),
  )
  await untilServed(site, "grpc.test")
  const options = { rejectUnauthorized: false, servername: "grpc.test" }
  const session = connect(`https://127.0.0.1:${site.wick.httpsPort}`, options)
  for (const text of ["one", "two"]) {
    const reply = await call(session, "/echo/say", text)
    expect(reply).toMatchObject({ status: 200, messages: [`a ${text}`], grpcStatus: "0" })
    expect(reply.trailers).toMatchObject({ "x-last": "a" })
  }
  session.destroy()
})

test("FastCGI", async () => {
  await using server = await new FastCgiServer(
    ({ params, body }) => `Content-Type: text/plain\r\n\r\n${params.get("SCRIPT_NAME")} ${body}`,
  ).start()
  await using site = await Site.start([])
  await site.put(
    ...serviceOn("demo/app", [server.port]),
    ingress("demo/app", "foo.test/ → app:80", { "backend-protocol": "FCGI" }),
  )
  await untilServed(site, "foo.test")
  expect((await site.get("/run.php", { method: "POST", body: "text" })).body).toBe("/run.php text")
})
