const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** RFC 1035, 2.3.4, written out. */
const maxNameCharacters = 253

/**
 * A host in lower case: RFC 1123 labels, or `*.` and such labels (one wildcard label in front).
 *
 * @returns what is wrong, to be put behind a colon, or undefined
 */
export function checkHost(host: string): string | undefined {
  if (host.length > maxNameCharacters) return `it is longer than ${maxNameCharacters} characters`
  const rest = host.startsWith("*.") ? host.slice(2) : host
  if (isName(rest)) return undefined
  return 'write a DNS name, or "*." and a DNS name (non-ASCII names in their xn-- form)'
}

/** A DNS name in lower case, without a dot at the end. */
export function isName(text: string): boolean {
  return text.length <= maxNameCharacters && text.split(".").every((part) => label.test(part))
}

/** One label of RFC 1123, section 2.1, in lower case: the name of a namespace, a Service or a port. */
export function isLabel(text: string): boolean {
  return label.test(text)
}

/** `*.` and the host without its first label: the wildcard that stands for it. */
export function wildcardOf(host: string): string {
  return `*${host.slice(Math.max(host.indexOf("."), 0))}`
}

/** The names under which a host may be served, the best first: its own, one label replaced by `*`, labels by `**`, the fewest first, and `_`. */
export function candidatesFor(host: string): readonly string[] {
  const [, ...rests] = host.split(".").map((_, at, labels) => labels.slice(at).join("."))
  const [first] = rests
  return [host, ...(first === undefined ? [] : [`*.${first}`]), ...rests.map((rest) => `**.${rest}`), "_"]
}
