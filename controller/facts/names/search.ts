import type { ResolvConf } from "./resolv-conf.ts"

/** RFC 1035, 2.3.4, written without the dot at the end. */
const maxCharacters = 253

/**
 * The names to ask for, the most likely first, without a dot at the end: one with as many dots as `ndots` says is tried as it stands and then
 * in each search domain, another the other way round; a dot at its end says that it is complete. Source: resolv.conf(5).
 */
export function candidates(name: string, { search, ndots }: Pick<ResolvConf, "search" | "ndots">): string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)]
  const inDomains = search.map((domain) => `${name}.${domain}`)
  const dots = name.split(".").length - 1
  const all = dots >= ndots ? [name, ...inDomains] : [...inDomains, name]
  return all.filter((candidate) => candidate.length <= maxCharacters)
}
