/** A name of a reserved domain (RFC 6761), which no Ingress has: requests for it are for every other host. */
export const unknownHost = "wick-diff.invalid"

/**
 * Names to ask for in the place of a rule's host, the one for all paths first: a wildcard stands for one label, so neither for two nor for none.
 *
 * @param host lower-case; "" for every host
 */
export function namesFor(host: string): readonly string[] {
  if (host === "") return [unknownHost]
  if (!host.startsWith("*.")) return [host]
  const rest = host.slice("*.".length)
  return [`wick-diff.${rest}`, `two.labels.${rest}`, rest]
}

/** The other name of a host that redirects to `www.` or from there. */
export function wwwName(host: string): string {
  return host.startsWith("www.") ? host.slice("www.".length) : `www.${host}`
}
