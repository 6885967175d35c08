import { type ClientHttp2Session, connect } from "node:http2"
import { describe, expect, test } from "vitest"
import { Call, call, GrpcServer } from "../../../harness/grpc.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { startHost, traces } from "./support/host.ts"
import { record } from "./support/record.ts"

const LEAN = "configure: callbacks upstream_select,upstream_info"

interface Options {
  readonly select?: string
  readonly directives?: string
  /** the filter's script, instead of one that goes to the servers in turn, attempt by attempt, and then to the last again */
  readonly script?: string
}

/** nginx between a client of HTTP/2 and servers by path. */
async function serve(
  servers: Readonly<Record<string, readonly GrpcServer[]>>,
  { select = "keepalive=8", directives = "", script }: Options = {},
) {
  const turn = (of: readonly GrpcServer[]) => `turn ${of.map(({ port }) => `127.0.0.1:${port}`).join(" ")}`
  const locations = Object.entries(servers).map(
    ([path, of]) =>
      `location ${path} { proxy_wasm probe '${LEAN} | select: ${script ?? turn(of)} | info: trace'; ${directives} grpc_pass grpc://chosen; }`,
  )
  const nginx = await startHost(
    ({ ports, socket }) => ({
      http: `
upstream chosen { server 127.0.0.1:1; wasm_upstream_select ${select}; }
server { listen unix:${socket}; location / { proxy_wasm rotate role=control; return 404; } }
server { listen 127.0.0.1:${ports[1]} http2; ${locations.join("\n")} }`,
      server: "",
    }),
    { ports: 2 },
  )
  const session = connect(`http://127.0.0.1:${nginx.site.ports[1]}`)
  const stop = async () => {
    session.destroy()
    await nginx.stop()
  }
  return { nginx, session, [Symbol.asyncDispose]: stop }
}

/** Whether attempts failed, in order. */
const failures = (nginx: Nginx) =>
  traces(nginx)
    .filter((line) => line.startsWith("info"))
    .map((line) => line.split(" ")[2])

async function expectWorks(session: ClientHttp2Session, by: GrpcServer): Promise<void> {
  const reply = await call(session, "/echo/say", "ping")
  expect(reply).toMatchObject({ status: 200, messages: [`${by.name} ping`], grpcStatus: "0" })
}

const start = (name: string) => new GrpcServer(name).start()

describe("a call", () => {
  test("brings messages and trailers, and the connection serves the next ones", async () => {
    await using a = await start("a")
    await using host = await serve({ "/": [a] })
    for (let i = 0; i < 5; i++) {
      const reply = await call(host.session, "/echo/say", "one", "", "x".repeat(100_000))
      expect(reply.messages).toEqual(["a one", "a ", `a ${"x".repeat(100_000)}`])
      expect(reply.trailers).toMatchObject({ "grpc-status": "0", "x-last": "a" })
    }
    expect([a.connections, a.calls]).toEqual([1, 5])
    expect(a.lastHeaders).toMatchObject({ te: "trailers", "content-type": "application/grpc" })
    await until("all attempts to be told", () => failures(host.nginx).length === 5)
    expect(failures(host.nginx)).toEqual(["0", "0", "0", "0", "0"])
  })

  test("without keepalive=N has a connection of its own", async () => {
    await using a = await start("a")
    await using host = await serve({ "/": [a] }, { select: "" })
    await expectWorks(host.session, a)
    await expectWorks(host.session, a)
    expect(a.connections).toBe(2)
  })

  test("that fails brings its status, and that is no failure of the endpoint", async () => {
    await using a = await start("a")
    await using host = await serve({ "/": [a] })
    expect(await call(host.session, "/echo/fail", "x")).toMatchObject({
      status: 200,
      messages: [],
      grpcStatus: "5",
    })
    await until("the attempt to be told", () => failures(host.nginx).length === 1)
    expect(failures(host.nginx)).toEqual(["0"])
    await expectWorks(host.session, a)
  })

  test("streams: each message is there before the next one is sent", async () => {
    await using a = await start("a")
    await using host = await serve({ "/": [a] })
    const stream = new Call(host.session, "/echo/say")
    for (const text of ["one", "two", "three"]) {
      const answered = stream.next()
      stream.send(text)
      expect(await answered).toBe(`a ${text}`)
    }
    expect(await stream.end()).toMatchObject({ messages: ["a one", "a two", "a three"], grpcStatus: "0" })
  })

  test("that the client cancels takes its connection along, and no other call notices", async () => {
    await using a = await start("a")
    await using host = await serve({ "/": [a] })
    const streams = Array.from({ length: 3 }, () => new Call(host.session, "/echo/say"))
    for (const stream of streams) {
      const answered = stream.next()
      stream.send("here")
      await answered
    }
    streams[1]?.cancel()
    await until("the attempt to be told", () => failures(host.nginx).length === 1)
    for (const stream of [streams[0], streams[2]]) {
      expect(await stream?.end()).toMatchObject({ messages: ["a here"], grpcStatus: "0" })
    }
    expect(a.connections).toBe(3)
    for (let i = 0; i < 4; i++) await expectWorks(host.session, a)
    expect(a.connections).toBe(3)
  })
})

describe("many calls of one client connection", () => {
  test("go where the filter says, each with its own answers, over connections that are shared", async () => {
    await using a = await start("a")
    await using b = await start("b")
    await using host = await serve({ "/a/": [a], "/b/": [b] }, { select: "keepalive=16" })
    for (let round = 0; round < 5; round++) {
      const replies = Array.from({ length: 60 }, async (_, n) => {
        const name = n % 2 === 0 ? "a" : "b"
        const { messages, grpcStatus } = await call(host.session, `/${name}/say`, `${n}`, `${n * n}`)
        expect([messages, grpcStatus]).toEqual([[`${name} ${n}`, `${name} ${n * n}`], "0"])
      })
      await Promise.all(replies)
    }
    expect([a.calls, b.calls]).toEqual([150, 150])
    expect(a.connections + b.connections).toBeLessThan(300)
    expect(host.nginx.errorLog()).not.toMatch(/\[(alert|crit|error)\]/)
  })
})

describe("a retry", () => {
  test("goes to the next endpoint when the first cannot be reached", async () => {
    const a = await start("a")
    await a.stop()
    await using b = await start("b")
    await using host = await serve({ "/": [a, b] })
    await expectWorks(host.session, b)
    await until("both attempts to be told", () => failures(host.nginx).length === 2)
    expect(failures(host.nginx)).toEqual(["1", "0"])
  })

  test.each([
    ["busy", 503],
    ["reset", 502],
  ])("is not made for a call that was sent, as nginx keeps none of its messages: %s", async (fault, status) => {
    await using a = await start("a")
    await using b = await start("b")
    const directives = "grpc_next_upstream error http_503 non_idempotent;"
    await using host = await serve({ "/": [a, b] }, { directives })
    expect(await call(host.session, `/echo/${fault}`, "ping")).toMatchObject({ status, messages: [] })
    expect([a.calls, b.calls]).toEqual([1, 0])
    await until("the attempt to be told", () => failures(host.nginx).length === 1)
    expect(failures(host.nginx)).toEqual(["1"])
  })
})

describe("a waiting connection", () => {
  test("on which the server says goodbye is not used again", async () => {
    await using a = await start("a")
    await using host = await serve({ "/": [a] })
    await expectWorks(host.session, a)
    a.goAway()
    await until("nginx to close its side", () => a.open === 0)
    for (let i = 0; i < 3; i++) await expectWorks(host.session, a)
    expect(a.connections).toBe(2)
    expect(host.nginx.errorLog()).not.toMatch(/\[(alert|crit|error)\]/)
  })

  test("whose server is gone is not used for the one that comes after it", async () => {
    const a = await start("a")
    await using host = await serve({ "/": [a] })
    await expectWorks(host.session, a)
    await a.stop()
    await a.start()
    await expectWorks(host.session, a)
    await a.stop()
  })
})

test("while the filter is down the host chooses, for gRPC too", async () => {
  await using a = await start("a")
  const select = "keepalive=4 fallback=backends/list"
  await using host = await serve({ "/": [] }, { select, script: "trap" })
  expect((await host.nginx.control("POST", "/", record([a.port]))).status).toBe(201)
  for (let i = 0; i < 3; i++) await expectWorks(host.session, a)
  expect(a.connections).toBe(1)
})
