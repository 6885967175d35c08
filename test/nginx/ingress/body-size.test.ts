// nginx measures an announced body when it finds the location of `ingress_route`; the jump measures it again for the named location of the route.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { rawRequest } from "./support/raw.ts"

let backends: Backends
let ingress: Ingress
beforeAll(async () => {
  backends = await startBackends("a")
  const pass = `proxy_pass http://127.0.0.1:${backends[0]?.port};`
  ingress = await startIngress({
    locations: `
      location @small { client_max_body_size 1000; ${pass} }
      location @large { client_max_body_size 100k; ${pass} }
      location @page { client_max_body_size 1000; error_page 413 =413 @toobig; ${pass} }
      location @toobig { return 413 "too big for $service_name"; }`,
  })
  await ingress.route("_", [
    { path: "/small", location: "small" },
    { path: "/large", location: "large" },
    { path: "/page", location: "page", service_name: "cart" },
    { path: "/raised", location: "small", clientMaxBodyBytes: 5000 },
    { path: "/lowered", location: "large", clientMaxBodyBytes: 5000 },
    { path: "/unlimited", location: "small", clientMaxBodyBytes: 0 },
  ])
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backends.stop()
})

const statusLine = (text: string) => /^HTTP\/1.1 (\d+)/.exec(text)?.[1]

async function announced(path: string, bytes: number): Promise<string> {
  const { status } = await ingress.nginx.get(path, { method: "POST", body: "x".repeat(bytes) })
  return String(status)
}

async function chunked(path: string, bytes: number): Promise<string | undefined> {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunks = Array.from({ length: bytes / 100 }, () => `64\r\n${"x".repeat(100)}\r\n`)
  return statusLine(await rawRequest(ingress.port, head, `${chunks.join("")}0\r\n\r\n`))
}

test.each([
  ["/small", 1000, "200"],
  ["/small", 1100, "413"],
  ["/large", 102_400, "200"],
  ["/large", 102_500, "413"],
  ["/raised", 5000, "200"],
  ["/raised", 5100, "413"],
  ["/lowered", 5000, "200"],
  ["/lowered", 5100, "413"],
  ["/unlimited", 2_000_000, "200"],
])("%s takes %i bytes: %s", async (path, bytes, status) => {
  expect(await announced(path, bytes)).toBe(status)
  expect(await chunked(path, bytes)).toBe(status)
})

test("the refusal is the location's: its error page applies", async () => {
  const { status, body } = await ingress.nginx.get("/page", { method: "POST", body: "x".repeat(2000) })
  expect([status, body]).toEqual([413, "too big for cart"])
})

test("a client that asks first is not told to go on", async () => {
  const head =
    "POST /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n"
  expect(statusLine(await rawRequest(ingress.port, head))).toBe("413")
})

test("a client that asks first and may go on is told so", async () => {
  const head =
    "POST /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
  expect(await rawRequest(ingress.port, head, "abc")).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/)
})
