import { DECLINE, Endpoints, hash, Request } from "wick-policy"

/** The claim that says who a client is, unless the configuration names another. */
const CLAIM: string = "sub"
/** So much busier than any other the endpoint of a client may be: a token is not verified here, and nobody may crowd an endpoint with one. */
const FACTOR: u64 = 2
const SLACK: u64 = 8

/**
 * Requests with the same claim in their token (`Authorization: Bearer …`) go to the same endpoint. The operator makes the header `authorization` readable.
 * The token is read, not trusted: it decides who serves the request, never who may send one.
 */
export function pick(endpoints: Endpoints, request: Request): i32 {
  const claim = claimOf(request.header("authorization"), endpoints.config == "" ? CLAIM : endpoints.config)
  if (claim == "") return endpoints.leastBusy()
  const own = endpoints.byHash(hash(claim))
  const other = endpoints.any()
  if (own == DECLINE || other == DECLINE) return own
  return endpoints.running(own) <= FACTOR * endpoints.running(other) + SLACK ? own : other
}

/** The value of a claim as it is written in the token; empty if there is none. */
function claimOf(header: string | null, name: string): string {
  if (header == null || !header.startsWith("Bearer ")) return ""
  const parts = header.split(".")
  return parts.length == 3 ? member(fromBase64(parts[1]), name) : ""
}

const ALPHABET: string = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

function fromBase64(text: string): string {
  const bytes = new Uint8Array((text.length * 3) / 4)
  let bits: u32 = 0
  let place = 0
  for (let i = 0; i < text.length; i++) {
    const value = ALPHABET.indexOf(text.charAt(i))
    if (value < 0) return ""
    bits = (bits << 6) | value
    // Of four characters the last three complete a byte each.
    const left = 6 - 2 * (i % 4)
    if (left < 6) bytes[place++] = <u8>(bits >> left)
  }
  return String.UTF8.decode(bytes.buffer)
}

/** The value of a member of the outermost object, as it is written; empty if there is none. */
function member(json: string, name: string): string {
  const wanted = '"' + name + '"'
  let depth = 0
  let begin = -1
  let text = 0
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i)
    if (character == 0x22) {
      text = i
      i = endOfText(json, i)
      if (depth == 1 && begin < 0 && json.slice(text, i + 1) == wanted) begin = json.indexOf(":", i) + 1
    } else if (character == 0x7b || character == 0x5b) {
      depth++
    } else if (character == 0x7d || character == 0x5d) {
      depth--
    }
    const isOver = depth == 0 || (depth == 1 && character == 0x2c)
    if (begin > 0 && isOver) return json.slice(begin, i).trim()
  }
  return ""
}

/** The closing quote of a text that begins here. */
function endOfText(json: string, begin: i32): i32 {
  let i = begin + 1
  while (i < json.length && json.charCodeAt(i) != 0x22) i += json.charCodeAt(i) == 0x5c ? 2 : 1
  return i
}
