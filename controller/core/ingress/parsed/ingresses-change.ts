import { hostsOf, type ParsedIngress } from "./parsed-ingress.ts"

/** How the Ingresses of one pass differ from those of the pass before. One that was read again is removed as it was, and added as it is. */
export interface IngressesChange {
  readonly added: readonly ParsedIngress[]
  readonly removed: ReadonlySet<ParsedIngress>
}

/** The hosts that changed Ingresses mention. */
export function hostsIn({ added, removed }: IngressesChange): Set<string> {
  const hosts = new Set<string>()
  for (const ingress of [...removed, ...added]) for (const host of hostsOf(ingress)) hosts.add(host)
  return hosts
}
