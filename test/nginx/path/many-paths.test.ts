// 20,000 paths on one host: all are served, one is changed under load, and a path that is too large is left out alone. Figures are printed for the
// reader.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { memoryBytesOf } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { stopwatch } from "../../support/clock.ts"

const count = 20_000
const perIngress = 100

let backends: Backends
let wick: Wick

beforeAll(async () => {
  backends = await startBackends("web", "other")
  const files = Array.from({ length: count / perIngress }, (_, at) => [
    `ingress-${at}.yaml`,
    manifest(ingressWith(at, "web")),
  ])
  wick = await startWick({
    manifests: { ...Object.fromEntries(files), "services.yaml": services() },
  })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

const host = "many.test"
const pathAt = (at: number) => `/app/${String(at).padStart(5, "0")}`
const pathsOf = (at: number) => Array.from({ length: perIngress }, (_, n) => pathAt(at * perIngress + n))
const ingressWith = (at: number, service: string, ...more: readonly string[]) =>
  ingress(
    `many/ingress-${at}`,
    [...pathsOf(at), ...more].map((path) => `${host}${path} → ${service}:80`),
  )
const answerOf = async (path: string) => (await wick.get(path, { host })).body

function services(): string {
  const [web, other] = backends.map(({ port }) => port)
  return manifest(
    ingressClass,
    ...serviceOn("many/web", [web ?? 0]),
    ...serviceOn("many/other", [other ?? 0]),
  )
}

test(`${count} paths are served`, async () => {
  for (let at = 0; at < count; at += 37) expect(await answerOf(`${pathAt(at)}/x`), pathAt(at)).toBe("web")
  expect((await wick.get("/app/0000", { host })).status).toBe(404)
  const memory = Math.max(...wick.workers().map(memoryBytesOf)) / 1e6
  process.stdout.write(`${count} paths: largest worker ${memory.toFixed(1)} MB\n`)
})

test("an Ingress among them changes under load, and nobody is answered wrongly", async () => {
  const wrong: string[] = []
  const load = startLoad({
    port: wick.port,
    connections: 8,
    pauseMs: 5,
    question: (n) => ({ host, path: pathAt((n * 13) % count) }),
    onAnswer: ({ status, body }, _, { path = "" }) => {
      const mayBeOther = path >= pathAt(7700) && path < pathAt(7800)
      if (status !== 200 || (body !== "web" && !mayBeOther)) wrong.push(`${path}: ${status} ${body}`)
    },
  })
  const took = stopwatch()
  for (let round = 0; round < 10; round += 1) {
    const service = round % 2 === 0 ? "other" : "web"
    wick.write("ingress-77.yaml", manifest(ingressWith(77, service)))
    await until(service, async () => (await answerOf(pathAt(7777))) === service)
  }
  const seconds = took()
  await load.stop()
  expect(wrong).toEqual([])
  expect(load.result.lost).toEqual([])
  process.stdout.write(`100 of them changed ten times, from file to answer: ${seconds}\n`)
})

test("a path that is too large is left out, with a Problem, and all others are served", async () => {
  const large = `/${"x".repeat(5000)}`
  wick.write("ingress-78.yaml", manifest(ingressWith(78, "other", large)))
  await until("the others", async () => (await answerOf(pathAt(7800))) === "other")
  await until("a Problem", async () => wick.log().includes("is longer than 4095 bytes"))
  expect(await answerOf(pathAt(7899))).toBe("other")
  expect(await answerOf(pathAt(19_999))).toBe("web")
  wick.write("ingress-78.yaml", manifest(ingressWith(78, "web")))
  await until("the former", async () => (await answerOf(pathAt(7800))) === "web")
})

test("they are shown, and one is explained", async () => {
  const run = async (...args: string[]) =>
    (
      await promisify(execFile)(
        nodeBinary,
        [join(root, "controller/main.ts"), ...args, "--runtime-dir", wick.runtimeDir],
        { maxBuffer: 2 ** 26 },
      )
    ).stdout
  expect((await run("routes", host)).trimEnd().split("\n").length).toBeGreaterThan(count)
  expect(await run("explain", `http://${host}${pathAt(12_345)}/y`)).toContain(pathAt(12_345))
})
