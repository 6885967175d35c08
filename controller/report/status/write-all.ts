import type { Statuses } from "../../input/provider/status.ts"
import type { StatusAddress } from "../../model/objects/status-address.ts"
import { Failure } from "../../support/failure.ts"
import { limit } from "../../support/lanes.ts"

/** As many as ingress-nginx writes at a time: everybody else asks the API server, too. */
const maxAtOnce = 10

/** What became of several writes. The rest was not tried: the signal aborted, or `broken` says why there was no use in it. */
export interface Outcome {
  readonly written: number
  /** by Ingress, what there is against it alone */
  readonly refused: ReadonlyMap<string, Failure>
  readonly broken?: Failure
}

/** Writes the same addresses to several Ingresses, ten at a time. One that is refused holds up no other. Names are `namespace/name`. */
export async function writeAll(
  ingresses: readonly string[],
  addresses: readonly StatusAddress[],
  statuses: Pick<Statuses, "write">,
  signal: AbortSignal,
): Promise<Outcome> {
  const refused = new Map<string, Failure>()
  let written = 0
  let broken: Failure | undefined
  const write = async (ingress: string) => {
    if (signal.aborted || broken) return
    try {
      await statuses.write(ingress, addresses, signal)
      written += 1
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === "status-refused") refused.set(ingress, error)
      else if (!signal.aborted) broken ??= error
    }
  }
  const writing = limit(maxAtOnce)
  await Promise.all(ingresses.map((ingress) => writing(() => write(ingress))))
  return { written, refused, ...(broken && { broken }) }
}
