// CORS where a location refuses requests, and what clients send that are no browsers.
import { afterAll, beforeAll, expect, test } from "vitest"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { rawRequest } from "./support/raw.ts"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    http: "ingress_set_header Access-Control-Max-Age 5; ingress_set_header Vary Cookie;",
    locations: `${answering("plain", "plain")}
      location @login { auth_basic "closed"; auth_basic_user_file /dev/null; try_files /x =204; }
      location @nobody { deny all; try_files /x =204; }
      location @moved { return 302 /elsewhere; }
      location @page { error_page 403 @error; deny all; try_files /x =204; }
      location @error { return 404 "page"; }`,
  })
})
afterAll(() => ingress[Symbol.asyncDispose]())

const a = "https://a.test"

/** Status and header lines about CORS of the answer to a request with these lines. */
async function lines(request: string, ...more: readonly string[]): Promise<string[]> {
  const all = [request, "Host: a", "Connection: close", ...more, "", ""]
  const [head = ""] = (await rawRequest(ingress.port, all.join("\r\n"))).split("\r\n\r\n")
  const [status = "", ...headers] = head.split("\r\n")
  const own = headers.filter((line) => /^(access-control-|vary)/i.test(line))
  return [status.split(" ")[1] ?? "", ...own]
}

const get = (...more: readonly string[]) => lines("GET / HTTP/1.1", ...more)
const preflight = (...more: readonly string[]) => lines("OPTIONS / HTTP/1.1", ...more)

const vary = ["Vary: Cookie", "Vary: Origin"]
const allowed = (origin: string) => [
  ...vary,
  `Access-Control-Allow-Origin: ${origin}`,
  "Access-Control-Allow-Methods: GET",
  "Access-Control-Allow-Headers: Range",
  "Access-Control-Max-Age: 600",
]

test.each([
  ["login", "401"],
  ["nobody", "403"],
  ["moved", "302"],
])("a refusal of the location says it, and a preflight comes before: @%s", async (location, status) => {
  await ingress.route("_", [{ location, cors: { origins: [a] } }])
  expect(await get(`Origin: ${a}`)).toEqual([status, ...allowed(a)])
  expect(await get("Origin: https://b.test")).toEqual([status, "Access-Control-Max-Age: 5", ...vary])
  expect(await preflight(`Origin: ${a}`)).toEqual(["204", ...allowed(a)])
  expect((await preflight("Origin: https://b.test"))[0]).toBe(status)
})

test("an error page has it, but not the route's other headers", async () => {
  await ingress.route("_", [{ location: "page", cors: { origins: [a] }, headers: [["Vary", "X-Route"]] }])
  expect(await get(`Origin: ${a}`)).toEqual(["403", ...allowed(a)])
  await ingress.route("_", [{ location: "page" }])
  expect(await get(`Origin: ${a}`)).toEqual(["403", "Access-Control-Max-Age: 5", "Vary: Cookie"])
})

test("the route's own headers come before it", async () => {
  const headers = [
    ["Access-Control-Allow-Origin", "*"],
    ["Vary", "Origin"],
  ] as const
  await ingress.route("_", [{ cors: { origins: [a] }, headers }])
  expect(await get(`Origin: ${a}`)).toEqual(["200", "Vary: Origin", ...allowed(a).slice(vary.length)])
  expect(await get()).toContain("Access-Control-Allow-Origin: *")
})

test("what no browser sends is not allowed, and nothing of it is echoed", async () => {
  await ingress.route("_", [{ cors: { origins: [a, "https://*.b.test", "null"] } }])
  for (const origin of [
    "",
    "*",
    "nullnull",
    `${a} ${a}`,
    `${a},${a}`,
    `${a}/`,
    `${a}\u0001`,
    "https://.b.test",
    "https://*.b.test",
    "https://x.b.test:443",
    "https://x\t.b.test",
    `https://${"x".repeat(4000)}/.b.test`,
    `https://${"a.".repeat(2000)}b.test`,
  ]) {
    const [status, ...headers] = await get(`Origin: ${origin}`)
    if (status !== "400") expect([status, ...headers]).toEqual(["200", "Access-Control-Max-Age: 5", ...vary])
  }
  expect(await get("ORIGIN:  HTTPS://x-1.B.test  ")).toEqual(["200", ...allowed("HTTPS://x-1.B.test")])
})

test("of two lines the first counts, and one answer has one origin", async () => {
  await ingress.route("_", [{ cors: { origins: [a, "https://b.test"] } }])
  expect(await get(`Origin: ${a}`, "Origin: https://b.test")).toEqual(["200", ...allowed(a)])
  expect((await get("Origin: https://c.test", `Origin: ${a}`))[1]).toBe("Access-Control-Max-Age: 5")
})

test("a request of HTTP/0.9, which has no headers, is answered", async () => {
  for (const origins of [["*"], [a]]) {
    await ingress.route("_", [{ cors: { origins } }])
    expect(await rawRequest(ingress.port, "GET /\r\n")).toBe("plain")
  }
  expect(ingress.nginx.errorLog()).not.toContain("exited on signal")
})

test("a preflight over a kept connection takes its body, and the next request is answered", async () => {
  await ingress.route("_", [{ cors: { origins: ["*"] } }])
  const body = "x".repeat(70_000)
  const first = `OPTIONS / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const answers = await rawRequest(
    ingress.port,
    `${first}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  )
  expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 204", "HTTP/1.1 200"])
})
