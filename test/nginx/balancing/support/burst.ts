// Many requests at a time, and what became of each: its answer, and which endpoints it has tried.
import type { Backend } from "../../../../harness/backends.ts"
import type { Answer, Question } from "../../../../harness/http.ts"
import { startLoad } from "../../../../harness/load.ts"
import type { Plane } from "../../../../harness/plane.ts"

export interface Taken {
  readonly question: Question
  readonly answer: Answer
  /** Names of the endpoints that were tried, one after the other. */
  readonly tried: readonly string[]
}

export interface BurstOptions {
  readonly requests: number
  /** How many are under way at a time; default 12. */
  readonly connections?: number
  readonly question: (n: number) => Question
}

/** Asks on fresh connections, so that all workers serve some. Throws when a request gets no answer at all. */
export async function burst(
  plane: Plane,
  backends: readonly Backend[],
  options: BurstOptions,
): Promise<Taken[]> {
  const taken: Taken[] = []
  const load = startLoad({
    port: plane.nginx.port,
    keepAlive: false,
    connections: 12,
    ...options,
    onAnswer: (answer, _startedMs, question) =>
      taken.push({ question, answer, tried: triedBy(answer, backends) }),
  })
  const { lost } = await load.done
  if (lost.length > 0) throw new Error(`${lost.length} requests were lost: ${lost[0]?.error}`)
  return taken
}

/** Names of the endpoints that an answer's request has tried. */
export function triedBy({ headers }: Answer, backends: readonly Backend[]): string[] {
  const addresses = String(headers["x-tried"] ?? "").split(", ")
  return addresses.filter(Boolean).map((address) => {
    const port = Number(address.slice(address.lastIndexOf(":") + 1))
    return backends.find((backend) => backend.port === port)?.name ?? address
  })
}

export function workersOf(taken: readonly Taken[]): Set<unknown> {
  return new Set(taken.map(({ answer }) => answer.headers["x-worker"]))
}

/** How often each thing occurs. */
export function countsOf<T>(things: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1)
  return counts
}

/** Answers by status and body. */
export function answersOf(taken: readonly Taken[]): Map<string, number> {
  return countsOf(taken.map(({ answer }) => `${answer.status} ${answer.body}`))
}

/** Those that tried one of `count` endpoints again while another was left. */
export function repeated(taken: readonly Taken[], count: number): readonly Taken[] {
  return taken.filter(({ tried }) => new Set(tried).size < Math.min(tried.length, count))
}
