import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import type { Scheme } from "./request.ts"

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

/** Of the rules of an Ingress, in lower case; "" for every host. */
export function ruleHosts({ rules }: Ingress): readonly string[] {
  return rules.length > 0 ? rules.map(({ host }) => host.toLowerCase()) : [""]
}

/** Hosts with a certificate, in lower case. A section without hosts is for those of the rules. */
export function tlsHosts(ingress: Ingress): readonly string[] {
  return ingress.tls.flatMap(({ hosts }) =>
    hosts.length > 0 ? hosts.map((host) => host.toLowerCase()) : ruleHosts(ingress),
  )
}

/** What a host is asked by where nothing tells. @param tls hosts with certificates, as `tlsHosts` says them */
export function usualScheme(host: string, tls: ReadonlySet<string>): Scheme {
  return tls.has(host) || tls.has(host.replace(/^[^.]+/, "*")) ? "https" : "http"
}
