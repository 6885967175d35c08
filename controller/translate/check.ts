import { hasControlCharacter } from "../annotations/parse.ts"

// What a host, a path and a name may be. Each check returns what is wrong, to be put behind a colon, or undefined.

/** One label of RFC 1123, section 2.1, in lower case. */
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** RFC 1035, 2.3.4, written out. */
const mostNameCharacters = 253

/** Longer paths cannot be requested: nginx takes a request line of 8 KiB, escapes included. */
const mostPathBytes = 4096

/** A host in lower case: RFC 1123 labels, or `*.` and such labels (one wildcard label in front). */
export function checkHost(host: string): string | undefined {
  if (host.length > mostNameCharacters) return `it is longer than ${mostNameCharacters} characters`
  const rest = host.startsWith("*.") ? host.slice(2) : host
  if (isName(rest)) return undefined
  return 'write a DNS name, or "*." and a DNS name (non-ASCII names in their xn-- form)'
}

/** A DNS name in lower case, without a dot at the end. */
export function isName(text: string): boolean {
  return text.length <= mostNameCharacters && text.split(".").every((part) => label.test(part))
}

/** A path as nginx compares it. `isStrict` is what the API server asks of pathType Exact and Prefix; other paths may be meant as patterns. */
export function checkPath(path: string, isStrict: boolean): string | undefined {
  if (!path.startsWith("/")) return "it does not start with a slash"
  if (hasControlCharacter(path)) return "it holds a control character or line break"
  if (!path.isWellFormed()) return "it holds half of a character"
  if (Buffer.byteLength(path) > mostPathBytes) return `it is longer than ${mostPathBytes} bytes`
  if (isStrict && /\/\/|\/\.{1,2}(\/|$)/.test(path)) {
    return 'it holds "//", "/./" or "/../", which nginx resolves in requests before it compares'
  }
  return undefined
}

/** Name of a Service or port: one DNS label. */
export function isLabel(name: string): boolean {
  return label.test(name)
}
