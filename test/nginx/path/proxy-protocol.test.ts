// Balancers in front of nginx that say by PROXY protocol who the client is.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Answer, ask } from "../../../harness/http.ts"
import { ingress } from "../../../harness/manifests.ts"
import { proxyAgent, proxyV1, proxyV2 } from "../../support/agents.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
  await site.reconfigure({ "use-proxy-protocol": "true" })
})
afterAll(() => site[Symbol.asyncDispose]())

interface Way {
  readonly header: string | Uint8Array
  readonly isTls?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

function through({ header, isTls = false, headers = {} }: Way): Promise<Answer> {
  const port = isTls ? site.wick.httpsPort : site.wick.port
  return ask({ port, agent: proxyAgent(header, isTls) }, { host: "foo.test", headers })
}

async function seen(way: Way) {
  expect((await through(way)).body).toBe("one")
  return site.backend("one").lastHeaders
}

describe.each([
  ["1", proxyV1],
  ["2", proxyV2],
])("version %s", (_, header) => {
  test("337: the port that the balancer was asked on, and the client's address", async () => {
    expect(await seen({ header: header("192.168.0.1", 1234) })).toMatchObject({
      "x-forwarded-port": "1234",
      "x-forwarded-proto": "http",
      "x-forwarded-for": "192.168.0.1",
      "x-real-ip": "192.168.0.1",
    })
  })

  test("339: HTTPS behind it", async () => {
    expect(await seen({ header: header("192.168.0.1", 1234), isTls: true })).toMatchObject({
      "x-forwarded-port": "1234",
      "x-forwarded-proto": "https",
      "x-forwarded-for": "192.168.0.1",
    })
  })

  test("a balancer that ends TLS is known by port 443", async () => {
    expect(await seen({ header: header("192.168.0.1", 443) })).toMatchObject({
      "x-forwarded-port": "443",
      "x-forwarded-proto": "https",
    })
  })

  test("what the client says in headers is not believed", async () => {
    const headers = { "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https" }
    expect(await seen({ header: header("192.168.0.1", 80), headers })).toMatchObject({
      "x-forwarded-for": "192.168.0.1",
      "x-original-forwarded-for": "1.2.3.4",
      "x-forwarded-proto": "http",
    })
  })
})

test("a client with an address of IPv6", async () => {
  expect((await seen({ header: proxyV1("2001:db8::7", 80) }))["x-forwarded-for"]).toBe("2001:db8::7")
})

test.each([
  ["http"],
  ["https"],
] as const)("342: without the header the connection ends, on the port for %s", async (kind) => {
  const port = kind === "http" ? site.wick.port : site.wick.httpsPort
  const request = "GET / HTTP/1.1\r\nHost: foo.test\r\nConnection: close\r\n\r\n"
  const text = await rawRequest(port, request).catch((error: NodeJS.ErrnoException) => error.code)
  expect(text).toMatch(/^$|^ECONNRESET$|^HTTP\/1\.1 400 /)
})

describe("with forwarded headers believed too", () => {
  const forwarded = { "x-forwarded-for": "1.2.3.4" }

  beforeAll(() =>
    site.reconfigure({
      "use-proxy-protocol": "true",
      "use-forwarded-headers": "true",
      "proxy-real-ip-cidr": "127.0.0.0/8,192.168.0.0/24",
    }),
  )

  test("341: a sender that is trusted says who the client is", async () => {
    const headers = await seen({ header: proxyV1("192.168.0.1", 1234), headers: forwarded })
    expect(headers).toMatchObject({ "x-forwarded-for": "1.2.3.4", "x-real-ip": "1.2.3.4" })
  })

  test("a sender that is not trusted is the client itself", async () => {
    const headers = await seen({ header: proxyV1("203.0.113.9", 1234), headers: forwarded })
    expect(headers).toMatchObject({ "x-forwarded-for": "203.0.113.9", "x-real-ip": "203.0.113.9" })
  })

  test("nor is it believed when it names the internal header", async () => {
    const headers = { "x-forwarded-for-proxy-protocol": "5.6.7.8" }
    expect((await seen({ header: proxyV1("203.0.113.9", 80), headers }))["x-real-ip"]).toBe("203.0.113.9")
  })

  test("a sender that is trusted and says nothing is the client itself", async () => {
    expect((await seen({ header: proxyV1("192.168.0.1", 80) }))["x-real-ip"]).toBe("192.168.0.1")
  })
})
