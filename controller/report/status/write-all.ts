import type { StatusWriter } from "../../input/provider/status.ts"
import { Failure } from "../../support/failure.ts"
import { limit } from "../../support/lanes.ts"
import type { WantedPart } from "./status-kind.ts"

/** As many as ingress-nginx writes at a time: everybody else asks the API server, too. */
const usualAtOnce = 10

/** What became of several writes. The rest was not tried: the signal aborted, or `broken` says why there was no use in it. */
export interface Outcome {
  readonly written: number
  /** by name, what there is against it alone */
  readonly refused: ReadonlyMap<string, Failure>
  readonly broken?: Failure
}

/** Writes to several objects, `maxAtOnce` at a time. One that is refused holds up no other. */
export async function writeAll<Part>(
  parts: readonly WantedPart<Part>[],
  writer: Pick<StatusWriter<Part>, "write">,
  signal: AbortSignal,
  maxAtOnce = usualAtOnce,
): Promise<Outcome> {
  const refused = new Map<string, Failure>()
  let written = 0
  let broken: Failure | undefined
  const write = async ([name, part]: WantedPart<Part>) => {
    if (signal.aborted || broken) return
    try {
      await writer.write(name, part, signal)
      written += 1
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === "status-refused") refused.set(name, error)
      else if (!signal.aborted) broken ??= error
    }
  }
  const writing = limit(maxAtOnce)
  await Promise.all(parts.map((wanted) => writing(() => write(wanted))))
  return { written, refused, ...(broken && { broken }) }
}
