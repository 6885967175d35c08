import { aborted, sleep } from "../../../controller/support/abort.ts"
import { limit } from "../../../controller/support/lanes.ts"
import { RateLimit } from "../../../controller/support/rate-limit.ts"
import type { DiffRequest } from "../requests/request.ts"
import { askBoth, compareHandshakes, type Outcome, type Sides, type Turn } from "./ask-both.ts"
import type { SendOptions } from "./send.ts"

export interface ReplayOptions extends SendOptions {
  /** requests to each side */
  readonly perSecond: number
  /** requests to each side at a time */
  readonly maxAtOnce: number
}

/** A request, and how both have answered it. */
export interface Result {
  readonly request: DiffRequest
  /** it is about what comes before requests: certificate and protocol */
  readonly isHandshake: boolean
  readonly outcome: Outcome
}

/** Asks both sides for everything, and for a handshake with each host. @returns what there is when all is done, or the signal aborts */
export async function replay(
  requests: readonly DiffRequest[],
  sides: Sides,
  options: ReplayOptions,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const turn = turns(options.perSecond, signal)
  const atOnce = limit(options.maxAtOnce)
  const work = tasksFor(requests).map(({ request, isHandshake }) =>
    atOnce(async () => {
      if (signal.aborted) return
      const ask = isHandshake
        ? compareHandshakes(request.host, sides, options, turn)
        : askBoth(request, sides, options, turn)
      const outcome = await ask
      if (!signal.aborted) results.push({ request, isHandshake, outcome })
    }),
  )
  await Promise.race([Promise.all(work), aborted(signal)])
  return results.slice()
}

/** How many things are asked for. */
export function countTasks(requests: readonly DiffRequest[]): number {
  return tasksFor(requests).length
}

function tasksFor(requests: readonly DiffRequest[]): readonly Pick<Result, "request" | "isHandshake">[] {
  const hosts = new Set(requests.filter(({ scheme }) => scheme === "https").map(({ host }) => host))
  const handshakes = [...hosts].map((host) => ({ request: handshakeWith(host), isHandshake: true }))
  return [...handshakes, ...requests.map((request) => ({ request, isHandshake: false }))]
}

function handshakeWith(host: string): DiffRequest {
  return { scheme: "https", host, target: "/", method: "GET", headers: {}, about: "handshake" }
}

/** A second's worth may come at once at most. After the signal nobody has to wait: nothing is kept any more. */
function turns(perSecond: number, signal: AbortSignal): Turn {
  const limit = new RateLimit(perSecond, 1)
  return async () => {
    while (!limit.take() && !signal.aborted) await sleep(limit.waitMs(), signal)
  }
}
