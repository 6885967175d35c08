import { execFileSync } from "node:child_process"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseNetrc } from "../../../../cli/diff/netrc.ts"
import { curlOf } from "../../../../cli/diff/requests/curl.ts"
import type { DiffRequest } from "../../../../cli/diff/requests/request.ts"
import { shownHeader, shownUrl } from "../../../../cli/diff/requests/secrets.ts"
import { parseSide } from "../../../../cli/diff/sides.ts"
import { hostPort } from "../../../../controller/support/address.ts"

describe("an address", () => {
  test.each([
    ["10.0.0.1", "10.0.0.1:80", "10.0.0.1:443"],
    ["lb.example.com", "lb.example.com:80", "lb.example.com:443"],
    ["::1", "[::1]:80", "[::1]:443"],
    ["[::1]", "[::1]:80", "[::1]:443"],
    ["http://10.0.0.1", "10.0.0.1:80", undefined],
    ["https://10.0.0.1:8443/", undefined, "10.0.0.1:8443"],
    ["http://[::1]:8080,https://10.0.0.2", "[::1]:8080", "10.0.0.2:443"],
  ])("%s", (text, http, https) => {
    const side = parseSide(text)
    expect(side.http && hostPort(side.http.host, side.http.port)).toBe(http)
    expect(side.https && hostPort(side.https.host, side.https.port)).toBe(https)
  })

  test.each([
    "",
    "10.0.0.1:80",
    "http://",
    "ftp://10.0.0.1",
    "http://a,http://b",
    "http://a/path",
    "http://user:secret@a",
    "a b",
    "a,b",
  ])("no address: %s", (text) => {
    expect(() => parseSide(text)).toThrow(/^Cannot use (?!.*secret)/)
  })

  test("whatever it is, it is read or refused with a sentence", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain(), fc.ipV6()), (text) => {
        try {
          const { http, https } = parseSide(text)
          expect(http ?? https).toBeDefined()
        } catch (error) {
          expect(String(error)).toMatch(/Cannot use/)
        }
      }),
    )
  })
})

describe("a .netrc", () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

  test("users by host, the first entry of each, and one for all others", () => {
    const { authorizationFor } = parseNetrc(
      '# people\nmachine a.test login ann password "a b\\"c"\nmachine b.test\n\tlogin bob\n\tpassword b\nmachine a.test login x password y\ndefault login any password d\n',
    )
    expect(authorizationFor("a.test")).toBe(basic('ann:a b"c'))
    expect(authorizationFor("b.test")).toBe(basic("bob:b"))
    expect(authorizationFor("c.test")).toBe(basic("any:d"))
  })

  test("nobody is known without an entry", () => {
    expect(parseNetrc("machine a.test login ann password p").authorizationFor("b.test")).toBeUndefined()
    expect(parseNetrc("").authorizationFor("a.test")).toBeUndefined()
  })

  test("what cannot be read is said without a word of it", () => {
    for (const text of [
      "login ann password secret",
      "machine a.test\nlogin ann pass secret",
      "machine a.test login ann password",
    ])
      expect(() => parseNetrc(text)).toThrow(
        /^Cannot read line [12] of the credentials: (?!.*(?:secret|ann))/,
      )
  })

  test("names and passwords come back as they were written", () => {
    const word = fc.string({ minLength: 1 }).filter((it) => !/[\r\n]/.test(it))
    const written = (text: string) => `"${text.replace(/[\\"]/g, "\\$&")}"`
    fc.assert(
      fc.property(word, word, (user, password) => {
        const text = `machine a.test login ${written(user)} password ${written(password)}`
        expect(parseNetrc(text).authorizationFor("a.test")).toBe(basic(`${user}:${password}`))
      }),
    )
  })
})

describe("what is printed", () => {
  test.each([
    ["/a?token=1&b=2", "/a?token=[redacted]&b=2"],
    [
      "https://ann:pw@a.test/?X-Amz-Signature=1;code=2#x",
      "https://[redacted]@a.test/?X-Amz-Signature=[redacted];code=[redacted]#x",
    ],
    ["https://a.test/#access_token=1&state=2", "https://a.test/#access_token=[redacted]&state=2"],
    ["/plain?a=b#c=d", "/plain?a=b#c=d"],
  ])("%s without its secrets", (text, shown) => expect(shownUrl(text)).toBe(shown))

  test("headers that let somebody in are named only", () => {
    for (const name of ["authorization", "cookie", "x-api-key", "x-auth-token", "proxy-authorization"])
      expect(shownHeader(name, "s")).toBe("[redacted]")
    expect(shownHeader("www-authenticate", 'Basic realm="a"')).toBe('Basic realm="a"')
    expect(shownHeader("access-control-allow-credentials", "true")).toBe("true")
    expect(shownHeader("location", "/in?session=1")).toBe("/in?session=[redacted]")
  })

  const sides = [parseSide("http://10.0.0.1:8080,https://10.0.0.1"), parseSide("::1")]
  const request: DiffRequest = {
    scheme: "https",
    host: "a.test",
    target: "/it's?a=1&token=secret",
    method: "OPTIONS",
    headers: { origin: "https://b.test", cookie: "secret" },
    hasCredentials: true,
    about: "a test",
  }

  test("a line for a shell asks both sides, and has no secret", () => {
    const options = { isInsecure: true, netrc: "my netrc", authorities: "ca.pem" }
    expect(curlOf(request, sides, options)).toBe(
      `for at in 10.0.0.1:443 '[::1]:443'; do curl -sSi --path-as-is -g -X OPTIONS -H 'origin: https://b.test' -H 'cookie: [redacted]' --netrc-file 'my netrc' --cacert ca.pem -k 'https://a.test/it'\\''s?a=1&token=[redacted]' --connect-to "::$at"; done`,
    )
  })

  test("what was made of an Ingress is no secret of anybody's", () => {
    const ours = {
      ...request,
      ingress: { kind: "Ingress", namespace: "a", name: "a" },
      headers: { cookie: "canary=always" },
    }
    expect(curlOf(ours, sides, { isInsecure: false, netrc: "", authorities: "" })).toContain(
      "-H 'cookie: canary=always'",
    )
  })

  test("a shell takes every word for what it is", () => {
    const header = fc.string({ unit: "grapheme-ascii" })
    fc.assert(
      fc.property(header, (value) => {
        const line = curlOf({ ...request, headers: { "x-a": value } }, sides, {
          isInsecure: false,
          netrc: "",
          authorities: "",
        })
        const script = `curl() { for it in "$@"; do printf '%s\\0' "$it"; done; }; ${line}`
        const words = execFileSync("sh", ["-c", script]).toString().split("\0")
        expect(words).toContain(`x-a: ${shownHeader("x-a", value)}`)
        expect(words.filter((word) => word.startsWith("::"))).toEqual(["::10.0.0.1:443", "::[::1]:443"])
      }),
      { numRuns: 30 },
    )
  })
})
