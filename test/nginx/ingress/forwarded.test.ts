// What proxies in front say: `ingress_set_request_header`, which comes before the client's address is looked for, and the host they were asked.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { answering, confOf, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { rawRequest } from "./support/raw.ts"

const shown =
  "$remote_addr|$http_x_client|$http_x_forwarded_for|$ingress_forwarded_host|$http_x_never|$http_x_odd"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    listen: "proxy_protocol",
    http: `
      real_ip_header X-Client; set_real_ip_from 127.0.0.1;
      ingress_set_request_header X-Client $proxy_protocol_addr;
      ingress_set_request_header X-Never "";
      ingress_set_request_header X-Odd $arg_odd;`,
    locations: answering("plain", shown),
  })
  await ingress.route("_", [{ location: "plain" }])
})
afterAll(() => ingress[Symbol.asyncDispose]())

/** What nginx knows of a request with these header lines, that came through a proxy from 192.0.2.7. */
async function known(lines = "", path = "/"): Promise<string> {
  const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n`
  const text = await rawRequest(ingress.port, `PROXY TCP4 192.0.2.7 192.0.2.1 4711 80\r\n${head}`)
  return text.slice(text.indexOf("\r\n\r\n") + 4)
}

test("the header is there when the client's address is looked for", async () => {
  expect(await known()).toBe("192.0.2.7|192.0.2.7||||")
})

test("it takes the place of the client's own, however many", async () => {
  expect(await known("X-Client: 192.0.2.66\r\nx-client: 192.0.2.67\r\n")).toBe("192.0.2.7|192.0.2.7||||")
})

test("a request of HTTP/0.9, which has no headers, gets it, too", async () => {
  const line = "PROXY TCP4 192.0.2.7 192.0.2.1 4711 80\r\nGET /?odd=1\r\n"
  expect(await rawRequest(ingress.port, line)).toBe("192.0.2.7|192.0.2.7||||1")
  expect(ingress.nginx.errorLog()).not.toContain("exited on signal")
})

test("an empty value leaves the request without", async () => {
  expect(await known("X-Never: 1\r\nX-Odd: 2\r\n")).toBe("192.0.2.7|192.0.2.7||||")
  expect(await known("X-Odd: 2\r\n", "/?odd=1")).toBe("192.0.2.7|192.0.2.7||||1")
})

test("other headers stay as they came", async () => {
  expect(await known("X-Forwarded-For: 192.0.2.8\r\n")).toBe("192.0.2.7|192.0.2.7|192.0.2.8|||")
})

test.each([
  ["myhost.com, another.host", "myhost.com"],
  ["myhost.com:8080", "myhost.com:8080"],
  [" one ,two", "one"],
  [",two", ""],
  ["", ""],
])("the first host of X-Forwarded-Host: %j is %j", async (header, host) => {
  expect(await known(`X-Forwarded-Host: ${header}\r\n`)).toBe(`192.0.2.7|192.0.2.7||${host}||`)
})

describe("a configuration is refused", () => {
  test.each([
    ['"X Y" a', 'invalid header name "X Y"'],
    ["Content-Length 5", 'invalid header name "Content-Length"'],
    ["X-A $no_such", 'unknown "no_such" variable'],
  ])("with ingress_set_request_header %s", async (words, sentence) => {
    const writer = await zoneWriter()
    const http = `ingress_set_request_header ${words};`
    const { ok, output } = await checkConf((site) => confOf(site, writer, { http }))
    expect(ok).toBe(false)
    expect(output).toContain(sentence)
  })
})
