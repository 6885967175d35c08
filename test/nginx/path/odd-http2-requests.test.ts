// HTTP/2 requests as only attackers write them: what nginx refuses, wick refuses, and what it passes on as HTTP/1.1 arrives as it does from nginx, byte
// for byte. Nothing that a client writes into a header may become another header, or another request, of the backend's.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Http2Request, sendHttp2 } from "../../support/http2-bytes.ts"
import type { Recorder } from "../../support/recorder.ts"
import { BesideNginx } from "./beside-nginx.ts"
import { inOrder, withoutOwn } from "./passed-on.ts"

let beside: BesideNginx
beforeAll(async () => {
  beside = await BesideNginx.start("http2")
})
afterAll(() => beside?.[Symbol.asyncDispose]())

async function expectTheSame(request: Http2Request) {
  const seen = (outcome: string, recorder: Recorder) => ({
    outcome,
    passedOn: recorder.take().map((passed) => inOrder(withoutOwn(passed))),
  })
  const plain = seen(await sendHttp2(beside.nginx.port, request), beside.behindNginx)
  const ours = seen(await sendHttp2(beside.site.wick.httpsPort, request, { isTls: true }), beside.behindWick)
  expect(ours).toEqual(plain)
  expect(ours.passedOn.length).toBe(ours.outcome === "200" ? 1 : 0)
  return ours
}

type Header = readonly [name: string, value: string]

const pseudo = { ":method": "GET", ":scheme": "https", ":path": "/", ":authority": "foo.test" }

/** What is empty is left out. */
const get = (more: readonly Header[] = [], instead: Partial<typeof pseudo> = {}): Http2Request => ({
  headers: [...Object.entries({ ...pseudo, ...instead }).filter(([, value]) => value !== "-"), ...more],
})
const post = (more: readonly Header[], ...body: readonly string[]): Http2Request => ({
  ...get(more, { ":method": "POST" }),
  body,
})

const odd: Readonly<Record<string, Http2Request>> = {
  plain: get([["x-a", "b"]]),
  "a name in upper case": get([["X-A", "b"]]),
  "a CR in a value": get([["x-a", "b\rc"]]),
  "an LF in a value": get([["x-a", "b\nc"]]),
  "a header in a value": get([["x-a", "b\r\nx-evil: c"]]),
  "a request in a value": get([["x-a", "b\r\n\r\nGET /evil HTTP/1.1\r\nHost: foo.test\r\n\r\n"]]),
  "a NUL in a value": get([["x-a", "b\0c"]]),
  "a header in a name": get([["x-a: b\r\nx-evil", "c"]]),
  "a colon in a name": get([["x:a", "b"]]),
  "a blank in a name": get([["x a", "b"]]),
  "no name": get([["", "b"]]),
  "no value": get([["x-a", ""]]),
  "blanks around a value": get([["x-a", "  b \t"]]),
  "bytes beyond ASCII": get([["x-a", "\xe4\xff"]]),
  "an underscore": get([["x_a", "b"]]),
  "a long value": get([["x-a", "b".repeat(20_000)]]),
  "the same name twice": get([
    ["x-a", "b"],
    ["x-a", "c"],
  ]),
  "cookies apart": get([
    ["cookie", "a=b"],
    ["cookie", "c=d"],
  ]),
  "connection: close": get([["connection", "close"]]),
  "connection: x-a": get([
    ["connection", "x-a"],
    ["x-a", "b"],
  ]),
  "keep-alive": get([["keep-alive", "5"]]),
  "proxy-connection": get([["proxy-connection", "close"]]),
  "an upgrade": get([
    ["connection", "upgrade"],
    ["upgrade", "websocket"],
  ]),
  "te: trailers": get([["te", "trailers"]]),
  "te: gzip": get([["te", "gzip"]]),
  "transfer-encoding: chunked": post(
    [["transfer-encoding", "chunked"]],
    "0\r\n\r\nGET /evil HTTP/1.1\r\n\r\n",
  ),
  "transfer-encoding with a length": post(
    [
      ["transfer-encoding", "chunked"],
      ["content-length", "3"],
    ],
    "abc",
  ),
  "a pseudo-header behind a header": { headers: [...get([["x-a", "b"]]).headers, [":path", "/evil"]] },
  "an unknown pseudo-header": get([[":evil", "b"]]),
  "two paths": { headers: [[":path", "/first"], ...get().headers] },
  "two methods": { headers: [[":method", "POST"], ...get().headers] },
  "two schemes": { headers: [[":scheme", "http"], ...get().headers] },
  "two authorities": { headers: [[":authority", "bar.test"], ...get().headers] },
  "no path": get([], { ":path": "-" }),
  "no method": get([], { ":method": "-" }),
  "no scheme": get([], { ":scheme": "-" }),
  "no authority": get([], { ":authority": "-" }),
  "a Host in place of the authority": get([["host", "foo.test"]], { ":authority": "-" }),
  "an empty path": get([], { ":path": "" }),
  "a path without a slash": get([], { ":path": "evil" }),
  "a path with a blank": get([], { ":path": "/a b" }),
  "a request in the path": get([], { ":path": "/a HTTP/1.1\r\nX-Evil: b\r\n\r\nGET /evil" }),
  "an encoded line end in the path": get([], { ":path": "/a%0d%0aX-Evil:%20b" }),
  "a fragment": get([], { ":path": "/a#b" }),
  "an asterisk": get([], { ":path": "*" }),
  "dots in the path": get([], { ":path": "/a/../b//c/%2e%2e/d;e" }),
  "an absolute path": get([], { ":path": "https://bar.test/evil" }),
  "a NUL in the path": get([], { ":path": "/a\0b" }),
  "a method in lower case": get([], { ":method": "get" }),
  "a request in the method": get([], { ":method": "GET /evil HTTP/1.1\r\nX: " }),
  "a blank in the method": get([], { ":method": "GET /evil" }),
  "a method that nobody knows": get([], { ":method": "M-SEARCH" }),
  CONNECT: get([], { ":method": "CONNECT" }),
  TRACE: get([], { ":method": "TRACE" }),
  "a scheme that nobody knows": get([], { ":scheme": "javascript" }),
  "a line end in the scheme": get([], { ":scheme": "https\r\nx-evil: b" }),
  "a line end in the authority": get([], { ":authority": "foo.test\r\nx-evil: b" }),
  "a blank in the authority": get([], { ":authority": "foo.test bar.test" }),
  "an empty authority": get([], { ":authority": "" }),
  "a length that is the body's": post([["content-length", "6"]], "abc", "def"),
  "a length that is too small": post([["content-length", "3"]], "abc", "def"),
  "a length that is too large": post([["content-length", "9"]], "abc", "def"),
  "no length": post([], "abc", "def"),
  "a length without a body": get([["content-length", "3"]]),
  "a length of 0 with a body": post([["content-length", "0"]], "abc"),
  "two equal lengths": post(
    [
      ["content-length", "3"],
      ["content-length", "3"],
    ],
    "abc",
  ),
  "two different lengths": post(
    [
      ["content-length", "3"],
      ["content-length", "4"],
    ],
    "abc",
  ),
  "a list of lengths": post([["content-length", "3, 3"]], "abc"),
  "a negative length": post([["content-length", "-3"]], "abc"),
  "a length with a sign": post([["content-length", "+3"]], "abc"),
  "what looks like chunks": post([], "3\r\nabc\r\n0\r\n\r\n"),
  trailers: { ...post([["x-a", "b"]], "abc"), trailers: [["x-trailer", "c"]] },
  "a pseudo-header as a trailer": { ...post([], "abc"), trailers: [[":path", "/evil"]] },
  "a length as a trailer": { ...post([], "abc"), trailers: [["content-length", "9"]] },
}

const headsOf = (requests: readonly string[]) =>
  requests.map((request) => request.split("\r\n\r\n")[0]).join("\n")

describe("as nginx alone", () => {
  test.each(Object.entries(odd))("%s", async (_, request) => {
    const { passedOn } = await expectTheSame(request)
    expect(headsOf(passedOn)).not.toMatch(/^(x-evil:|get \/evil)/im)
  })
})

test("an authority with a user is refused, as it is nobody's host (one host for every check)", async () => {
  const request = get([], { ":authority": "a@foo.test" })
  expect(await sendHttp2(beside.site.wick.httpsPort, request, { isTls: true })).toBe("400")
  expect(beside.behindWick.take()).toEqual([])
})
