// Another version of a policy under load: no request fails, and every pick after the answer is by the new code, in every worker.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { backend, host, startPlane } from "../../../harness/plane.ts"
import { custom, PolicyDirectory, policiesLocation, rowOf } from "../../../harness/policies/policies.ts"
import { fixedWat } from "../../../harness/policies/wat.ts"
import { until } from "../../../harness/until.ts"

const swaps = 60

test(`${swaps} versions under load, no stale pick from any worker`, async () => {
  await using backends = await startBackends("a", "b", "c")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({ inWasm: directory.directives, inServer: policiesLocation })
  const versions = await Promise.all([0, 1, 2].map((place) => directory.add("fixed", fixedWat(place))))
  const post = (version: number) => {
    const policy = versions[version % 3]
    if (policy === undefined) throw new Error("There are three")
    return plane.apply({ backends: { set: [{ ...backend("shop", backends), ...custom(policy) }] } })
  }
  await post(0)
  await plane.apply({ routes: { set: [host("shop.test", "shop")] } })

  let confirmed = 0
  let posted = 0
  const wrong: string[] = []
  const workers = new Set<unknown>()
  const load = startLoad({
    port: plane.nginx.port,
    connections: 6,
    keepAlive: false,
    question: () => ({ host: "shop.test", path: "/", headers: { "x-version": String(confirmed) } }),
    onAnswer: ({ status, body, headers }, _startedMs, question) => {
      workers.add(headers["x-worker"])
      const from = Number(question.headers?.["x-version"])
      const right: string[] = []
      for (let version = from; version <= posted; version += 1) right.push("abc"[version % 3] ?? "")
      if (status !== 200 || !right.includes(body)) wrong.push(`${from} to ${posted}: ${status} ${body}`)
    },
  })
  for (let version = 1; version <= swaps; version += 1) {
    posted = version
    await post(version)
    confirmed = version
  }
  await until("answers of several workers", () => workers.size > 1)
  const { lost } = await load.stop()
  expect(lost).toEqual([])
  expect(wrong).toEqual([])
  // Workers add up what they have counted a few times per second.
  const rowsOf = () => Promise.all(versions.map((version) => rowOf(plane, version)))
  const rows = await until("rows of all versions", async () => {
    const known = await rowsOf()
    return known.every((row) => row !== undefined) && known
  })
  for (const row of rows) expect(row).toMatchObject({ policy: "fixed", faults: 0 })
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})
