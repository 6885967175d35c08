import { isDeepStrictEqual } from "node:util"
import type { Problem } from "../../../model/problem.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import { hostText, ruleProblem } from "../../declared/problems.ts"
import { isCanary, type ParsedIngress } from "../parsed/parsed-ingress.ts"

/**
 * What the clients of a host have to show, on all of its paths. The first Ingress that names an authority decides. One whose annotations
 * cannot be understood closes the host (behaviour of ingress-nginx).
 *
 * @param ingresses that mention the host, the oldest first
 */
export function mergeClientValidation(
  host: string,
  ingresses: readonly ParsedIngress[],
  problems: Problem[],
): ClientValidation | undefined {
  // Canaries come last: they have no host of their own, but whom they keep out stays out.
  const inOrder = [...ingresses.filter((ingress) => !isCanary(ingress)), ...ingresses.filter(isCanary)]
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

function wantsSame(a: ParsedIngress, b: ParsedIngress): boolean {
  return saysSameOfClients(a.clients, b.clients)
}

/** The object that says so. */
export function saysSameOfClients(a: ClientValidation | undefined, b: ClientValidation | undefined): boolean {
  return isDeepStrictEqual(wantedOf(a), wantedOf(b))
}

function wantedOf(clients: ClientValidation | undefined): unknown {
  if (clients?.kind !== "certificate") return clients?.kind
  const { namespace: _, ingressName: __, ...wanted } = clients.certificate
  return { ...wanted, depth: clients.depth }
}

function closed({ root }: ParsedIngress, host: string, closing: ParsedIngress): Problem {
  const message = `Cannot serve ${hostText(host)}: the auth-tls annotations of Ingress "${closing.name}" for the same host cannot be used; requests get 403`
  return ruleProblem(root, "spec.rules", "host-closed", message)
}

function unheard(other: ParsedIngress, host: string, first: ParsedIngress): Problem {
  const age = isCanary(first) === isCanary(other) ? "is older" : "is no canary"
  const message = `Cannot use the auth-tls annotations for ${hostText(host)}: Ingress "${first.name}" ${age} and has others, which apply; write the same in both`
  return ruleProblem(other.root, other.clients?.field ?? "metadata", "client-certificates-taken", message)
}
