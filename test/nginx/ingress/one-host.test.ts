// A request is for one host, in whichever of its places that is written: the route, every variable and what other modules see are about that one.
import { once } from "node:events"
import { type ClientHttp2Session, connect } from "node:http2"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isAtLeast, nginxVersion } from "../../../controller/output/nginx/version.ts"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { nginxBinary } from "../../../harness/paths.ts"
import { rawRequest } from "./support/raw.ts"

/** Hosts as RFC 3986 has them, checked by nginx itself. */
const isStrict = isAtLeast(await nginxVersion(nginxBinary), [1, 29, 4])

// `early` is worked out, and kept, by the first handler that asks.
const shown = "$ingress_host $host $http_host $best $early"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    http: `
      map $http_host $best { default $http_host; "" $host; }
      map $http_host $early { default $http_host; "" -; }
      ingress_set_request_header X-Early $early;`,
    locations: answering("plain", shown),
    tls: "",
  })
  for (const host of ["a.test", "b.test", "_"]) await ingress.route(host, [{ location: "plain" }])
})
afterAll(() => ingress[Symbol.asyncDispose]())

const bodyOf = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4)

/** The body of the answer to this request line and Host headers, or its status. */
async function answer(line: string, ...hosts: readonly string[]): Promise<string> {
  const headers = hosts.map((host) => `Host: ${host}\r\n`).join("")
  const text = await rawRequest(ingress.port, `${line}\r\n${headers}Connection: close\r\n\r\n`)
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]
  return status === "200" ? bodyOf(text) : (status ?? text)
}

describe("a target in absolute form is the host, not the header", () => {
  test.each(["1.0", "1.1"])("HTTP/%s", async (version) => {
    expect(await answer(`GET http://a.test/x HTTP/${version}`, "b.test")).toBe(
      "a.test a.test a.test a.test a.test",
    )
    expect(await answer(`GET https://b.test/x HTTP/${version}`, "a.test")).toBe(
      "b.test b.test b.test b.test b.test",
    )
    expect(await answer(`GET http://unknown.test/x HTTP/${version}`, "a.test")).toBe(
      "_ unknown.test unknown.test unknown.test unknown.test",
    )
  })

  test.each([
    ["A.Test", "a.test a.test A.Test A.Test A.Test"],
    ["a.test.", "a.test a.test a.test. a.test. a.test."],
    ["a.test:8080", "a.test a.test a.test:8080 a.test:8080 a.test:8080"],
    ["A.TEST.:8080", "a.test a.test A.TEST.:8080 A.TEST.:8080 A.TEST.:8080"],
    ["a.test:", "a.test a.test a.test: a.test: a.test:"],
    ["[::1]:80", "_ [::1] [::1]:80 [::1]:80 [::1]:80"],
  ])("as it is written: %s", async (authority, expected) => {
    for (const rest of ["/", "/x/y:z@b.test?b.test", "?q=/x", ""])
      expect(await answer(`GET http://${authority}${rest} HTTP/1.1`, "b.test")).toBe(expected)
  })

  test("also without the header, where there need not be one", async () => {
    expect(await answer("GET http://a.test:81/x HTTP/1.0")).toBe(
      "a.test a.test a.test:81 a.test:81 a.test:81",
    )
    expect(await answer("GET http://a.test/x HTTP/1.1")).toBe("400")
    expect(await rawRequest(ingress.port, "GET http://a.test:81/x\r\n")).toBe(
      "a.test a.test a.test:81 a.test:81 a.test:81",
    )
  })

  test.each([
    "user@a.test",
    "user:secret@a.test",
    ":80",
    "",
    ".",
    "a.test:80x",
    "a.test#b.test",
    "a_b@b.test",
  ])("one that is none is refused: %j", async (authority) => {
    expect(await answer(`GET http://${authority}/x HTTP/1.1`, "a.test")).toBe("400")
  })

  test("the next request of the connection has its own", async () => {
    const head = (target: string) => `GET ${target} HTTP/1.1\r\nHost: b.test\r\n`
    const text = await rawRequest(
      ingress.port,
      `${head("http://a.test/")}\r\n${head("/")}\r\n${head("http://a.test:81/")}Connection: close\r\n\r\n`,
    )
    expect(text.split("HTTP/1.1 200 OK").slice(1).map(bodyOf)).toEqual([
      "a.test a.test a.test a.test a.test",
      "b.test b.test b.test b.test b.test",
      "a.test a.test a.test:81 a.test:81 a.test:81",
    ])
  })
})

describe("the Host header", () => {
  test.each([
    ["a.test", "a.test a.test a.test a.test a.test"],
    ["A.TEST", "a.test a.test A.TEST A.TEST A.TEST"],
    ["a.test.", "a.test a.test a.test. a.test. a.test."],
    ["a.test.:81", "a.test a.test a.test.:81 a.test.:81 a.test.:81"],
    ["a.test:", "a.test a.test a.test: a.test: a.test:"],
    ["a_b.test", "_ a_b.test a_b.test a_b.test a_b.test"],
    ["[::1]", "_ [::1] [::1] [::1] [::1]"],
    ["[::1]:81", "_ [::1] [::1]:81 [::1]:81 [::1]:81"],
    ["ä.test", isStrict ? "400" : "_ ä.test ä.test ä.test ä.test"],
  ])("counts without port, dot and case, and stays as it is written: %s", async (host, expected) => {
    expect(await answer("GET /x HTTP/1.1", host)).toBe(expected)
    expect(await answer("GET /x HTTP/1.0", host)).toBe(expected)
  })

  test("of a path with two slashes is the host", async () => {
    expect(await answer("GET //b.test/x HTTP/1.1", "a.test")).toBe("a.test a.test a.test a.test a.test")
  })

  test("may be missing in HTTP/1.0", async () => {
    expect(await answer("GET /x HTTP/1.0")).toBe("_ _  _ -")
    expect(await answer("GET /x HTTP/1.1")).toBe("400")
  })

  test.each([
    "a.test:81@b.test",
    "a.test:@b.test",
    "a.test:x",
    "a.test:81:82",
    "a.test.:8o",
    "user@a.test",
    "user:secret@a.test",
    "a.test?b.test",
    "a.test#b.test",
    "a.test\\b.test",
    "[::1]b.test",
    "[::1].:x",
    "http://a.test",
    "a.test/b.test",
    "a.test b.test",
    "a..test",
    "",
  ])("in which somebody else could read another host is refused: %j", async (host) => {
    expect(await answer("GET /x HTTP/1.1", host)).toBe("400")
    expect(await answer("GET /x HTTP/1.0", host)).toBe("400")
  })

  test("twice is refused, whatever else names the host", async () => {
    for (const line of ["GET /x HTTP/1.1", "GET /x HTTP/1.0", "GET http://a.test/x HTTP/1.1"]) {
      expect(await answer(line, "a.test", "b.test")).toBe("400")
      expect(await answer(line, "a.test", "a.test")).toBe("400")
    }
  })

  test("what was refused is in the log", () => {
    const words = isStrict
      ? /\[info\].* client sent invalid host header .* host: "a\.test:81@b\.test"/
      : /\[info\].* client sent invalid host: "a\.test:81@b\.test"/
    expect(ingress.nginx.errorLog()).toMatch(words)
  })
})

describe("HTTP/2", () => {
  let session: ClientHttp2Session
  beforeAll(async () => {
    session = connect(`https://127.0.0.1:${ingress.tlsPort}`, { rejectUnauthorized: false })
    await once(session, "connect")
  })
  afterAll(() => session.destroy())

  async function ask(headers: Readonly<Record<string, string>>): Promise<string> {
    const stream = session.request({ ":path": "/x", ...headers })
    const [{ ":status": status }] = await once(stream, "response")
    let body = ""
    for await (const piece of stream.setEncoding("utf8")) body += piece
    return status === 200 ? body : String(status)
  }

  test.each([
    ["a.test", "a.test a.test a.test a.test a.test"],
    ["A.TEST.:81", "a.test a.test A.TEST.:81 A.TEST.:81 A.TEST.:81"],
  ])("the host is in :authority, or in the header: %s", async (host, expected) => {
    expect(await ask({ ":authority": host })).toBe(expected)
    expect(await ask({ host })).toBe(expected)
  })

  test("one in both is refused if they differ", async () => {
    expect(await ask({ ":authority": "a.test", host: "b.test" })).toBe("400")
    expect(await ask({ ":authority": "b.test", host: "a.test" })).toBe("400")
  })

  test.each([
    "user@a.test",
    "a.test:81@b.test",
    "a.test:x",
    "a.test?b.test",
    "a.test#b.test",
    "a.test\\b.test",
  ])("what is more than a host is refused: %s", async (host) => {
    expect(await ask({ ":authority": host })).toBe("400")
  })

  test("a path is no target in absolute form", async () => {
    const stream = session.request({ ":authority": "a.test", ":path": "https://b.test/x" })
    const closed = once(stream, "close").then(() => stream.rstCode)
    const status = once(stream, "response").then(([headers]) => headers[":status"])
    stream.on("error", () => {})
    expect(await Promise.race([closed, status])).not.toBe(200)
  })
})
