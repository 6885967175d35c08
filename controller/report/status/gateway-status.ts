import type { GatewayStatusWriter } from "../../input/provider/status.ts"
import type { ObjectStatus } from "../../model/object-status.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { noEntries, parseStatus, printStatus, type StatusText } from "../../model/status-text.ts"
import type { KeptStatus, Wanted, WantedPart } from "./status-kind.ts"

/** What is known of a burst of changes after so long is written: people, and tools that install, wait for conditions. */
const collectMs = 200

/** Each route that comes has a status: ten at a time would keep the next ones waiting, in the API server and here. */
const maxAtOnce = 2

/**
 * What passes say of the objects of the Gateway API. Where a route or policy has nothing to do with us any more, what we have said of it is taken back.
 *
 * @param statuses what is in force says; undefined before the first pass
 */
export function gatewayStatus(
  statuses: () => readonly ObjectStatus[] | undefined,
  writer: GatewayStatusWriter,
): KeptStatus<StatusText> {
  return {
    writer,
    wanted: () => wantedOf(statuses(), writer),
    isSame: (a, b) => a === b,
    collectMs,
    maxAtOnce,
    plural: "objects of the Gateway API",
    unknown: "The status of objects of the Gateway API is not known",
    told: (objects, part) => ({ objects, ...(part !== undefined && { example: parseStatus(part).status }) }),
  }
}

function wantedOf(
  statuses: readonly ObjectStatus[] | undefined,
  writer: GatewayStatusWriter,
): Wanted<StatusText> {
  if (statuses === undefined) return { kind: "unknown", reason: "nothing has been served so far" }
  const parts = statuses.map(partOf)
  const named = new Set(parts.map(([name]) => name))
  const forgotten = [...writer.entries()].filter((name) => !named.has(name))
  return { kind: "known", parts: [...parts, ...forgotten.flatMap(withoutEntries)] }
}

function withoutEntries(name: string): readonly WantedPart<StatusText>[] {
  const none = noEntries(name.slice(0, name.indexOf(" ")))
  return none === undefined ? [] : [[name, none]]
}

const parts = new WeakMap<ObjectStatus, WantedPart<StatusText>>()

/** Of thousands of objects few are others from pass to pass. */
function partOf(status: ObjectStatus): WantedPart<StatusText> {
  const known = parts.get(status)
  if (known !== undefined) return known
  const part: WantedPart<StatusText> = [nameOf(status), printStatus(status)]
  parts.set(status, part)
  return part
}

/** `HTTPRoute shop/cart` */
function nameOf(status: ObjectStatus): string {
  return [status.kind, qualifiedName(status)].join(" ")
}
