import { expect, test } from "vitest"
import type { Nginx } from "../../../harness/nginx.ts"
import { signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { spanOf } from "../../support/clock.ts"
import { location, startHost, traces } from "./support/host.ts"

async function run(script: string, wasm = "shm_kv * 1m; shm_kv routes 1m;"): Promise<string> {
  await using nginx = await startHost(() => ({
    wasm,
    server: location("/", `headers: ${script}; respond 200`),
  }))
  return (await nginx.get("/")).body
}

test("keys belong to the zone that they name, else to the one named *", async () => {
  expect(
    await run(
      "put backends/a 1; put routes/a 2; put a 3; put other/a 4; shared backends/a; shared routes/a; shared a; shared other/a; shared none",
    ),
  ).toBe("0 0 0 0 0:1 0:2 0:3 0:4 1")
})

test("without a zone for the key: NOT_FOUND", async () => {
  expect(await run("put a 1; shared a; version a; list a 1; many a=1", "")).toBe("1 1 status1 1 1@0")
})

test("cas: 0 does not check, another number must be the key's own", async () => {
  expect(
    await run(
      "put backends/a 1; put backends/a 2 0; put backends/a 3 77; swap backends/a 4; shared backends/a",
    ),
  ).toBe("0 0 8 0 0:4")
})

test("a value pointer of 0 deletes", async () => {
  expect(await run("put backends/a 1; delete backends/a; shared backends/a; delete backends/a")).toBe(
    "0 0 1 0",
  )
})

test("many writes over several zones: all or nothing", async () => {
  expect(
    await run(
      "put backends/old 1; many backends/a=1 routes/b=2 backends/old! ; shared backends/a; shared routes/b; shared backends/old",
    ),
  ).toContain("0 0 0:1 0:2 1")
  expect(
    await run("put routes/b 1; many backends/a=1 routes/b=2@absent; shared backends/a; shared routes/b"),
  ).toBe("0 8@1 1 0:1")
  expect(await run("many backends/a=1 backends/a=2; shared backends/a")).toBe("2@1 1")
})

test("a full zone refuses the write and changes nothing", async () => {
  expect(await run("put backends/a 1; fill backends/a 2000000; shared backends/a; put backends/b 2")).toBe(
    "0 10 0:1 0",
  )
  expect(await run("put backends/big! ; many backends/a=1 backends/b=2; fill backends/c 5000000")).toContain(
    "0 2",
  )
})

test("versions move with the key", async () => {
  const body = await run(
    "version backends/a; version backends/a; put backends/a 1; version backends/a; delete backends/a; version backends/a",
  )
  const [first, second, , third, , fourth] = body.split(" ")
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect(fourth).not.toBe(third)
})

test("keys are listed by prefix, some at a time", async () => {
  const puts = Array.from({ length: 25 }, (_, i) => `put backends/k${i} ${i}`).join("; ")
  const body = await run(
    `${puts}; put backends/x 1; list backends/k 4; list backends/ 1000; list backends/none 4`,
  )
  const [few, all, none] = body.split(" ").slice(26)
  expect(few?.split(",")).toHaveLength(25)
  expect(all?.split(",")).toHaveLength(26)
  expect(none ?? "").toBe("")
})

test("malformed arguments and unknown functions are refused", async () => {
  expect(
    await run(
      "foreign wick_set_shared_data_many xx; foreign wick_list_shared_data x; foreign wick_unknown; foreign wick_set_callbacks log; foreign wick_set_callbacks nope; httpcall",
    ),
  ).toBe("2 2 1 2 2 12")
})

test("every worker learns of a change before its next callback, and only if it has read from the zone", async () => {
  await using nginx = await startHost(() => ({
    workers: 4,
    wasm: "shm_kv routes 1m;",
    server: `
location /put { proxy_wasm probe 'headers: put backends/a 1; respond 201'; return 404; }
location /other { proxy_wasm probe 'headers: put routes/a 1; respond 201'; return 404; }
location /read { proxy_wasm probe 'configure: callbacks request_headers; shared backends/a | changed: text changed | headers: prop ngx.pid; respond 200'; return 404; }`,
  }))
  const all = await workersThatAnswer(nginx, "/read")
  expect(all.size).toBe(4)
  for (const round of [1, 2]) {
    expect((await nginx.get("/put")).status).toBe(201)
    const told = await workersThatAnswer(nginx, "/read")
    expect([round, [...told.values()].every((text) => text.includes("changed"))]).toEqual([round, true])
  }
  await nginx.get("/other")
  const untold = await workersThatAnswer(nginx, "/read")
  expect([...untold.values()].every((text) => !text.includes("changed"))).toBe(true)
})

/** The first answer of each of the four workers, by pid. */
async function workersThatAnswer(nginx: Nginx, path: string): Promise<Map<string, string>> {
  const first = new Map<string, string>()
  await until("every worker to answer", async () => {
    const { body } = await nginx.get(path)
    const pid = /0:(\d+)$/.exec(body)?.[1] ?? ""
    if (!first.has(pid)) first.set(pid, body)
    return first.size === 4
  })
  return first
}

test("zones live through a reload, and a killed worker", async () => {
  await using nginx = await startHost(() => ({
    server:
      location("/put", "headers: put backends/a kept; respond 201") +
      location("/get", "headers: shared backends/a; respond 200"),
  }))
  await nginx.get("/put")
  await nginx.reload()
  expect((await nginx.get("/get")).body).toBe("0:kept")
  const [worker = 0] = nginx.workers()
  signal(worker, "SIGKILL")
  await until("another worker", () => nginx.workers().length === 1 && nginx.workers()[0] !== worker)
  expect((await nginx.get("/get")).body).toBe("0:kept")
})

test("ticks come at their period and stop at 0; the clock is the world's", async () => {
  await using nginx = await startHost(() => ({
    server:
      location("/a", "configure: tick 20 | tick: trace") +
      location("/b", "headers: clock; respond 200") +
      location("/c", "configure: tick 20 | tick: tick 0; trace"),
  }))
  await until("five ticks", () => traces(nginx).filter((line) => line.startsWith("tick 1 ")).length >= 5)
  expect(traces(nginx).filter((line) => line.startsWith("tick 3 "))).toHaveLength(1)
  let seconds = Number.NaN
  const span = await spanOf(async () => {
    seconds = Number((await nginx.get("/b")).body.split(" ").at(-1))
  })
  span.includes(seconds * 1000)
})
