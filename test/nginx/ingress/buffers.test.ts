// A route's proxyBuffersNumber: of the response's head, of its body in memory and in a file, of the request's body.
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"

/** Larger than what the sockets between backend, nginx and client hold. */
const MANY_BYTES = 24 << 20

let began: ServerResponse | undefined
let arriving: IncomingMessage | undefined
const backend = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
  const url = new URL(request.url ?? "/", "http://a")
  if (url.pathname === "/head") response.setHeader("x-long", "x".repeat(6000)).end("head")
  else if (url.pathname === "/many") response.end(Buffer.alloc(MANY_BYTES))
  else if (url.pathname === "/parts") {
    response.setHeader("content-length", 10).write("first")
    began = response
  } else {
    arriving = request
    request.resume().on("end", () => response.end("taken"))
  }
})

let ingress: Ingress
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
  const port = (backend.address() as AddressInfo).port
  ingress = await startIngress({
    locations: `
      location @plain { proxy_pass http://127.0.0.1:${port}; }
      location @direct { proxy_buffering off; proxy_request_buffering off; proxy_http_version 1.1; proxy_pass http://127.0.0.1:${port}; }
      location @own { proxy_busy_buffers_size 12k; proxy_temp_file_write_size 64k; proxy_pass http://127.0.0.1:${port}; }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  backend.closeAllConnections()
  backend.close()
})

/** Sends a request and gives the socket, on which nothing is read yet. */
async function begin(path: string, more = ""): Promise<Socket> {
  const socket = connect(ingress.port, "127.0.0.1").pause()
  await once(socket, "connect")
  socket.write(`GET ${path} HTTP/1.0\r\nHost: a\r\n${more}\r\n`)
  return socket
}

async function bytesOf(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length
  })
  socket.resume()
  await once(socket, "close")
  return bytes
}

/** What the error log says while `run` goes on. */
async function logged(run: (said: () => string) => Promise<void>): Promise<string> {
  const before = ingress.nginx.errorLog().length
  const said = () => ingress.nginx.errorLog().slice(before)
  await run(said)
  return said()
}

const pause = () => letPass(300, "nginx does what it must not do")

test("a head that is larger than the location's buffer fits into the route's", async () => {
  await ingress.route("_", [{ path: "/head" }])
  expect(await ingress.ask("a", "/head")).toBe("502")
  await ingress.route("_", [{ path: "/head", proxyBufferBytes: 8192 }])
  expect(await ingress.ask("a", "/head")).toBe("head")
})

/** Whether nginx writes a file while the client of a large response does not read has to be so. */
async function expectFile(isWritten: boolean, route: object): Promise<void> {
  const line = "an upstream response is buffered to a temporary file"
  await ingress.route("_", [{ path: "/many", ...route }])
  const log = await logged(async (said) => {
    const socket = await begin("/many")
    if (isWritten) await until("the file", () => said().includes(line))
    else await pause()
    expect(await bytesOf(socket)).toBeGreaterThan(MANY_BYTES)
  })
  expect(log.includes(line)).toBe(isWritten)
}

test("a response that its buffers do not hold goes to a file, unless the route has more of them or no file", async () => {
  await expectFile(true, {})
  await expectFile(false, { proxyBuffersNumber: MANY_BYTES / 4096 + 8 })
  await expectFile(false, { proxyMaxTempFileBytes: 0 })
  await expectFile(true, { proxyMaxTempFileBytes: 1 << 20 })
})

test.each([
  { location: "plain", proxyBufferBytes: 1 << 16, proxyBuffersNumber: 1, proxyBusyBuffersBytes: 1 },
  { location: "plain", proxyBuffersNumber: 1 },
  {
    location: "plain",
    proxyBufferBytes: 1024,
    proxyBuffersNumber: 2,
    proxyBusyBuffersBytes: 1 << 30,
    proxyMaxTempFileBytes: 1,
  },
  { location: "own", proxyBufferBytes: 1 << 17, proxyMaxTempFileBytes: 1 },
  { location: "own", proxyBusyBuffersBytes: 1, proxyMaxTempFileBytes: 1 << 20 },
])("numbers that do not fit together are made to: %o", async (numbers) => {
  await ingress.route("_", [{ path: "/many", ...numbers }])
  const log = await logged(async () => {
    expect(await bytesOf(await begin("/many"))).toBeGreaterThan(MANY_BYTES)
    const late = await begin("/many")
    await pause()
    expect(await bytesOf(late)).toBeGreaterThan(MANY_BYTES)
  })
  expect(log).not.toMatch(/\[(alert|emerg|crit|error)\]/)
})

/** Whether the first part of a response comes before the second was made has to be so. */
async function expectParts(arePassed: boolean, route: object): Promise<void> {
  await ingress.route("_", [{ path: "/parts", ...route }])
  began = undefined
  const socket = await begin("/parts")
  let text = ""
  socket.on("data", (chunk: Buffer) => {
    text += chunk
  })
  socket.resume()
  await until("the backend to begin", () => began !== undefined)
  if (arePassed) await until("the first part", () => text.includes("first"))
  else await pause()
  expect(text.includes("first")).toBe(arePassed)
  const closed = once(socket, "close")
  ;(began as ServerResponse | undefined)?.end("-last")
  await closed
  expect(text.endsWith("first-last")).toBe(true)
}

test("buffering", async () => {
  await expectParts(false, {})
  await expectParts(true, { proxyBuffering: false })
  await expectParts(true, { location: "direct" })
  await expectParts(false, { location: "direct", proxyBuffering: true })
})

/** Whether a request reaches the backend before its body is complete has to be so. */
async function expectRequest(isPassed: boolean, route: object): Promise<void> {
  await ingress.route("_", [{ path: "/take", ...route }])
  arriving = undefined
  const socket = await begin("/take", "Content-Length: 10\r\n")
  socket.resume().write("first")
  if (isPassed) await until("the request", () => arriving !== undefined)
  else await pause()
  expect(arriving !== undefined).toBe(isPassed)
  socket.write("-last")
  await once(socket, "close")
  expect(arriving).toBeDefined()
}

test("request buffering", async () => {
  await expectRequest(false, {})
  await expectRequest(true, { proxyRequestBuffering: false })
  await expectRequest(true, { location: "direct" })
  await expectRequest(false, { location: "direct", proxyRequestBuffering: true })
})

test("the buffer of a request's body", async () => {
  const writesFile = async (clientBodyBufferBytes?: number) => {
    const number = clientBodyBufferBytes === undefined ? {} : { clientBodyBufferBytes }
    await ingress.route("_", [{ path: "/take", ...number }])
    const log = await logged(async () => {
      const { body } = await ingress.nginx.get("/take", { method: "POST", body: "x".repeat(100_000) })
      expect(body).toBe("taken")
    })
    return log.includes("a client request body is buffered to a temporary file")
  }
  expect(await writesFile()).toBe(false)
  expect(await writesFile(1024)).toBe(true)
  expect(await writesFile(200_000)).toBe(false)
})
