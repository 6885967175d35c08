/** A client's request with its attempts, as nginx makes them: what the filter says of one attempt is kept and told again. */
import type { Choice, End, Endpoint, Said, Worker } from "./host.ts"

export type RequestParts = {
  cookies?: Record<string, string>
  variables?: Record<string, string>
  headers?: Record<string, string>
  properties?: Record<string, string>
}
/** How an attempt ended; the default is a 200 after a millisecond. */
export type Ending = { outcome?: number; status?: number; firstByteMs?: number }

/** No connection could be made. */
export const REFUSED: Ending = { outcome: 1, status: 0, firstByteMs: 0.1 }

export class Exchange {
  /** The worker that serves it. Another one, after a rebuilt instance, may take over. */
  worker: Worker
  readonly backend: string
  readonly attempts: { said: Said; isOver: boolean }[] = []
  /** Cookies that the response sets. */
  readonly cookiesSet = new Map<string, string>()
  readonly #parts: RequestParts

  constructor(worker: Worker, backend: string, parts: RequestParts = {}) {
    this.worker = worker
    this.backend = backend
    this.#parts = parts
  }

  /** The next attempt. */
  select(): Choice {
    const { worker, attempts } = this
    this.#enter()
    const tried = attempts.map(({ said }) => said.tag)
    const choice = worker.select(this.backend, tried, attempts.at(-1)?.said.note)
    attempts.push({ said: worker.said(), isOver: false })
    return choice
  }

  /** The next attempt, at a backend that must have an endpoint. */
  pick(): Endpoint {
    const choice = this.select()
    if (!choice || !("address" in choice)) throw new Error(`No endpoint for ${this.backend}`)
    return choice
  }

  /** The last attempt has ended. */
  end({ outcome = 0, status = 200, firstByteMs = 1 }: Ending = {}): void {
    const last = this.attempts.at(-1)
    if (!last || last.isOver) throw new Error("No attempt is running")
    last.isOver = true
    this.#enter()
    const end: End = {
      outcome,
      status,
      connectTime: 0n,
      firstByteTime: BigInt(Math.round(firstByteMs * 1e6)),
    }
    this.worker.inform(this.backend, this.attempts.length - 1, last.said, end)
  }

  #enter(): void {
    const { cookies = {}, variables = {}, headers = {}, properties = {} } = this.#parts
    this.worker.cookies = new Map(Object.entries(cookies))
    this.worker.variables = new Map(Object.entries(variables))
    this.worker.requestHeaders = new Map(Object.entries(headers))
    this.worker.cookiesSet = this.cookiesSet
    this.worker.properties = new Map(Object.entries(properties))
  }
}

/** A request of one attempt that ends well, or as `ending` says of the endpoint. */
export function serve(
  worker: Worker,
  backend: string,
  ending: (endpoint: Endpoint) => Ending = () => ({}),
): Endpoint {
  const exchange = new Exchange(worker, backend)
  const endpoint = exchange.pick()
  exchange.end(ending(endpoint))
  return endpoint
}
