// Numbers of routes to gRPC and FastCGI locations: the proxy module's names, as far as those protocols have such numbers.
import { once } from "node:events"
import { createServer, type Http2Server, type Http2ServerRequest } from "node:http2"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import type { Route } from "../../../harness/ingress/records.ts"
import { type FastCgi, fastCgi } from "./support/fastcgi.ts"

const LONG_HEAD = "x".repeat(6000)
/** Bits of `proxy_next_upstream`. */

let grpcRequests = 0
let grpc: Http2Server
let fcgi: FastCgi
let fcgiAnswer: string | undefined = "Status: 200\r\n\r\nfastcgi"
let ingress: Ingress

beforeAll(async () => {
  grpc = createServer({}, (request, response) => {
    grpcRequests += 1
    if (request.url === "/late") setTimeout(() => response.end("grpc"), 300)
    else if (request.url === "/never") return
    else if (request.url === "/head") response.writeHead(200, { "x-long": LONG_HEAD }).end("grpc")
    else if (request.url === "/busy") onceSettled(request, () => response.writeHead(503).end())
    else response.end("grpc")
  }).listen(0, "127.0.0.1")
  await once(grpc, "listening")
  fcgi = await fastCgi(() => fcgiAnswer)
  const servers = (port: number) => `server 127.0.0.1:${port} max_fails=0; `.repeat(4)
  ingress = await startIngress({
    http: `upstream grpc { ${servers((grpc.address() as AddressInfo).port)} } upstream fcgi { ${servers(fcgi.port)} }`,
    locations: `
      location @grpc { grpc_read_timeout 2m; grpc_next_upstream off; grpc_pass grpc://grpc; }
      location @fcgi { fastcgi_read_timeout 2m; fastcgi_next_upstream off; fastcgi_pass fcgi; }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await fcgi[Symbol.asyncDispose]()
  grpc.close()
})

/**
 * Waits until nginx has acknowledged the settings. While it has not, its acknowledgement is left over when a response makes it try again, and goes out
 * on the next connection (1.22, ngx_http_grpc_reinit_request keeps `ctx->out`); there are two then, which Node's HTTP/2 takes for a protocol error and
 * may close the connection before it has answered.
 */
function onceSettled({ stream }: Http2ServerRequest, act: () => void): void {
  const { session } = stream
  if (session?.pendingSettingsAck) session.once("localSettings", act)
  else act()
}

async function ask(location: string, path: string, numbers: Route): Promise<string> {
  await ingress.route("_", [{ location, ...numbers }])
  return ingress.ask("a", path)
}

test("gRPC: the read timeout", async () => {
  expect(await ask("grpc", "/late", {})).toBe("grpc")
  expect(await ask("grpc", "/never", { proxyReadTimeoutMs: 100 })).toBe("504")
})

test("gRPC: the buffer of the response's head", async () => {
  expect(await ask("grpc", "/head", {})).toBe("502")
  expect(await ask("grpc", "/head", { proxyBufferBytes: 16_384 })).toBe("grpc")
})

test("gRPC: conditions and number of tries", async () => {
  const tried = async (numbers: Route) => {
    const before = grpcRequests
    expect(await ask("grpc", "/busy", numbers)).toBe("503")
    return grpcRequests - before
  }
  expect(await tried({})).toBe(1)
  expect(await tried({ proxyNextUpstream: "http_503" })).toBe(4)
  expect(await tried({ proxyNextUpstream: "http_503", proxyNextUpstreamTries: 2 })).toBe(2)
  expect(await tried({ proxyNextUpstream: "error" })).toBe(1)
})

test("gRPC: numbers that it does not have change nothing", async () => {
  const numbers = {
    proxyBuffering: true,
    proxyRequestBuffering: true,
    proxyBuffersNumber: 2,
    proxyBusyBuffersBytes: 1,
    proxyMaxTempFileBytes: 1,
  }
  expect(await ask("grpc", "/", numbers)).toBe("grpc")
})

test("FastCGI: the read timeout, and tries after it", async () => {
  expect(await ask("fcgi", "/", {})).toBe("fastcgi")
  fcgiAnswer = undefined
  const before = fcgi.requests
  expect(await ask("fcgi", "/", { proxyReadTimeoutMs: 100 })).toBe("504")
  expect(fcgi.requests - before).toBe(1)
  expect(
    await ask("fcgi", "/", {
      proxyReadTimeoutMs: 100,
      proxyNextUpstream: "timeout",
      proxyNextUpstreamTries: 3,
    }),
  ).toBe("504")
  expect(fcgi.requests - before).toBe(4)
})

test("FastCGI: the buffers of the response", async () => {
  fcgiAnswer = `X-Long: ${LONG_HEAD}\r\n\r\nfastcgi`
  expect(await ask("fcgi", "/", {})).toBe("502")
  expect(
    await ask("fcgi", "/", { proxyBufferBytes: 16_384, proxyBuffersNumber: 1, proxyBusyBuffersBytes: 1 }),
  ).toBe("fastcgi")
  fcgiAnswer = `Status: 200\r\n\r\n${"x".repeat(1 << 20)}`
  expect(await ask("fcgi", "/", { proxyBuffering: false })).toHaveLength(1 << 20)
  expect(
    await ask("fcgi", "/", { proxyBufferBytes: 1024, proxyBuffersNumber: 2, proxyMaxTempFileBytes: 0 }),
  ).toHaveLength(1 << 20)
})
