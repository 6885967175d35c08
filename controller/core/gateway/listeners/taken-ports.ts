import { qualifiedName } from "../../../model/objects/object.ts"
import { shown } from "../../../model/shown.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { Place } from "../placement.ts"
import type { AttachableListener } from "./attachable.ts"
import { type GatewayListeners, unavailablePort } from "./gateways.ts"

interface Placed extends GatewayListeners {
  readonly place: Place
  /** its HTTPS listeners have HTTP/3, too */
  readonly usesHttp3: boolean
}

/** How nginx reads a port, of TCP or of UDP: it is one way for all Gateways. */
type Use = "requests" | "requests by TLS" | "connections" | "connections by TLS" | "HTTP/3" | "datagrams"

/** By `tcp` or `udp` and number. */
type Users = Map<string, User[]>

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
  const users: Users = new Map()
  const inOrder = [
    ...all.filter(({ place }) => !place.isShared),
    ...all.filter(({ place }) => place.isShared),
  ]
  const judged = new Map(inOrder.map((of) => [of, judge(of, users)]))
  return all.map((of) => judged.get(of) ?? of)
}

function judge<P extends Placed>(of: P, users: Users): P {
  const listeners = of.listeners.map((listener) => judgeListener(listener, of, users))
  return { ...of, listeners }
}

function judgeListener(listener: AttachableListener, of: Placed, users: Users): AttachableListener {
  const { spec, field, refused, conflict } = listener
  const port = of.place.portOf(spec.port)
  if ((conflict ?? refused) !== undefined || port === undefined) return listener
  const transport = spec.protocol === "UDP" ? "udp" : "tcp"
  const other = otherUser(`${transport} ${port}`, { use: useOf(spec.protocol), of }, users)
  if (other === undefined) {
    // It has HTTPS all the same where the datagrams are of somebody else.
    if (spec.protocol === "HTTPS" && of.usesHttp3) otherUser(`udp ${port}`, { use: "HTTP/3", of }, users)
    return listener
  }
  const { namespace, name } = other.of.gateway.meta
  const owner = `Gateway ${shown(qualifiedName({ namespace, name }))} (${other.use})`
  return { ...listener, refused: unavailablePort(spec.port, field, owner) }
}

/** Who has the port in another way; undefined: nobody. Who comes first has it from then on. */
function otherUser(port: string, user: User, users: Users): User | undefined {
  const known = getOrMake(users, port, () => [])
  const other = known.find((it) => !goTogether(it, user))
  if (other === undefined) known.push(user)
  return other
}

function useOf(protocol: string): Use {
  if (protocol === "HTTP") return "requests"
  if (protocol === "UDP") return "datagrams"
  if (protocol === "HTTPS") return "requests by TLS"
  return protocol === "TLS" ? "connections by TLS" : "connections"
}

const byTls: readonly Use[] = ["requests by TLS", "connections by TLS"]
const connections: readonly Use[] = ["connections", "connections by TLS"]

/** Where both speak TLS, connections of one Gateway are told from requests of another by the address: the ClientHello has been read by then. */
function goTogether(a: User, b: User): boolean {
  if (a.use === b.use || a.of === b.of) return true
  const areApart = !a.of.place.isShared && !b.of.place.isShared
  const are = (uses: readonly Use[]) => uses.includes(a.use) && uses.includes(b.use)
  return are(connections) || (areApart && are(byTls))
}
