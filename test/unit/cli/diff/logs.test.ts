import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { parseLogLine } from "../../../../cli/diff/logs/access-log.ts"
import { parseHar } from "../../../../cli/diff/logs/har.ts"
import { placeOf } from "../../../../cli/diff/logs/logged.ts"
import { maxKept, readAccessLog, readHar } from "../../../../cli/diff/logs/read-logs.ts"
import { requestFinder } from "../../../../cli/diff/logs/requests-of-logs.ts"
import type { Ingress } from "../../../../controller/model/objects/ingress.ts"
import { ingress, withTls } from "../../../../harness/manifests.ts"
import { changesOf } from "../../../../harness/translation.ts"
import { ends } from "../../../support/ends.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-diff-logs-"))
afterAll(() => rmSync(folder, { recursive: true }))

const start = '10.0.0.1 - ann [21/Nov/2026:19:16:56 +0000] "GET /cart?a=1 HTTP/1.1" 200 17'
const combined = `${start} "https://from.test/" "curl/8.5.0"`
const ofIngressNginx = `${combined} 92 0.003 [shop-cart-80] [] 10.0.1.7:8080 17 0.003 200 5f2b9c0a71de`

describe("a line of an access log", () => {
  test.each([
    ["common", start, {}],
    ["combined", combined, {}],
    ["of ingress-nginx", ofIngressNginx, { backend: "shop-cart-80" }],
    ["of ingress-nginx without a backend", ofIngressNginx.replace("shop-cart-80", "-"), {}],
  ])("%s", (_, line, more) =>
    expect(parseLogLine(line)).toEqual({ method: "GET", target: "/cart?a=1", ...more }))

  test.each([
    ['{"request":"HEAD /a HTTP/2.0","host":"A.test:443","scheme":"https"}', { method: "HEAD", target: "/a" }],
    [
      '{"method":"GET","path":"/a","request_query":"b=1","vhost":"a.test","x_forwarded_proto":"https"}',
      { method: "GET", target: "/a?b=1" },
    ],
    [
      '{"nginx":{"http_host":"a.test","request_uri":"/a","request_method":"OPTIONS","x-forwarded-proto":"https"}}',
      { method: "OPTIONS", target: "/a" },
    ],
  ])("JSON: %s", (line, found) => {
    expect(parseLogLine(line)).toEqual({ ...found, host: "a.test", scheme: "https" })
  })

  test("what nginx has escaped is what was sent", () => {
    const line = combined.replace("/cart?a=1", "/a\\x22b\\x5C")
    expect(parseLogLine(line)?.target).toBe('/a"b\\')
  })

  test("a target may be a URL", () => {
    const line = combined.replace("/cart?a=1", "http://Other.test:8080/cart")
    expect(parseLogLine(line)).toMatchObject({ host: "other.test", target: "/cart", scheme: "http" })
  })

  test.each([
    "",
    "nonsense",
    combined.replace("GET /cart?a=1 HTTP/1.1", "\\x16\\x03\\x01"),
    "{",
    '{"a":1}',
  ])("no request: %s", (line) => expect(parseLogLine(line)).toBeUndefined())

  test("whatever stands there, a request has a method and a target", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((path) => combined.replace("/cart?a=1", () => path)),
      fc.json(),
    )
    fc.assert(
      fc.property(text, (line) => {
        const found = parseLogLine(line)
        if (found !== undefined) {
          expect(found.method).toMatch(/^[A-Z]+$/)
          expect(found.target).toMatch(/^\//)
        }
      }),
    )
  })

  test("every path that nginx would write is read as it was", () => {
    const path = fc.webPath().filter((it) => it.startsWith("/"))
    fc.assert(
      fc.property(path, fc.webQueryParameters(), (at, query) => {
        const line = ofIngressNginx.replace("/cart?a=1", () => `${at}?${query}`)
        expect(parseLogLine(line)?.target).toBe(`${at}?${query}`)
      }),
    )
  })

  test("a long line takes time in proportion to its length", () => {
    for (const line of [
      `1 - - [${"[".repeat(3_000_000)}`,
      `${start} "${"\\".repeat(3_000_001)}`,
      "[".repeat(3_000_000),
    ])
      expect(ends(() => parseLogLine(line))).toBeUndefined()
  })
})

function har(...requests: readonly object[]): string {
  return JSON.stringify({ log: { version: "1.2", entries: requests.map((request) => ({ request })) } })
}

describe("a HAR", () => {
  const headers = [
    { name: "Accept", value: "text/html" },
    { name: "Cookie", value: "session=1" },
    { name: "Authorization", value: "Bearer 1" },
    { name: ":authority", value: "a.test" },
    { name: "If-None-Match", value: "x" },
  ]
  const text = har({ method: "post", url: "https://A.test:8443/a?b#c", headers, postData: { text: "{}" } })

  test("method, URL, body, and the headers that answers depend on; credentials only if they are wanted", () => {
    const [logged] = parseHar(text, false)
    expect(logged).toEqual({
      method: "POST",
      scheme: "https",
      host: "a.test",
      target: "/a?b",
      headers: { accept: "text/html" },
      body: "{}",
    })
    expect(parseHar(text, true)[0]?.headers).toEqual({
      accept: "text/html",
      cookie: "session=1",
      authorization: "Bearer 1",
    })
  })

  test("what is no request is left out", () => {
    expect(parseHar(har({ method: "GET", url: "data:text/plain,a" }, { url: 1 }, {}), false)).toEqual([])
  })

  test("what is no HAR is said without a word of it", () => {
    for (const bad of ["", "{", "[]", "{}", '{"log":{"entries":"secret"}}', "secret"])
      expect(() => parseHar(bad, false)).toThrow(/^It is no (?:HAR|JSON)(?!.*secret)/)
  })

  test("whatever the JSON, it is read or refused", () => {
    const entry = fc.record({
      request: fc.oneof(
        fc.anything(),
        fc.record({ method: fc.anything(), url: fc.anything(), headers: fc.anything() }),
      ),
    })
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, fc.anything())), (entries) => {
        const written = JSON.stringify({ log: { entries } }, (_, it) => (typeof it === "bigint" ? 1 : it))
        expect(Array.isArray(parseHar(written, true))).toBe(true)
      }),
    )
  })
})

describe("for which host a request was", () => {
  const objects = [
    ingress("shop/cart", ["cart.test/ → cart:80", "cart.test/api → api:80", "*.b.test/ → wild:80"]),
    withTls(ingress("shop/pay", "Pay.test/ → pay:80"), "=pay"),
  ].flatMap((object) => changesOf(object, "logs"))
  const ingresses = objects.flatMap((it) => (it.kind === "set" ? [it.object as Ingress] : []))
  const find = requestFinder({ ingresses, fallback: "" })

  test("the one whose path leads to the backend that the log names", () => {
    const logged = { method: "GET", target: "/api/x", backend: "shop-api-80" }
    expect(find(logged, "log")).toMatchObject({ host: "cart.test", scheme: "http", target: "/api/x" })
    expect(find({ ...logged, backend: "shop-wild-80" }, "log")?.host).toBe("wick-diff.b.test")
  })

  test("the one that the log names, or the one of the command line, or none", () => {
    const logged = { method: "GET", target: "/" }
    expect(find(logged, "log")).toBeUndefined()
    expect(find({ ...logged, host: "c.test", scheme: "https" }, "log")).toMatchObject({
      host: "c.test",
      scheme: "https",
    })
    expect(requestFinder({ ingresses, fallback: "d.test" })(logged, "log")?.host).toBe("d.test")
  })

  test("by HTTPS where the host has a certificate, which a section of TLS without hosts gives to those of the rules", () => {
    const logged = { method: "GET", target: "/", backend: "shop-pay-80" }
    expect(find(logged, "log")).toMatchObject({ host: "pay.test", scheme: "https" })
  })

  test("a log of files, packed or not: each request once, and what could not be used is counted", async () => {
    const lines = [
      ofIngressNginx.replace("shop-cart", "shop-gone"),
      ofIngressNginx,
      ofIngressNginx,
      "nonsense",
      "",
      combined,
    ]
    writeFileSync(join(folder, "access.log"), lines.join("\n"))
    writeFileSync(join(folder, "access.log.gz"), gzipSync(`${lines.join("\r\n")}\r\n`))
    for (const file of ["access.log", "access.log.gz"]) {
      const { requests, unread, withoutHost } = await readAccessLog(join(folder, file), find)
      expect({ hosts: requests.map(({ host }) => host), unread, withoutHost }).toEqual({
        hosts: ["cart.test"],
        unread: 1,
        withoutHost: 2,
      })
    }
  })

  test("what a log has beyond what is kept is counted", async () => {
    const paths = Array.from({ length: maxKept + 2 }, (_, at) =>
      ofIngressNginx.replace("/cart?a=1", `/${at}`),
    )
    writeFileSync(join(folder, "large.log"), [...paths, ...paths.slice(0, 5)].join("\n"))
    const { requests, tooMany } = await readAccessLog(join(folder, "large.log"), find)
    expect({ kept: requests.length, tooMany }).toEqual({ kept: maxKept, tooMany: 2 })
  })

  test("files that cannot be read are named", async () => {
    writeFileSync(join(folder, "bad.gz"), "no gzip")
    for (const file of ["bad.gz", "missing.log", "missing.gz"])
      await expect(readAccessLog(join(folder, file), find)).rejects.toThrow(file)
    for (const file of ["bad.gz", "missing.har"])
      await expect(readHar(join(folder, file), find, false)).rejects.toThrow(file)
  })
})

test("places are paths or URLs", () => {
  expect(placeOf("/a#b")).toEqual({ target: "/a" })
  expect(placeOf("https://user:pass@a.test?x")).toEqual({ host: "a.test", scheme: "https", target: "/?x" })
  for (const bad of ["", "*", "a.test", "ftp://a.test/", "http://"]) expect(placeOf(bad)).toBeUndefined()
})
