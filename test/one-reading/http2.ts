// The same by HTTP/2: pseudo-headers, and what only HTTP/1.1 has a meaning for.
import type { Http2Request } from "../support/http2-bytes.ts"
import { authority, header, target } from "./grammar.ts"
import type { Random } from "./random.ts"

const bodies = ["abc", "0\r\n\r\n", "GET /open/smuggled HTTP/1.1\r\nHost: node.test\r\n\r\n"] as const
const odd = [
  [":authority", "go.test"],
  [":path", "/guarded"],
  ["host", "node.test"],
  ["host", "go.test"],
  ["transfer-encoding", "chunked"],
  ["content-length", "3"],
  ["content-length", "0"],
  ["connection", "x-user"],
  ["upgrade", "h2c"],
  ["te", "trailers"],
  ["x-a", "b\r\nx-user: evil"],
  ["x-a\r\nx-user", "evil"],
] as const

export function generateHttp2(random: Random): Http2Request {
  const pseudo: (readonly [string, string])[] = [
    [":method", random.pick(["GET", "GET", "GET", "POST", "get", "GET /guarded HTTP/1.1\r\nX:", "CONNECT"])],
    [":scheme", random.pick(["https", "https", "https", "http", "javascript"])],
    [":path", target(random)],
    [":authority", random.once(3) ? authority(random) : "node.test"],
  ]
  const kept = pseudo.filter(() => !random.once(40))
  const told = random
    .some(3, () => header(random))
    .map((line): readonly [string, string] => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    })
  const more = random.once(3) ? [random.pick(odd)] : []
  const headers = random.once(20) ? [...more, ...kept, ...told] : [...kept, ...told, ...more]
  return { headers, ...(random.once(3) && { body: [random.pick(bodies)] }) }
}
