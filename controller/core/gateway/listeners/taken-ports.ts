import { qualifiedName } from "../../../model/objects/object.ts"
import { shown } from "../../../model/shown.ts"
import type { Place } from "../placement.ts"
import type { AttachableListener } from "./attachable.ts"
import { type GatewayListeners, unavailablePort } from "./gateways.ts"

interface Placed extends GatewayListeners {
  readonly place: Place
}

/** How nginx reads a port: it is one way for all Gateways. */
type Use = "requests" | "requests by TLS" | "connections"

/** The user of a port. */
interface User {
  readonly use: Use
  readonly of: Placed
}

/**
 * What nginx reads in one way for a Gateway it cannot read in another way for the next. Gateways with addresses or ports of their own come before those
 * on all addresses, and then the older before the younger, so that nobody loses a port to who comes later.
 *
 * @param all the older first. @returns them in the same order
 */
export function withoutTakenPorts<P extends Placed>(all: readonly P[]): readonly P[] {
  const users = new Map<number, User>()
  const inOrder = [
    ...all.filter(({ place }) => !place.isShared),
    ...all.filter(({ place }) => place.isShared),
  ]
  const judged = new Map(inOrder.map((of) => [of, judge(of, users)]))
  return all.map((of) => judged.get(of) ?? of)
}

function judge<P extends Placed>(of: P, users: Map<number, User>): P {
  const listeners = of.listeners.map((listener) => judgeListener(listener, of, users))
  return { ...of, listeners }
}

function judgeListener(
  listener: AttachableListener,
  of: Placed,
  users: Map<number, User>,
): AttachableListener {
  const { spec, field, refused, conflict } = listener
  const port = of.place.portOf(spec.port)
  if ((conflict ?? refused) !== undefined || spec.protocol === "UDP" || port === undefined) return listener
  const user: User = { use: useOf(spec.protocol), of }
  const known = users.get(port) ?? user
  users.set(port, known)
  if (goTogether(known, user)) return listener
  const { namespace, name } = known.of.gateway.meta
  const owner = `Gateway ${shown(qualifiedName({ namespace, name }))} (${known.use})`
  return { ...listener, refused: unavailablePort(spec.port, field, owner) }
}

function useOf(protocol: string): Use {
  if (protocol === "HTTP") return "requests"
  return protocol === "HTTPS" ? "requests by TLS" : "connections"
}

/** Connections of one Gateway are told from requests by TLS of another by the address. */
function goTogether(a: User, b: User): boolean {
  if (a.use === b.use || a.of === b.of) return true
  if (a.use === "requests" || b.use === "requests") return false
  return !a.of.place.isShared && !b.of.place.isShared
}
