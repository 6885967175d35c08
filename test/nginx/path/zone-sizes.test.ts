// A reload that gives zones other sizes keeps every record, and nobody notices; one that they do not fit in is refused.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { backend, host, type PlaneOptions, planeConf, startPlane } from "../../../harness/plane.ts"
import { signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"

const hosts = 2000
const name = (n: number) => `host-${n}.test`
const workers = 2
const sized = (backendsZone: string, routesZone: string): PlaneOptions => ({
  workers,
  backendsZone,
  routesZone,
})

async function filled() {
  const backends = await startBackends("a", "b")
  const plane = await startPlane(sized("1m", "1m"))
  const numbers = Array.from({ length: hosts }, (_, n) => n)
  await plane.apply({ backends: { set: backends.map((one) => backend(one.name, [one])) } })
  await plane.apply({ routes: { set: numbers.map((n) => host(name(n), n % 2 === 0 ? "a" : "b")) } })
  return {
    plane,
    async [Symbol.asyncDispose]() {
      await plane.nginx.stop()
      await backends.stop()
    },
  }
}

test("zones grow and shrink under load, and keep what they have", async () => {
  await using world = await filled()
  const { plane } = world
  const ask = () => plane.nginx.control("GET", "/configuration/names")
  // A reload closes the kept connection.
  const names = async () => (await ask().catch(ask)).json() as { generation: string; routes: unknown[] }
  const { generation } = await names()
  const { routes } = await plane.zones()
  expect(routes).toMatchObject({ size: 1 << 20, keys: hosts })
  const wrong: string[] = []
  const load = startLoad({
    port: plane.nginx.port,
    connections: 8,
    keepAlive: false,
    question: (n) => ({ host: name((n * 7) % hosts) }),
    onAnswer: ({ status, body }, _, { host = "" }) => {
      const expected = Number(/\d+/.exec(host)?.[0]) % 2 === 0 ? "a" : "b"
      if (status !== 200 || body !== expected) wrong.push(`${host}: ${status} ${body}`)
    },
  })
  const sizes = [
    ["2m", "8m"],
    ["1m", "64m"],
    ["1m", "1m"],
  ] as const
  for (const [i, [backendsZone, routesZone]] of sizes.entries()) {
    await plane.nginx.reload(planeConf(sized(backendsZone, routesZone)))
    const after = await names()
    expect(after.generation).toBe(i === 0 ? generation : plane.generation)
    expect(after.routes).toHaveLength(hosts)
    expect((await plane.zones()).routes).toMatchObject({
      size: Number(routesZone.slice(0, -1)) << 20,
      keys: hosts,
    })
    // The next change builds on the last one.
    await plane.apply({ routes: { set: [host("more.test", "a")] } })
    expect((await plane.nginx.get("/", { host: "more.test" })).body).toBe("a")
    await plane.apply({ routes: { remove: [{ host: "more.test" }] } })
  }
  await load.stop()
  expect(wrong).toEqual([])
  expect(load.result.lost).toEqual([])
})

test("a size that the records do not fit in is refused, and the old configuration stays in force", async () => {
  await using world = await filled()
  const { plane } = world
  const refused = plane.nginx.reload(planeConf(sized("1m", "128k")))
  await expect(refused).rejects.toThrow(/zone "routes": it is too small for the records of the zone before/)
  expect((await plane.nginx.get("/", { host: name(7) })).body).toBe("b")
  await plane.nginx.reload(planeConf(sized("1m", "4m")))
  expect((await plane.nginx.get("/", { host: name(7) })).body).toBe("b")
})

/** Four generations of workers at a time, those of the first three in the midst of something. */
async function generations(processes: number): Promise<{ log: string; alive: number }> {
  const many = 20
  const options = { workers: many, processes }
  await using backends = await startBackends("a")
  await using plane = await startPlane(options)
  await plane.apply({
    backends: { set: [backend("a", backends)] },
    routes: { set: [host("a.test", "a")] },
  })
  const stopped: number[] = []
  try {
    for (let generation = 1; generation < 4; generation += 1) {
      const old = plane.nginx.workers()
      for (const pid of old) signal(pid, "SIGSTOP")
      stopped.push(...old)
      signal(plane.nginx.pid, "SIGHUP")
      const others = () => plane.nginx.workers().filter((pid) => !stopped.includes(pid))
      await until("other workers", () => others().length === many)
    }
    await until("an answer", async () => (await plane.nginx.get("/", { host: "a.test" })).body === "a")
    const { backends: zone } = await plane.zones()
    return { log: plane.nginx.errorLog(), alive: zone?.processes_alive ?? 0 }
  } finally {
    for (const pid of stopped) signal(pid, "SIGCONT")
  }
}

test("workers that get one of the last places say so, and those that get none; they serve all the same", async () => {
  const { log, alive } = await generations(64)
  expect(alive).toBe(64)
  expect(log).toMatch(/zone "backends" has places for 64 workers, \d+ are taken; few are left/)
  expect(log).toMatch(/zone "backends" has places for 64 workers, 64 are taken; all of them are taken/)
})

test("with places for all of them nobody has anything to say", async () => {
  const { log, alive } = await generations(320)
  expect(alive).toBe(80)
  expect(log).not.toContain("has places for")
})
