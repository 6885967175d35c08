import { hasControlCharacter } from "../../annotations/parse.ts"

// What a path and a name may be. Each check returns what is wrong, to be put behind a colon, or undefined.

/** Longer paths cannot be requested: nginx takes a request line of 8 KiB, escapes included. With the slash that may follow, one is as long as a text of a record may be (docs/wire.md). */
const maxPathBytes = 4095

/** A path as nginx compares it. `isStrict` is what the API server asks of pathType Exact and Prefix; other paths may be meant as patterns. */
export function checkPath(path: string, isStrict: boolean): string | undefined {
  if (!path.startsWith("/")) return "it does not start with a slash"
  if (hasControlCharacter(path)) return "it holds a control character or line break"
  if (!path.isWellFormed()) return "it holds half of a character"
  if (Buffer.byteLength(path) > maxPathBytes) return `it is longer than ${maxPathBytes} bytes`
  if (isStrict && /\/\/|\/\.{1,2}(\/|$)/.test(path)) {
    return 'it holds "//", "/./" or "/../", which nginx resolves in requests before it compares'
  }
  return undefined
}
