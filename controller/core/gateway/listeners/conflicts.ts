import { qualifiedName } from "../../../model/objects/object.ts"
import { shown } from "../../../model/shown.ts"
import type { Finding } from "../finding.ts"
import type { AttachableListener } from "./attachable.ts"

/** What a port may be at the same time. */
const layers: Readonly<Record<string, string>> = {
  HTTP: "http",
  HTTPS: "tls",
  TLS: "tls",
  TCP: "tcp",
  UDP: "udp",
}

/**
 * Listeners that have the same traffic as another of their Gateway. Of several objects the Gateway's own come first, then those of the older ListenerSets; of
 * what is left of one object none is better than the other.
 *
 * @param all of one Gateway, in that order
 */
export function withConflicts(all: readonly AttachableListener[]): readonly AttachableListener[] {
  const accepted: AttachableListener[] = []
  const byOwner = Map.groupBy(all, ({ owner }) => owner)
  return [...byOwner.values()].flatMap((own) => {
    const taken = new Map(own.map((listener) => [listener, first(accepted, listener)]))
    const equals = own.filter(
      (listener) => listener.refused === undefined && taken.get(listener) === undefined,
    )
    const judged = own.map((listener) => {
      if (listener.refused !== undefined) return listener
      const others = equals.filter((other) => other !== listener)
      const conflict = taken.get(listener) ?? first(others, listener)
      return conflict === undefined ? listener : { ...listener, conflict }
    })
    accepted.push(...judged.filter(({ conflict, refused }) => (conflict ?? refused) === undefined))
    return judged
  })
}

function first(others: readonly AttachableListener[], listener: AttachableListener): Finding | undefined {
  for (const other of others) {
    const reason = conflictOf(listener, other)
    if (reason !== undefined) return found(reason, listener, other)
  }
  return undefined
}

function conflictOf(
  { spec: a }: AttachableListener,
  { spec: b }: AttachableListener,
): "ProtocolConflict" | "HostnameConflict" | undefined {
  if (a.port !== b.port) return undefined
  const [one, other] = [layers[a.protocol], layers[b.protocol]]
  // Datagrams are on ports of their own.
  if (one !== other) return one === "udp" || other === "udp" ? undefined : "ProtocolConflict"
  const hasNames = one === "http" || one === "tls"
  return !hasNames || a.hostname === b.hostname ? "HostnameConflict" : undefined
}

function found(
  reason: "ProtocolConflict" | "HostnameConflict",
  { spec, field }: AttachableListener,
  { owner, spec: other }: AttachableListener,
): Finding {
  const what = reason === "ProtocolConflict" ? `speaks ${other.protocol} on it` : "has the same traffic"
  const message = `Cannot serve port ${spec.port} for listener ${shown(spec.name)}: listener ${shown(other.name)} of ${owner.kind} "${qualifiedName(owner.meta)}" ${what}; change port or hostname`
  return { reason, code: "listener-conflict", field, message }
}
