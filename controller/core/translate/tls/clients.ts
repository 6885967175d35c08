import { isDeepStrictEqual } from "node:util"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { IngressClaims } from "../ingress/claim.ts"
import type { ClientWish } from "../ingress/client-certificates.ts"
import { claimProblem } from "../problems.ts"
import { noSettings, type TlsSettings } from "./host-tls.ts"

/**
 * Settles what the clients of a host have to show, on all of its paths, whichever Ingress they are of: what the first Ingress wants that
 * names an authority. One that wants something that cannot be understood closes the host (behaviour of ingress-nginx).
 *
 * @param claims of the Ingresses that mention the host, the oldest first
 */
export function settleClients(
  host: string,
  claims: readonly IngressClaims[],
  problems: Problem[],
): ClientWish | undefined {
  // A canary has no host of its own. It is heard, so that what it wants kept out is, but after those that have.
  const inOrder = [...claims.filter((claim) => !isCanary(claim)), ...claims.filter(isCanary)]
  const closing = inOrder.find(({ clients }) => clients?.kind === "nobody")
  if (closing !== undefined) {
    for (const other of inOrder)
      if (other.clients?.kind !== "nobody") problems.push(closed(other, host, closing))
    return closing.clients
  }
  const [first, ...others] = inOrder.filter(({ clients }) => clients !== undefined)
  if (first === undefined) return undefined
  for (const other of others) if (!wantsSame(first, other)) problems.push(unheard(other, host, first))
  return first.clients
}

function isCanary({ root }: Pick<IngressClaims, "root">): boolean {
  return root.balancing.canary !== undefined
}

/** What handshakes for the host ask of clients. */
export function clientSettings(wish: ClientWish | undefined): TlsSettings {
  if (wish?.kind !== "certificate") return noSettings
  const { authority, depth, certificate } = wish
  const { verify } = certificate
  if (verify === "off") return noSettings
  return { clientCertificate: { authority: authority.id, verify, depth }, authority }
}

function wantsSame(a: IngressClaims, b: IngressClaims): boolean {
  return isDeepStrictEqual(wantedOf(a.clients), wantedOf(b.clients))
}

function wantedOf(wish: ClientWish | undefined): unknown {
  if (wish?.kind !== "certificate") return wish?.kind
  const { namespace: _, ingressName: __, ...wanted } = wish.certificate
  return { ...wanted, depth: wish.depth }
}

function closed({ root }: IngressClaims, host: string, closing: IngressClaims): Problem {
  const message = `Cannot serve ${where(host)}: Ingress "${closing.name}" asks its clients for certificates in a way that cannot be used; requests get 403`
  return claimProblem(root, "spec.rules", "host-closed", message)
}

function unheard({ root, clients }: IngressClaims, host: string, first: IngressClaims): Problem {
  const age = isCanary(first) === isCanary({ root }) ? "older" : "no canary"
  const message = `Cannot ask clients of ${where(host)} for certificates in another way than Ingress "${first.name}", which is ${age}`
  return claimProblem(root, clients?.field ?? "metadata", "client-certificates-taken", message)
}

function where(host: string): string {
  return host === "_" ? "every other host" : `host ${shown(host)}`
}
