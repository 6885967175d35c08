// Once a change is answered 201, no algorithm that keeps something of its own beside the list (a ring, keys of sessions,
// averages) uses what it had before, in any worker; also when a list comes back that was there two changes ago.
import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { type Backend, type Backends, startBackends } from "../../../harness/backends.ts"
import type { Answer, Question } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"
import { ingressRing, type Ring } from "../../support/reference-ring.ts"
import { type Algorithm, balanced } from "./support/algorithms.ts"

const changes = 300
const workers = 4
const watchedAlgorithms = ["chash", "sticky_balanced", "sticky_persistent", "ewma"] as const
type WatchedAlgorithm = (typeof watchedAlgorithms)[number] & Algorithm

/** Places in the list of all backends; from each step to the next something changes, and mostly it changes back. */
const lists = [[0, 1, 2], [2, 3, 4], [0, 1, 2], [1, 2], [3, 4], [1, 2], [4]] as const

/** A backend that changes: up to which step a 201 has come, and which step has been posted at most. */
interface Watched {
  readonly algorithm: WatchedAlgorithm
  confirmed: number
  posted: number
}

test(`${changes} changes under load, no stale pick from any of ${workers} workers`, async () => {
  await using backends = await startBackends("a", "b", "c", "d", "e")
  await using plane = await startPlane({ workers })
  const book = new Book(backends)
  const all: Watched[] = watchedAlgorithms.map((algorithm) => ({ algorithm, confirmed: 0, posted: 0 }))
  await plane.apply({
    backends: { set: all.map((watched) => book.posted(watched)) },
    routes: { set: all.map(({ algorithm }) => host(`${algorithm}.test`, algorithm)) },
  })

  const stale: string[] = []
  /** Right is what the list of any step between the confirmed one and the latest would answer. */
  const judge = (answer: Answer, watched: Watched, key: number, confirmedAtStart: number) => {
    const right = range(confirmedAtStart, watched.posted).flatMap((step) =>
      book.answers(watched.algorithm, step, key),
    )
    if (!right.includes(answer.body)) {
      stale.push(
        `${watched.algorithm}, step ${confirmedAtStart}, key ${key}: ${answer.status} ${answer.body}`,
      )
    }
  }
  const load = startLoad({
    port: plane.nginx.port,
    connections: 6,
    question: (n) => {
      const watched = all[n % all.length] as Watched
      const question = book.question(watched.algorithm, n % 50)
      return { ...question, headers: { ...question.headers, "x-step": String(watched.confirmed) } }
    },
    onAnswer: (answer, _startedMs, { host, path, headers }) => {
      const watched = all.find(({ algorithm }) => host === `${algorithm}.test`) as Watched
      judge(answer, watched, Number(path?.slice("/?key=".length)), Number(headers?.["x-step"]))
    },
  })

  let asked = 0
  for (let change = 1; change <= changes; change += 1) {
    const watched = all[change % all.length] as Watched
    watched.posted += 1
    await plane.apply({ backends: { set: [book.posted(watched)] } })
    watched.confirmed = watched.posted
    asked += await askEveryWorker(plane, book, watched, (answer, key) =>
      judge(answer, watched, key, watched.confirmed),
    )
    await until("the load to go on", () => load.result.requests > change)
  }

  const result = await load.stop()
  expect(stale).toEqual([])
  expect(result.lost).toEqual([])
  expect([...result.statuses.keys()]).toEqual([200])
  expect(asked).toBeGreaterThanOrEqual(changes * workers)
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})

const address = ({ port }: { port: number }) => `127.0.0.1:${port}`
const md5 = (text: string) => createHash("md5").update(text).digest("hex")

/** What is posted and asked, and which answers are right, by the book. */
class Book {
  readonly #backends: Backends
  readonly #lists: readonly (readonly Backend[])[]
  readonly #rings: readonly Ring[]

  constructor(backends: Backends) {
    this.#backends = backends
    this.#lists = lists.map((places) => places.flatMap((place) => backends[place] ?? []))
    this.#rings = this.#lists.map((list) => ingressRing(list.map(address)))
  }

  posted({ algorithm, posted: step }: Watched): object {
    return balanced(algorithm, algorithm, this.#lists[step % lists.length] ?? [])
  }

  /** Asks with a key, or in the session of a key. */
  question(algorithm: WatchedAlgorithm, key: number): Question {
    const question = { host: `${algorithm}.test`, path: `/?key=${key}` }
    const session = (text: string) => ({
      ...question,
      headers: { cookie: `INGRESSCOOKIE=${text}|${md5(algorithm)}` },
    })
    if (algorithm === "sticky_balanced") return session(String(key))
    return algorithm === "sticky_persistent"
      ? session(md5(algorithm + address(this.#ownerOf(key))))
      : question
  }

  /** Names of the endpoints that may answer a key at a step. */
  answers(algorithm: WatchedAlgorithm, step: number, key: number): string[] {
    const names = (this.#lists[step % lists.length] ?? []).map(({ name }) => name)
    if (algorithm === "chash" || algorithm === "sticky_balanced") {
      const place = this.#rings[step % lists.length]?.find(String(key)) ?? -1
      return names.slice(place, place + 1)
    }
    const owner = this.#ownerOf(key).name
    return algorithm === "sticky_persistent" && names.includes(owner) ? [owner] : names
  }

  /** A session of the persistent mode belongs to one endpoint, whether it is there or not. */
  #ownerOf(key: number): Backend {
    return this.#backends[key % this.#backends.length] as Backend
  }
}

/** Opens connections until each worker has answered one; returns how many that took. */
async function askEveryWorker(
  plane: Plane,
  book: Book,
  { algorithm }: Watched,
  onAnswer: (answer: Answer, key: number) => void,
): Promise<number> {
  const answered = new Set<string>()
  for (let asked = 1; asked <= 500; asked += 1) {
    const answer = await plane.nginx.get("/", book.question(algorithm, asked))
    onAnswer(answer, asked)
    answered.add(String(answer.headers["x-worker"]))
    if (answered.size === workers) return asked
  }
  throw new Error(`Only ${answered.size} of ${workers} workers answered 500 connections`)
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
