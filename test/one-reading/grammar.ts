// Requests as a grammar makes them: most of them nearly right, each with some of what proxies and servers have read in different ways. A request is kept in
// pieces, so that what shows a disagreement can be made smaller by leaving pieces out.
import type { Random } from "./random.ts"

/** Latin-1 throughout. */
interface Message {
  readonly line: string
  /** without line ends */
  readonly headers: readonly string[]
  readonly body: string
}

/** What is written on one connection. */
export type Case = readonly Message[]

const hosts = ["nginx.test", "haproxy.test", "node.test", "go.test", "python.test"] as const

const methods = [
  "GET",
  "GET",
  "GET",
  "GET",
  "POST",
  "PUT",
  "HEAD",
  "DELETE",
  "OPTIONS",
  "get",
  "M-SEARCH",
] as const
const versions = [...Array<string>(20).fill("HTTP/1.1"), "HTTP/1.0", "HTTP/1.0", "HTTP/2.0", "HTTP/1.2"]
/** Of parts of paths. */
const names = [
  "open",
  "guarded",
  "asks",
  "cut",
  "a",
  "x",
  "open",
  "guarded",
  "",
  "OPEN",
  "index.html",
  "b;c=d",
  "é",
] as const
const slashes = [
  "/",
  "/",
  "/",
  "/",
  "/",
  "/",
  "//",
  "///",
  "%2f",
  "%2F",
  "\\",
  "%5c",
  "/./",
  "/%2e/",
  ";/",
  "/;/",
] as const
const ups = [
  "..",
  "%2e%2e",
  ".%2E",
  "..;",
  "..;x=y",
  "...",
  ".",
  "%2e",
  "%252e%252e",
  "..%00",
  "..%20",
  ". .",
] as const
const encodings = [
  "%6f",
  "%25",
  "%3f",
  "%23",
  "%3b",
  "%00",
  "%0d%0a",
  "%zz",
  "%",
  "%u002e",
  "%c0%ae",
  "+",
] as const
const queries = ["", "", "", "?a=b", "?a=/../guarded", "?", "?a?b", "#f", "#/../guarded", "?a#b"] as const

export function target(random: Random): string {
  const piece = (): string => {
    if (random.once(5)) return random.pick(ups)
    return random.once(12) ? random.pick(encodings) : random.pick(names)
  }
  const first = random.once(20) ? random.pick(slashes) : "/"
  const parts: readonly string[] = [random.pick(names), ...random.some(3, piece)]
  const path = first + parts.reduce((text, part) => text + random.pick(slashes) + part)
  const odd = random.once(30)
    ? random.pick(["*", "", "?x", "nothing", "http:/x", "//node.test/guarded"])
    : path
  const absolute = random.once(12)
    ? random.pick(["http://", "https://", "HTTP://", "ftp://"]) + authority(random)
    : ""
  return absolute + odd + random.pick(queries)
}

export function authority(random: Random): string {
  const host = random.pick(hosts)
  const odd = [
    host.toUpperCase(),
    `${host}.`,
    `${host}:80`,
    `${host}:99999`,
    `user@${host}`,
    `${host}:80@${random.pick(hosts)}`,
    `${host}, ${random.pick(hosts)}`,
    `${host}#${random.pick(hosts)}`,
    `${host}\\${random.pick(hosts)}`,
    `${host}/${random.pick(hosts)}`,
    ` ${host}`,
    `${host}\t`,
    `a.${host}`,
    "",
    "[::1]",
  ]
  const named = random.once(4) ? `cut.${host}` : host
  return random.once(8) ? random.pick(odd) : named
}

/** Of what wick, or its authentication, says itself. */
const told = [
  "Forwarded",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-Forwarded-Port",
  "X-Forwarded-Prefix",
  "X-Forwarded-Scheme",
  "X-Forwarded-Server",
  "X-Original-URL",
  "X-Original-Forwarded-For",
  "X-Rewrite-URL",
  "X-Real-IP",
  "X-User",
  "Proxy",
  "ssl-client-verify",
] as const

const lengthLines = (length: number) => [
  `Content-Length: ${length}`,
  `Content-Length: ${length}`,
  `content-length: ${length}`,
  `Content-Length: 0`,
  `Content-Length: +${length}`,
  `Content-Length: ${length}, ${length}`,
  `Content-Length: 0x${length}`,
  `Content-Length : ${length}`,
  `Content_Length: ${length}`,
  `Content-Length: ${length + 5}`,
  `Content-Length:\t${length}`,
  `Content-Length: -1`,
]
const codings = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked",
  "transfer-encoding: CHUNKED",
  "Transfer-Encoding : chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding:\tchunked",
  "Transfer-Encoding: xchunked",
  'Transfer-Encoding: "chunked"',
  "Transfer_Encoding: chunked",
  "Transfer-Encoding: chunked\r\n ,x",
  "Transfer-Encoding:\x0bchunked",
] as const

const inner = "GET /open/smuggled HTTP/1.1\r\nHost: node.test\r\n\r\n"

function body(random: Random): Pick<Message, "headers" | "body"> {
  if (!random.once(3)) return { headers: [], body: "" }
  const text = random.pick(["abc", "0\r\n\r\n", inner, `0\r\n\r\n${inner}`, ""])
  const size = text.length.toString(16)
  const chunked = random.pick([
    `${size}\r\n${text}\r\n0\r\n\r\n`,
    `${size};x=y\r\n${text}\r\n0\r\n\r\n`,
    `${size}\n${text}\n0\n\n`,
    `0${size}\r\n${text}\r\n0\r\nX-User: evil\r\n\r\n`,
    `0x${size}\r\n${text}\r\n0\r\n\r\n`,
    `${size} \r\n${text}\r\n0\r\n\r\n`,
    "ffffffffffffffff1\r\nx\r\n0\r\n\r\n",
  ])
  const isChunked = random.once(2)
  const sent = isChunked ? chunked : text
  const lines = [isChunked ? random.pick(codings) : random.pick(lengthLines(sent.length))]
  if (random.once(4))
    lines.push(random.once(2) ? random.pick(codings) : random.pick(lengthLines(sent.length)))
  return { headers: random.once(2) ? lines : lines.reverse(), body: sent }
}

function spelled(random: Random, name: string): string {
  const all = [
    name,
    name,
    name.toLowerCase(),
    name.toUpperCase(),
    name.replaceAll("-", "_"),
    name.replace("-", "_"),
  ]
  return random.pick([...all, `${name} `, ` ${name}`, name.replaceAll("-", ".")])
}

export function header(random: Random): string {
  const values = [
    "evil.test",
    "10.9.8.7",
    "https",
    random.pick(hosts),
    "/guarded",
    "for=10.9.8.7;host=evil.test",
    "",
  ]
  switch (random.below(8)) {
    case 0:
      return `Connection: ${random.pick(["close", "keep-alive", "Upgrade", "X-User", "close, X-Real-IP", "Transfer-Encoding", "Content-Length"])}`
    case 1:
      return `Upgrade: ${random.pick(["h2c", "websocket", "websocket, h2c", "H2C", "TLS/1.0", "foo/2"])}`
    case 2:
      return random.pick([
        "HTTP2-Settings: AAMA",
        "Expect: 100-continue",
        "TE: trailers",
        "Range: bytes=0-0",
        "Max-Forwards: 0",
      ])
    case 3:
      return `Cookie: ${random.pick(["session=ann", "session=bob", "session=nobody; session=ann", "Session=nobody; session=ann", "a=b; session=ann"])}`
    case 4:
      return random.pick([
        "X-A: b\r\n c",
        "X-A: b\r\n\tX-User: evil",
        "X-A",
        ": b",
        "X-A: \x01\x7f\x9b",
        "X-A: b\rX-User: evil",
        "X-A: b\x00c",
        "X\x00A: b",
      ])
    default:
      return `${spelled(random, random.pick(told))}: ${random.pick(values)}`
  }
}

function message(random: Random): Message {
  const { headers: framing, body: content } = body(random)
  const hostLines = random.once(40)
    ? random.some(2, () => `Host: ${authority(random)}`)
    : [`${random.once(40) ? spelled(random, "Host") : "Host"}: ${authority(random)}`]
  const headers = [...hostLines, ...random.some(random.once(3) ? 4 : 1, () => header(random)), ...framing]
  const blank = random.once(40) ? random.pick(["  ", "\t", "\x0b"]) : " "
  const line = `${random.pick(methods)}${blank}${target(random)}${random.once(30) ? "" : ` ${random.pick(versions)}`}`
  return { line, headers: random.once(4) ? headers.toReversed() : headers, body: content }
}

/** One to three requests behind each other. */
export function generate(random: Random): Case {
  return [message(random), ...random.some(2, () => message(random))]
}

export function bytesOf(messages: Case): string {
  return messages
    .map(({ line, headers, body: content }) => `${[line, ...headers].join("\r\n")}\r\n\r\n${content}`)
    .join("")
}

/** The case with one piece less, in every way. */
export function* smaller(messages: Case): Generator<Case> {
  for (const [at, one] of messages.entries()) {
    const put = (instead: readonly Message[]) => [
      ...messages.slice(0, at),
      ...instead,
      ...messages.slice(at + 1),
    ]
    if (messages.length > 1) yield put([])
    for (const nth of one.headers.keys()) yield put([{ ...one, headers: one.headers.toSpliced(nth, 1) }])
    if (one.body !== "") yield put([{ ...one, body: "" }])
    for (const end of [one.line.length / 2, one.line.length / 4].map(Math.floor))
      for (let from = 4; from + end < one.line.length - 9; from += Math.max(1, end))
        yield put([{ ...one, line: one.line.slice(0, from) + one.line.slice(from + end) }])
    for (let from = 4; from < one.line.length - 9; from += 1)
      yield put([{ ...one, line: one.line.slice(0, from) + one.line.slice(from + 1) }])
  }
}
