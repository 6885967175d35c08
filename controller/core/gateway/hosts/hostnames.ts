// Host names of the Gateway API: exact ones, `*.rest` for one label or more in front, "" for every name.

/** What both stand for; undefined: nothing. */
export function intersection(a: string, b: string): string | undefined {
  if (a === "" || a === b) return b
  if (b === "") return a
  if (isUnder(a, b)) return a
  return isUnder(b, a) ? b : undefined
}

/** Whether everything that `name` stands for is in the wildcard. */
function isUnder(name: string, wildcard: string): boolean {
  if (!wildcard.startsWith("*.")) return false
  const end = wildcard.slice(1)
  return name.endsWith(end) && name !== `*${end}` && name.length > end.length
}

/** Whether all that `name` stands for is in `other`. */
export function isWithin(name: string, other: string): boolean {
  return intersection(name, other) === name
}

/**
 * The more specific first: more characters of a name without a wildcard, then more of any. Source: Gateway API, HTTPRouteSpec.hostnames.
 */
export function bySpecificity(a: string, b: string): number {
  return exactLength(b) - exactLength(a) || b.length - a.length
}

function exactLength(name: string): number {
  return name.startsWith("*") ? 0 : name.length
}

/** As `DeclaredHost.host` has it. */
export function declaredName(hostname: string): string {
  if (hostname === "") return "_"
  return hostname.startsWith("*.") ? `*${hostname}` : hostname
}

/** The wildcards that a name is within, the narrowest first, and "" for every name. */
export function wildcardsOver(name: string): readonly string[] {
  if (name === "") return []
  const labels = name.split(".")
  return [
    ...labels
      .slice(1)
      .map((_, at) => `*.${labels.slice(at + 1).join(".")}`)
      .filter((it) => it !== name),
    "",
  ]
}

/** Whether a name that a listener serves is its own: that of the listener with the most specific hostname. @param others hostnames of all listeners */
export function isOwnName(name: string, hostname: string, others: ReadonlySet<string>): boolean {
  for (const over of [name, ...wildcardsOver(name)]) {
    if (over === hostname) return true
    if (others.has(over) && isWithin(over, hostname)) return false
  }
  return true
}
