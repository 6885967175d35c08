import { describe, expect, test } from "vitest"
import { readAnnotations } from "../../../../controller/core/annotations/read.ts"
import { unusable } from "../../../../controller/core/annotations/values.ts"
import { ingress, options } from "../../../../harness/objects.ts"
import { hostile } from "../../../support/hostile.ts"

const secret = { "auth-tls-secret": "shop/ca" }

function read(annotations: Record<string, string>) {
  const { values, problems } = readAnnotations(
    ingress("shop/cart", [], annotations),
    options.annotationsPrefix,
  )
  return { clients: values.clients, messages: problems.map(({ message }) => message) }
}

test("values arrive typed", () => {
  const said = {
    "auth-tls-secret": " shop / ca ",
    "auth-tls-verify-client": "optional_no_ca",
    "auth-tls-verify-depth": "+3",
    "auth-tls-match-cn": " CN=(a|b), O=shop ",
    "auth-tls-error-page": "https://shop.test:8443/no- certificate",
    "auth-tls-pass-certificate-to-upstream": "T",
  }
  expect(read(said)).toEqual({
    clients: {
      secret: "shop/ca",
      verify: "optional_no_ca",
      depth: 3,
      matchCn: "CN=(a|b), O=shop",
      errorPage: "https://shop.test:8443/no-certificate",
      passesCertificate: true,
    },
    messages: [],
  })
})

describe("191: what is no namespace/name closes the hosts", () => {
  test.each([
    "ca",
    "shop/ca/ca",
    "/ca",
    "shop/",
    "/",
    " ",
    "shop/ca\n",
    "shop/ca;",
    "shop/ca\0",
    "shop/../../ca",
  ])("%j", (text) => {
    const { clients, messages } = read({ "auth-tls-secret": text })
    expect(clients).toEqual({ secret: unusable })
    expect(messages).toEqual([
      expect.stringMatching(
        /^Cannot use ".*" for annotation "auth-tls-secret": .*; requests for its hosts get 403$/,
      ),
    ])
  })
})

test("an empty value is as if it were not there", () => {
  const { clients, messages } = read({ "auth-tls-secret": "" })
  expect(clients).toEqual({})
  expect(messages).toEqual(['Annotation "auth-tls-secret" is empty: it counts as absent'])
})

test("189: a match-cn that is none lets nobody in", () => {
  const long = `CN=${"a".repeat(4094)}`
  for (const text of ["alice", "cn=alice", "O=shop, CN=alice", "CN", long, "CN=\ud800", "CN=a\nb"]) {
    const { clients, messages } = read({ ...secret, "auth-tls-match-cn": text })
    expect(clients).toEqual({ secret: "shop/ca", matchCn: unusable })
    expect(messages).toEqual([
      expect.stringMatching(/"auth-tls-match-cn": .*; no certificate matches \(403\)$/),
    ])
  }
})

test("match-cn is anything that begins with CN=, as long as it is one line", () => {
  for (const ending of hostile) {
    const { clients } = read({ ...secret, "auth-tls-match-cn": `CN=${ending}` })
    const isLine = /^[^\p{Cc}\u2028\u2029]*$/u.test(ending) && ending.isWellFormed() && ending.length < 4000
    expect(clients.matchCn, JSON.stringify(ending)).toBe(isLine ? `CN=${ending.trimEnd()}` : unusable)
  }
})

describe("a refused way to verify is on", () => {
  test.each(["yes", "On", "off ", "true", "optional-no-ca"])("%j", (text) => {
    const { clients, messages } = read({ ...secret, "auth-tls-verify-client": text })
    expect(clients).toEqual({ secret: "shop/ca" })
    expect(messages).toEqual([expect.stringContaining("its default applies")])
  })
})

describe("depth", () => {
  test.each(["0", "-1", "two", "1s", "1.5"])("%s is refused", (text) => {
    const { clients, messages } = read({ ...secret, "auth-tls-verify-depth": text })
    expect(clients).toEqual({ secret: "shop/ca" })
    expect(messages).toHaveLength(1)
  })

  test.each(["101", "4294967296"])("%s is 100", (text) => {
    const { clients, messages } = read({ ...secret, "auth-tls-verify-depth": text })
    expect(clients).toEqual({ secret: "shop/ca", depth: 100 })
    expect(messages).toEqual([
      `Cannot use "${text}" for annotation "auth-tls-verify-depth" as it is: 100 is the most and is used instead`,
    ])
  })
})

describe("error page", () => {
  test.each([
    "/",
    "/no/certificate.html",
    "http://shop.test",
    "https://shop.test:8443/a/b/",
  ])("%s", (text) => {
    expect(read({ ...secret, "auth-tls-error-page": text })).toEqual({
      clients: { secret: "shop/ca", errorPage: text },
      messages: [],
    })
  })

  test("anything else is refused", () => {
    const texts = [
      "@custom",
      "shop.test/a",
      "//shop.test",
      "https://",
      "ftp://shop.test",
      "https://shop.test/?a=b",
      "https://shop.test/$host",
      "javascript:alert(1)",
      "https://shop.test\r\nX: y",
      `/${"a".repeat(4096)}`,
    ]
    for (const text of texts) {
      const { clients, messages } = read({ ...secret, "auth-tls-error-page": text })
      expect(clients).toEqual({ secret: "shop/ca" })
      expect(messages).toEqual([expect.stringContaining("its default applies")])
    }
  })
})

test("without a Secret the others have no effect", () => {
  const { messages } = read({ "auth-tls-verify-client": "on", "auth-tls-match-cn": "alice" })
  expect(messages.filter((message) => message.includes("needs"))).toEqual([
    'Annotation "auth-tls-match-cn" needs annotation "auth-tls-secret": it has no effect',
    'Annotation "auth-tls-verify-client" needs annotation "auth-tls-secret": it has no effect',
  ])
})

test("with a Secret that is refused the others still have what they need", () => {
  const { messages } = read({ "auth-tls-secret": "ca", "auth-tls-verify-client": "on" })
  expect(messages).toHaveLength(1)
})
