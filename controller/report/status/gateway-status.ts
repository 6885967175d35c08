import type { GatewayStatusWriter } from "../../input/provider/status.ts"
import type { ObjectStatus } from "../../model/object-status.ts"
import { parseStatus, type StatusText } from "../../model/status-text.ts"
import { DifferingStatuses } from "./differing-statuses.ts"
import type { KeptStatus, Wanted } from "./status-kind.ts"

/** What is known of a burst of changes after so long is written: people, and tools that install, wait for conditions. */
const collectMs = 200

/** Each route that comes has a status: ten at a time would keep the next ones waiting, in the API server and here. */
const maxAtOnce = 2

/** Half a second's work, after which Gateways are told how many of the routes there are now. */
const maxInRound = 100

/**
 * What passes say of the objects of the Gateway API. Where a route or policy has nothing to do with us any more, what we have said of it is taken back.
 *
 * @param statuses what is in force says; undefined before the first pass
 */
export function gatewayStatus(
  statuses: () => readonly ObjectStatus[] | undefined,
  writer: GatewayStatusWriter,
): KeptStatus<StatusText> {
  const differing = new DifferingStatuses(writer)
  return {
    writer,
    wanted: () => wantedAmong(statuses(), differing),
    isSame: (a, b) => a === b,
    collectMs,
    maxAtOnce,
    maxInRound,
    plural: "objects of the Gateway API",
    unknown: "The status of objects of the Gateway API is not known",
    told: (objects, part) => ({ objects, ...(part !== undefined && { example: parseStatus(part).status }) }),
  }
}

function wantedAmong(
  statuses: readonly ObjectStatus[] | undefined,
  differing: DifferingStatuses,
): Wanted<StatusText> {
  if (statuses === undefined) return { kind: "unknown", reason: "nothing has been served so far" }
  return { kind: "known", parts: differing.among(statuses) }
}
