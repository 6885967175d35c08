import type { StatusWriter } from "../../input/provider/status.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { type StatusAddress, sameAddresses } from "../../model/objects/status-address.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { type AddressOptions, addressesOf } from "./addresses.ts"
import type { KeptStatus } from "./status-kind.ts"

type Objects = Pick<Snapshot, "ingresses" | "services" | "pods" | "nodes">

/** Under which addresses Ingresses are reached: all of them under the same. */
export function ingressStatus(
  snapshot: () => Objects,
  options: AddressOptions,
  writer: StatusWriter<readonly StatusAddress[]>,
): KeptStatus<readonly StatusAddress[]> {
  return {
    writer,
    wanted: () => {
      const objects = snapshot()
      const found = addressesOf(objects, options)
      if (found.kind === "unknown") return found
      const { addresses } = found
      return {
        kind: "known",
        parts: objects.ingresses.map(({ meta }) => [qualifiedName(meta), addresses]),
      }
    },
    isSame: sameAddresses,
    plural: "Ingresses",
    unknown: "Addresses for the status of Ingresses are not known",
    told: (ingresses, addresses) => ({
      ingresses,
      ...(addresses && { addresses: addresses.map(printAddress) }),
    }),
  }
}

/** `192.0.2.1`, `lb.test`, or both when they are one address. */
function printAddress({ ip, hostname }: StatusAddress): string {
  return [ip, hostname].filter((text) => text !== "").join(" ")
}
