// What nginx refuses, wick refuses, and what it passes on arrives as it does from nginx, byte for byte: requests as only attackers and old clients
// write them, sent to wick and to a plain nginx with the same headers of its own.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Recorder, sendBytes } from "../../support/recorder.ts"
import { BesideNginx } from "./beside-nginx.ts"
import { inOrder, withoutOwn } from "./passed-on.ts"

let beside: BesideNginx
beforeAll(async () => {
  beside = await BesideNginx.start()
})
afterAll(() => beside?.[Symbol.asyncDispose]())

/** What a client and a backend see. The order of headers that a proxy sets is its own affair. */
async function seen(port: number, recorder: Recorder, bytes: string, count?: number) {
  const statuses = await sendBytes(port, bytes, count)
  return { statuses, passedOn: recorder.take().map((request) => inOrder(withoutOwn(request))) }
}

async function expectTheSame(bytes: string, count?: number) {
  const plain = await seen(beside.nginx.port, beside.behindNginx, bytes, count)
  const ours = await seen(beside.site.wick.port, beside.behindWick, bytes, count)
  expect(ours).toEqual(plain)
  return ours
}

const head = (line: string, ...headers: readonly string[]) =>
  `${[line, "Host: foo.test", ...headers].join("\r\n")}\r\n\r\n`
const get = (...headers: readonly string[]) => head("GET / HTTP/1.1", ...headers)
const post = (headers: readonly string[], body: string) => head("POST / HTTP/1.1", ...headers) + body
const chunked = (body: string, ...more: readonly string[]) =>
  post(["Transfer-Encoding: chunked", ...more], body)

const lines: readonly string[] = [
  "GET / HTTP/1.0",
  "GET / HTTP/1.2",
  "GET / HTTP/2.0",
  "GET / HTTP/1.1 junk",
  "GET / HTTP/11.1",
  "GET / http/1.1",
  "GET  /two-blanks HTTP/1.1",
  "GET\t/ HTTP/1.1",
  "get / HTTP/1.1",
  "G\x00T / HTTP/1.1",
  "PROPFIND / HTTP/1.1",
  "M-SEARCH / HTTP/1.1",
  "A_B / HTTP/1.1",
  "TRACE / HTTP/1.1",
  "CONNECT foo.test:80 HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "OPTIONS / HTTP/1.1",
  "GET nothing HTTP/1.1",
  "GET ?a=b HTTP/1.1",
  "GET /a b HTTP/1.1",
  "GET /a\tb HTTP/1.1",
  "GET /a\x00b HTTP/1.1",
  "GET /a%00b HTTP/1.1",
  "GET /a\x7fb HTTP/1.1",
  "GET /\xff\xfe HTTP/1.1",
  "GET /a%zz HTTP/1.1",
  "GET /a% HTTP/1.1",
  "GET /a%2fb%2F..%2fc HTTP/1.1",
  "GET /a/../b HTTP/1.1",
  "GET /.. HTTP/1.1",
  "GET /a/%2e%2e/%2e%2e/b HTTP/1.1",
  "GET /a//b///c HTTP/1.1",
  "GET /a;b=c/d HTTP/1.1",
  "GET /a\\b HTTP/1.1",
  "GET /a#fragment HTTP/1.1",
  "GET /a?b#c HTTP/1.1",
  "GET /?a=%0d%0aX:y HTTP/1.1",
  "GET /%0d%0aX:y HTTP/1.1",
  'GET /"<>{}|^` HTTP/1.1',
  "GET http://foo.test/absolute?x HTTP/1.1",
  "GET http://foo.test HTTP/1.1",
  "GET http://foo.test?x HTTP/1.1",
  "GET HTTP://foo.test/ HTTP/1.1",
  "GET http:///nowhere HTTP/1.1",
  "GET http:/nowhere HTTP/1.1",
  `GET /${"long".repeat(2_000)} HTTP/1.1`,
  `GET /${"longer".repeat(2_000)} HTTP/1.1`,
]

const headers: Readonly<Record<string, readonly string[]>> = {
  "a blank before the colon": ["X-A : b"],
  "no colon": ["X-A"],
  "no name": [": b"],
  "no value": ["X-A:"],
  "a folded line": ["X-A: b", " c"],
  "a folded line by a tab": ["X-A: b", "\tc"],
  "an underscore": ["x_a: b"],
  "a dot": ["x.a: b"],
  "a slash in its name": ["x/a: b"],
  "a control character in its name": ["x\x01a: b"],
  "a NUL in its value": ["X-A: b\x00c"],
  "a CR in its value": ["X-A: b\rc"],
  "other control characters in its value": ["X-A: \x01\x02\x7f"],
  "bytes beyond ASCII": ["X-A: \xe4\xff"],
  "blanks around its value": ["X-A:   b  \t "],
  "the same name twice": ["X-A: b", "X-A: c", "x-a: d"],
  "a name in odd case": ["x-OdD: b"],
  "a long value": [`X-A: ${"b".repeat(7_000)}`],
  "a value that is too long": [`X-A: ${"b".repeat(9_000)}`],
  "too many bytes": Array.from({ length: 40 }, (_, n) => `X-${n}: ${"b".repeat(1_000)}`),
  "names of hop-by-hop headers": [
    "Connection: close, X-A",
    "X-A: b",
    "Keep-Alive: 5",
    "Proxy-Connection: close",
  ],
  "TE and Trailer": ["TE: trailers, deflate", "Trailer: X-A"],
  "an Expect that nobody knows": ["Expect: something"],
  "a Range": ["Range: bytes=0-0", "If-Range: x"],
  cookies: ["Cookie: a=b", "Cookie: c=d; e"],
  "a length without a body": ["Content-Length: 0"],
  "a Via and a Max-Forwards": ["Via: 1.1 me", "Max-Forwards: 0"],
  "a Proxy header": ["Proxy: http://evil.test/"],
}

const lengths: Readonly<Record<string, string>> = {
  "two equal lengths": post(["Content-Length: 3", "Content-Length: 3"], "abc"),
  "two different lengths": post(["Content-Length: 3", "Content-Length: 4"], "abcd"),
  "a list of lengths": post(["Content-Length: 3, 3"], "abc"),
  "a length with a sign": post(["Content-Length: +3"], "abc"),
  "a negative length": post(["Content-Length: -3"], "abc"),
  "a length in hex": post(["Content-Length: 0x3"], "abc"),
  "a length that overflows": post(["Content-Length: 99999999999999999999"], "abc"),
  "a length with a blank in it": post(["Content-Length: 3 3"], "abc"),
  "an empty length": post(["Content-Length:"], ""),
  "leading zeros": post(["Content-Length: 003"], "abc"),
  "a length and chunks": post(["Content-Length: 3", "Transfer-Encoding: chunked"], "3\r\nabc\r\n0\r\n\r\n"),
  "chunks and a length": post(["Transfer-Encoding: chunked", "Content-Length: 3"], "3\r\nabc\r\n0\r\n\r\n"),
  "an encoding twice": post(
    ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
    "3\r\nabc\r\n0\r\n\r\n",
  ),
  "a list of encodings": post(["Transfer-Encoding: gzip, chunked"], "3\r\nabc\r\n0\r\n\r\n"),
  identity: post(["Transfer-Encoding: identity", "Content-Length: 3"], "abc"),
  "an encoding with a tab before it": post(["Transfer-Encoding:\tchunked"], "3\r\nabc\r\n0\r\n\r\n"),
  "an encoding with something behind it": post(["Transfer-Encoding: chunked;x"], "3\r\nabc\r\n0\r\n\r\n"),
  "an encoding in odd case": post(["transfer-encoding: CHUNKED"], "3\r\nabc\r\n0\r\n\r\n"),
  "an encoding with an underscore": post(["Transfer_Encoding: chunked", "Content-Length: 3"], "abc"),
  "chunks of HTTP/1.0": `${head("POST / HTTP/1.0", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\n\r\n`,
  "an extension": chunked("3;name=value\r\nabc\r\n0;x\r\n\r\n"),
  "an extension in quotes": chunked('3;name="a;b"\r\nabc\r\n0\r\n\r\n'),
  trailers: chunked("3\r\nabc\r\n0\r\nX-Trailer: x\r\nContent-Length: 9\r\n\r\n"),
  "zeros before the size": chunked("0000000003\r\nabc\r\n0000\r\n\r\n"),
  "a size that overflows": chunked("ffffffffffffffffff\r\nabc\r\n0\r\n\r\n"),
  "a size with a sign": chunked("-3\r\nabc\r\n0\r\n\r\n"),
  "a size with 0x": chunked("0x3\r\nabc\r\n0\r\n\r\n"),
  "a size with blanks": chunked("3 \r\nabc\r\n0\r\n\r\n"),
  "no size": chunked("\r\nabc\r\n0\r\n\r\n"),
  "line feeds alone in chunks": chunked("3\nabc\n0\n\n"),
  "more than the size says": chunked("3\r\nabcd\r\n0\r\n\r\n"),
  "a body of GET": `${head("GET / HTTP/1.1", "Content-Length: 3")}abc`,
  "chunks of GET": `${head("GET / HTTP/1.1", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\n\r\n`,
  "a body of HEAD": `${head("HEAD / HTTP/1.1", "Connection: close", "Content-Length: 3")}abc`,
  "a client that waits to be told to go on": post(["Expect: 100-continue", "Content-Length: 3"], "abc"),
  "an Expect in odd case": post(["expect: 100-Continue", "Content-Length: 3"], "abc"),
  "an Expect of HTTP/1.0": `${head("POST / HTTP/1.0", "Expect: 100-continue", "Content-Length: 3")}abc`,
  "POST without a length": post([], ""),
}

const frames: Readonly<Record<string, string>> = {
  "line feeds alone": "GET / HTTP/1.1\nHost: foo.test\nX-A: b\n\n",
  "empty lines in front": `\r\n\r\n${get()}`,
  "a blank in front": ` ${get()}`,
  "no Host": "GET / HTTP/1.1\r\n\r\n",
  "TLS on a plain port": "\x16\x03\x01\x00\x05hello",
  nonsense: "\x00\x01\x02\r\n\r\n",
}

describe("a request line", () => {
  test.each(
    lines.map((line) => [JSON.stringify(line).slice(0, 70), line] as const),
  )("%s", async (_, line) => {
    await expectTheSame(head(line, "Connection: close"))
  })
})

describe("a header with", () => {
  test.each(Object.entries(headers))("%s", async (_, more) => {
    await expectTheSame(
      get(...more, ...(more.some((line) => /^connection/i.test(line)) ? [] : ["Connection: close"])),
    )
  })
})

describe("lengths and bodies:", () => {
  test.each(Object.entries(lengths))("%s", async (_, bytes) => {
    await expectTheSame(bytes)
  })
})

describe("the frame of a message:", () => {
  test.each(Object.entries(frames))("%s", async (_, bytes) => {
    await expectTheSame(bytes)
  })
})

test("what follows a request is another one, and nothing of either gets into the other", async () => {
  const three = `${post(["Content-Length: 3"], "abc")}${chunked("1\r\nx\r\n0\r\n\r\n")}${get("Connection: close")}`
  const { statuses, passedOn } = await expectTheSame(three, 3)
  expect(statuses).toEqual([200, 200, 200])
  expect(passedOn).toHaveLength(3)
})

test("HTTP/0.9 names no host, so it is for no Ingress", async () => {
  const { passedOn } = await seen(beside.site.wick.port, beside.behindWick, "GET /\r\n")
  expect(passedOn).toEqual([])
})

test("the comparison sees what differs", async () => {
  expect(await seen(beside.site.wick.port, beside.behindWick, get("Connection: close"))).toEqual({
    statuses: [200],
    passedOn: ["GET / HTTP/1.1\r\nHost: foo.test\r\n\r\n"],
  })
  expect((await seen(beside.site.wick.port, beside.behindWick, get("X-A : b"))).statuses).toEqual([400])
})
