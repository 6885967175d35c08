// Requests that come when they come, whatever became of those before: so an answer that is late keeps nobody from asking, and
// its lateness is seen in full.
import { Agent } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { ask, type Question } from "../../harness/http.ts"
import { Random } from "../../harness/random.ts"

export interface Arrival {
  /** When it was due, milliseconds since the load began. */
  readonly atMs: number
  /** From then to the whole answer. */
  readonly tookMs: number
  /** 0 if there was no answer. */
  readonly status: number
  readonly body: string
}

export interface OpenLoad {
  readonly port: number
  readonly question: Question
  readonly perSecond: number
  readonly seconds: number
  /** Same seed, same arrivals. */
  readonly seed: number
  /** Done at these seconds. */
  readonly at?: ReadonlyMap<number, () => void>
}

/** Poisson arrivals over kept connections, as many as are needed. Resolves when the last one is answered. */
export async function openLoad(load: OpenLoad): Promise<Arrival[]> {
  const agent = new Agent({ keepAlive: true })
  const random = new Random(load.seed)
  const startMs = performance.now()
  const events = [...(load.at ?? [])].toSorted(([a], [b]) => a - b)
  const asked: Promise<Arrival>[] = []
  for (let atMs = 0; atMs < 1000 * load.seconds; atMs += random.exponential(1000 / load.perSecond)) {
    await until(startMs + atMs)
    while (events[0] !== undefined && 1000 * events[0][0] <= atMs) events.shift()?.[1]()
    asked.push(one(load, agent, startMs, atMs))
  }
  const arrivals = await Promise.all(asked)
  agent.destroy()
  return arrivals
}

async function until(atMs: number): Promise<void> {
  const leftMs = atMs - performance.now()
  if (leftMs >= 1) await pause(leftMs)
}

async function one(
  { port, question }: OpenLoad,
  agent: Agent,
  startMs: number,
  atMs: number,
): Promise<Arrival> {
  const answer = await ask({ port, agent }, question).catch(() => undefined)
  const tookMs = performance.now() - startMs - atMs
  return { atMs, tookMs, status: answer?.status ?? 0, body: answer?.body ?? "" }
}
