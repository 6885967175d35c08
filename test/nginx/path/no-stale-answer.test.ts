// Once a change is answered 201, no pick and no route in any worker uses older data. The clock stops at the 201: nothing
// sleeps, nothing polls, and every request that was started after it counts.
import { expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import type { Answer } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"

const changes = 300
const workers = 4

/** One host whose answer changes from step to step: what is confirmed by a 201, what has been posted at most, and what each step answers. */
interface Watched {
  readonly host: string
  confirmed: number
  posted: number
}

test(`${changes} changes under load, no stale answer from any of ${workers} workers`, async () => {
  await using backends = await startBackends("a", "b", "c", "d", "e")
  await using plane = await startPlane({ workers })
  const picked: Watched = { host: "pick.test", confirmed: 0, posted: 0 }
  const routed: Watched = { host: "route.test", confirmed: 0, posted: 0 }
  await plane.apply({
    backends: {
      set: [movingBackend(backends, 0), ...backends.map((one) => backend(`to-${one.name}`, [one]))],
    },
    routes: { set: [host(picked.host, "moving"), host(routed.host, `to-${nameAt(backends, 0)}`)] },
  })

  const stale: string[] = []
  const load = startLoad({
    port: plane.nginx.port,
    connections: 6,
    question: (n) => {
      const watched = n % 2 === 0 ? picked : routed
      return { host: watched.host, headers: { "x-step": String(watched.confirmed) } }
    },
    onAnswer: (answer, _startedMs, question) => {
      const watched = question.host === picked.host ? picked : routed
      judge(answer, watched, Number(question.headers?.["x-step"]))
    },
  })
  const judge = (answer: Answer, watched: Watched, confirmedAtStart: number) => {
    const fresh = range(confirmedAtStart, watched.posted).map((step) => nameAt(backends, step))
    if (!fresh.includes(answer.body)) {
      stale.push(`${watched.host} after step ${confirmedAtStart}: ${answer.status} ${answer.body}`)
    }
  }

  let asked = 0
  for (let change = 1; change <= changes; change += 1) {
    const watched = change % 2 === 0 ? routed : picked
    watched.posted += 1
    await plane.apply(
      watched === picked
        ? { backends: { set: [movingBackend(backends, watched.posted)] } }
        : { routes: { set: [host(routed.host, `to-${nameAt(backends, watched.posted)}`)] } },
    )
    watched.confirmed = watched.posted
    asked += await askEveryWorker(plane, watched, (answer) => judge(answer, watched, watched.confirmed))
    await until("the load to go on", () => load.result.requests > change)
  }

  const result = await load.stop()
  expect(stale).toEqual([])
  expect(result.lost).toEqual([])
  expect([...result.statuses.keys()]).toEqual([200])
  expect(asked).toBeGreaterThanOrEqual(changes * workers)
})

/** Opens connections until each worker has answered one; returns how many that took. */
async function askEveryWorker(
  plane: Plane,
  watched: Watched,
  onAnswer: (answer: Answer) => void,
): Promise<number> {
  const answered = new Set<string>()
  for (let asked = 1; asked <= 500; asked += 1) {
    const answer = await plane.nginx.get("/", { host: watched.host })
    onAnswer(answer)
    answered.add(String(answer.headers["x-worker"]))
    if (answered.size === workers) return asked
  }
  throw new Error(`Only ${answered.size} of ${workers} workers answered 500 connections`)
}

/** At each step another one answers, so that an answer tells the step it belongs to. */
function nameAt(backends: Backends, step: number): string {
  return backends[step % backends.length]?.name ?? ""
}

function movingBackend(backends: Backends, step: number): object {
  return backend(
    "moving",
    backends.filter((one) => one.name === nameAt(backends, step)),
  )
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
