import { createServer, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { describe, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { cert, key } from "../../../harness/tls.ts"
import { until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"
import { proxied, startHost } from "./support/host.ts"

/** An endpoint that answers with its name, the port, and knows its connections. */
async function endpoint({ isClosing = false, isTls = false } = {}) {
  const open = new Set<Socket>()
  const seen = { opened: 0 }
  const answer = (_: unknown, response: ServerResponse) => {
    if (isClosing) response.setHeader("connection", "close")
    response.end(name)
  }
  const options = { keepAliveTimeout: keptMs }
  const server = isTls ? createTlsServer({ ...options, key, cert }, answer) : createServer(options, answer)
  server.on("connection", (socket) => {
    seen.opened += 1
    open.add(socket)
    socket.on("close", () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const name = String(port)
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { port, name, open, seen, [Symbol.asyncDispose]: stop }
}

const LEAN = "configure: callbacks upstream_select"

/** `/<port>` leads to that endpoint. */
function serve(select: string, ...ports: number[]): Promise<Nginx> {
  const places = ports.map((port) => proxied(`/${port}`, `${LEAN} | select: upstream 127.0.0.1 ${port}`))
  return startHost(() => ({
    http: `upstream chosen { server 127.0.0.1:1; wasm_upstream_select ${select}; }`,
    server: places.join(""),
  }))
}

async function ask(nginx: Nginx, ...ports: number[]): Promise<void> {
  for (const port of ports) expect((await nginx.get(`/${port}`)).body).toBe(String(port))
}

describe("a connection to an endpoint", () => {
  test("serves the next request to this endpoint, and none to another", async () => {
    await using a = await endpoint()
    await using b = await endpoint()
    await using nginx = await serve("keepalive=4", a.port, b.port)
    await ask(nginx, a.port, b.port, a.port, a.port, b.port)
    expect([a.seen.opened, b.seen.opened]).toEqual([1, 1])
  })

  test("is not kept without keepalive=N", async () => {
    await using a = await endpoint()
    await using nginx = await serve("", a.port)
    await ask(nginx, a.port, a.port)
    expect(a.seen.opened).toBe(2)
  })

  test("that the endpoint closes while it waits is given up", async () => {
    await using a = await endpoint()
    await using nginx = await serve("keepalive=4", a.port)
    await ask(nginx, a.port)
    for (const socket of a.open) socket.end()
    await until("nginx to close its side", () => a.open.size === 0)
    await ask(nginx, a.port)
    expect(a.seen.opened).toBe(2)
    expect(nginx.errorLog()).not.toContain("[error]")
  })

  test("is closed when there are more than N, the one that waited longest first", async () => {
    await using a = await endpoint()
    await using b = await endpoint()
    await using c = await endpoint()
    await using nginx = await serve("keepalive=2", a.port, b.port, c.port)
    await ask(nginx, a.port, b.port, a.port, c.port)
    await until("the one to b to be closed", () => b.open.size === 0)
    await ask(nginx, a.port, c.port)
    expect([a.seen.opened, b.seen.opened, c.seen.opened]).toEqual([1, 1, 1])
  })

  test("is closed after keepalive_requests", async () => {
    await using a = await endpoint()
    await using nginx = await serve("keepalive=4 keepalive_requests=2", a.port)
    await ask(nginx, a.port, a.port, a.port, a.port)
    expect(a.seen.opened).toBe(2)
  })

  test("is closed when it has waited for keepalive_timeout", async () => {
    await using a = await endpoint()
    await using nginx = await serve("keepalive=4 keepalive_timeout=100ms", a.port)
    await ask(nginx, a.port)
    await until("nginx to close it", () => a.open.size === 0)
    await ask(nginx, a.port)
    expect(a.seen.opened).toBe(2)
  })

  test("is closed after a request when it is older than keepalive_time", async () => {
    // On a busy machine it may be too old after the first one.
    await until("a connection that gets too old between two requests", async () => {
      await using a = await endpoint()
      await using nginx = await serve("keepalive=4 keepalive_time=200ms", a.port)
      await ask(nginx, a.port)
      await letPass(300, "the connection gets older than 200 ms")
      await ask(nginx, a.port)
      await until("nginx to close it", () => a.open.size === 0)
      return a.seen.opened === 1
    })
  })

  test("is not kept when the endpoint says close", async () => {
    await using a = await endpoint({ isClosing: true })
    await using nginx = await serve("keepalive=4", a.port)
    await ask(nginx, a.port, a.port)
    await until("both connections to close", () => a.open.size === 0)
    expect(a.seen.opened).toBe(2)
  })

  test.each([
    ["HTTP/1.0", `proxy_http_version 1.0; proxy_set_header Connection "";`],
    ["Connection: close", "proxy_http_version 1.1; proxy_set_header Connection close;"],
  ])("is not kept for a location that asks with %s", async (_, directives) => {
    await using a = await endpoint()
    const script = `${LEAN} | select: upstream 127.0.0.1 ${a.port}`
    await using nginx = await startHost(() => ({
      http: "upstream chosen { server 127.0.0.1:1; wasm_upstream_select keepalive=4; }",
      server: `location / { proxy_wasm probe '${script}'; ${directives} proxy_pass http://chosen; }`,
    }))
    for (let i = 0; i < 2; i++) expect((await nginx.get("/")).body).toBe(a.name)
    await until("both connections to close", () => a.open.size === 0)
    expect(a.seen.opened).toBe(2)
  })

  test("with TLS is kept, closed and told from one without", async () => {
    await using a = await endpoint({ isTls: true })
    await using other = await endpoint()
    const script = (tls: number) => `${LEAN} | select: upstream 127.0.0.1 ${a.port} ${tls}`
    const secret = `location /s { proxy_wasm probe '${script(1)}'; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass https://chosen; }`
    await using nginx = await startHost(() => ({
      http: `upstream chosen { server 127.0.0.1:1; wasm_upstream_select keepalive=1; }`,
      server:
        secret +
        proxied("/plain", script(0)) +
        proxied(`/${other.port}`, `${LEAN} | select: upstream 127.0.0.1 ${other.port}`),
    }))
    expect((await nginx.get("/s")).body).toBe(a.name)
    expect((await nginx.get("/s")).body).toBe(a.name)
    expect(a.seen.opened).toBe(1)
    // Three attempts, each over a connection of its own: plain text over the waiting one would have been answered.
    expect((await nginx.get("/plain")).status).toBe(502)
    expect(a.seen.opened).toBe(4)
    await ask(nginx, other.port)
    await until("the waiting one to make room", () => a.open.size === 0)
    expect(nginx.errorLog()).not.toContain("[alert]")
  })
})

describe("all waiting connections", () => {
  test("are closed by a worker that ends, whether it reloads or stops", async () => {
    await using a = await endpoint()
    await using nginx = await serve("keepalive=4", a.port)
    await ask(nginx, a.port)
    await nginx.reload()
    await until("the old worker's connection to close", () => a.open.size === 0)
    await ask(nginx, a.port)
    expect(a.seen.opened).toBe(2)
    expect(nginx.errorLog()).not.toContain("open socket")
  })

  test("lead where they say under load, with more endpoints than places", async () => {
    const endpoints = await Promise.all(Array.from({ length: 24 }, () => endpoint()))
    await using nginx = await serve("keepalive=9", ...endpoints.map(({ port }) => port))
    const wrong: string[] = []
    const load = startLoad({
      port: nginx.port,
      connections: 16,
      requests: 3000,
      question: (n) => ({ path: `/${endpoints[(n * n) % 24]?.port}` }),
      onAnswer: (answer, _, question) => {
        if (`/${answer.body}` !== question.path) wrong.push(`${question.path}: ${answer.body}`)
      },
    })
    const { statuses, lost } = await load.done
    expect([[...statuses], lost, wrong]).toEqual([[[200, 3000]], [], []])
    const open = endpoints.reduce((sum, one) => sum + one.open.size, 0)
    await until("all but nine to close", () => endpoints.reduce((sum, one) => sum + one.open.size, 0) <= 9)
    expect(open).toBeGreaterThan(0)
    for (const one of endpoints) await one[Symbol.asyncDispose]()
  })
})
