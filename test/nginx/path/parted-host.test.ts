// A host in parts: its parts are replaced by one post after the other while requests come. None of them sees a part that is gone, a path that is
// missing, or, once the post was answered, what was there before.
import { expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import type { Answer, Question } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { backend, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"

const workers = 4
const parts = 40
const paths = 20
const changes = 300

/** The backend of every path of a part changes from step to step. */
interface Part {
  confirmed: number
  posted: number
}

test(`${changes} parts are replaced under load, and every path is served by what is in force`, async () => {
  await using backends = await startBackends("a", "b", "c")
  await using plane = await startPlane({ workers })
  const all: Part[] = Array.from({ length: parts }, () => ({ confirmed: 0, posted: 0 }))
  await plane.apply({
    backends: { set: backends.map((one) => backend(`to-${one.name}`, [one])) },
    route_parts: { set: all.map((_, at) => partAt(backends, at, 0)) },
    routes: { set: [hostOf(all)] },
  })

  const wrong: string[] = []
  const judge = (answer: Answer, { path = "", headers }: Question) => {
    const part = all[Number(path.split("/")[1])]
    const fresh = range(Number(headers?.["x-step"]), part?.posted ?? 0).map((step) => nameAt(backends, step))
    if (answer.status !== 200 || !fresh.includes(answer.body))
      wrong.push(`${path}: ${answer.status} ${answer.body}`)
  }
  const question = (n: number): Question => {
    const at = (n * 7) % parts
    const path = `/${String(at).padStart(2, "0")}/${n % paths}/x`
    return { host: "parted.test", path, headers: { "x-step": String(all[at]?.confirmed) } }
  }
  const load = startLoad({
    port: plane.nginx.port,
    connections: 8,
    question,
    onAnswer: (answer, _, asked) => judge(answer, asked),
  })
  for (let change = 0; change < changes; change += 1) {
    const at = (change * 11) % parts
    const part = all[at]
    if (part === undefined) continue
    part.posted += 1
    await plane.apply({
      route_parts: { set: [partAt(backends, at, part.posted)], remove: [idOf(at, part.posted - 1)] },
      routes: { set: [hostOf(all)] },
    })
    part.confirmed = part.posted
    const asked = {
      ...question(0),
      path: `/${String(at).padStart(2, "0")}/3`,
      headers: { "x-step": String(part.confirmed) },
    }
    for (let connection = 0; connection < 8; connection += 1)
      judge(await plane.nginx.get(asked.path, asked), asked)
    await until("the load to go on", () => load.result.requests > change)
  }
  const result = await load.stop()
  expect(wrong).toEqual([])
  expect(result.lost).toEqual([])
  expect(
    JSON.parse((await plane.nginx.control("GET", "/configuration/names")).body).route_parts,
  ).toHaveLength(parts)
})

test("a host with a part that is not there is closed, and open again with it; others are not concerned", async () => {
  await using backends = await startBackends("a", "b", "c")
  await using plane = await startPlane({ workers: 1 })
  const all: Part[] = [0, 1].map(() => ({ confirmed: 0, posted: 0 }))
  const other = { host: "other.test", parts: [idOf(0, 0)], routes: [] }
  await plane.apply({
    backends: { set: backends.map((one) => backend(`to-${one.name}`, [one])) },
    route_parts: { set: [partAt(backends, 0, 0)] },
    routes: { set: [hostOf(all), other] },
  })
  const status = async (host: string, path: string) => (await plane.nginx.get(path, { host })).status
  expect(await status("parted.test", "/00/1")).toBe(503)
  expect(plane.nginx.errorLog()).toContain("a part of it is not there")
  expect(await status("other.test", "/00/1")).toBe(200)
  await plane.apply({ route_parts: { set: [partAt(backends, 1, 0)] }, routes: { set: [hostOf(all)] } })
  expect(await status("parted.test", "/00/1")).toBe(200)
  expect(await status("parted.test", "/01/1")).toBe(200)
  await plane.apply({ routes: { set: [hostOf(all.toReversed(), [1, 0])] } })
  expect(await status("parted.test", "/00/1")).toBe(503)
})

test("a host has routes or parts, not both", async () => {
  await using backends = await startBackends("a")
  await using plane = await startPlane({ workers: 1 })
  const part = partAt(backends, 0, 0)
  const { id, routes } = part
  await plane.apply({
    backends: { set: backends.map((one) => backend(`to-${one.name}`, [one])) },
    route_parts: { set: [part] },
    routes: { set: [{ host: "both.test", routes, parts: [id] }] },
  })
  expect((await plane.nginx.get("/00/1", { host: "both.test" })).status).toBe(503)
})

function idOf(at: number, step: number): string {
  return `part-${at}-${step}`
}

function hostOf(all: readonly Part[], order: readonly number[] = [...all.keys()]): object {
  const ids = order.map((at) => idOf(at, all[at]?.posted ?? 0))
  return { host: "parted.test", parts: ids, routes: [], critical: ["parts"] }
}

function partAt(backends: Backends, at: number, step: number) {
  const routes = Array.from({ length: paths }, (_, path) => ({
    path: `/${String(at).padStart(2, "0")}/${path}`,
    match: "prefix",
    location: "location-plain",
    backend: `to-${nameAt(backends, step)}`,
  }))
  return { id: idOf(at, step), routes }
}

/** At each step another one answers, so that an answer tells the step it belongs to. */
function nameAt(backends: Backends, step: number): string {
  return backends[step % backends.length]?.name ?? ""
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
