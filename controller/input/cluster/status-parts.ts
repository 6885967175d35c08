import { readIngressStatus, type StatusAddress, sameAddresses } from "../../model/objects/status-address.ts"

/** Where our part of the status stands in the objects of a kind. */
export interface PartOfStatus<Part> {
  /** @param object as the API server sends it */
  read(object: unknown): Part
  isSame(a: Part, b: Part): boolean
  /** The status with our part in it, and all that others have written. @param status as it was */
  put(status: unknown, part: Part): unknown
}

/** Of Ingresses: under which addresses they are reached. */
export const ingressPart: PartOfStatus<readonly StatusAddress[]> = {
  read: readIngressStatus,
  isSame: sameAddresses,
  put: putAddresses,
}

/** An address that is there already keeps what stands beside it, as the states of its ports. */
function putAddresses(status: unknown, addresses: readonly StatusAddress[]): unknown {
  const { loadBalancer } = Object(status)
  const { ingress } = Object(loadBalancer)
  const before: readonly unknown[] = Array.isArray(ingress) ? ingress : []
  const entries = addresses.map((address) => {
    return before.find((entry) => isOf(entry, address)) ?? entryOf(address)
  })
  return { ...Object(status), loadBalancer: { ...Object(loadBalancer), ingress: entries } }
}

function isOf(entry: unknown, { ip, hostname }: StatusAddress): boolean {
  const { ip: itsIp = "", hostname: itsHostname = "" } = Object(entry)
  return itsIp === ip && itsHostname === hostname
}

function entryOf({ ip, hostname }: StatusAddress): object {
  return { ...(ip !== "" && { ip }), ...(hostname !== "" && { hostname }) }
}
