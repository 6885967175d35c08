// Many ports, and many sessions that stay open while everything around them changes: none is cut but those of a worker that is killed.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client } from "../../../harness/ingress/passthrough.ts"
import { type Json, serviceOn, settings } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { signal } from "../../../harness/processes.ts"
import { clientPortsOf, EchoProcess, Sessions } from "../../../harness/sessions.ts"
import { answerOf } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { triesAll } from "../../support/runs.ts"
import { Site } from "./site.ts"

const portCount = triesAll ? 1000 : 60
const sessionCount = triesAll ? 10_000 : 400

let site: Site
let servers: readonly EchoProcess[]
let ports: readonly number[]
beforeAll(async () => {
  ;[site, servers, ports] = await Promise.all([
    Site.start([], { flags: ["--tcp-services-configmap=demo/tcp"] }),
    Promise.all([EchoProcess.start(), EchoProcess.start()]),
    freePorts(portCount),
  ])
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  for (const server of servers) server[Symbol.dispose]()
})

/** All ports lead to a Service with these endpoints. */
function entries(...endpoints: readonly EchoProcess[]): readonly Json[] {
  const tcp = settings("demo/tcp", Object.fromEntries(ports.map((port) => [port, "demo/echo:80"])))
  const own = serviceOn(
    "demo/echo",
    endpoints.map(({ port }) => port),
  )
  return [tcp, ...own]
}

async function echoes(port: number): Promise<boolean> {
  using client = new Client(port)
  await Promise.race([client.closed, answerOf(client)])
  return client.answer.length > 0
}

const reloads = () => site.wick.metric("nginx_ingress_controller_success")

test(`${portCount} ports come with one reload, and each is served`, async () => {
  const before = await reloads()
  await site.put(...entries(...servers))
  await until("the last port to be served", () => echoes(ports.at(-1) ?? 0))
  for (const port of ports) expect([port, await echoes(port)]).toEqual([port, true])
  expect(await reloads()).toBe(before + 1)
})

test(`none of ${sessionCount} sessions is cut while endpoints come and go, keys change and nginx is reloaded`, async () => {
  const [one, two] = servers
  if (one === undefined || two === undefined) throw new Error("Two servers were started")
  using sessions = new Sessions()
  const [first = 0, second = 0] = ports
  await sessions.open(first, sessionCount / 2)
  await sessions.open(second, sessionCount / 2)
  for (let round = 0; round < 5; round += 1) {
    await site.put(...entries(round % 2 === 0 ? one : two))
    site.configure({
      "proxy-stream-timeout": `${100 + round}s`,
      "proxy-stream-next-upstream-tries": `${round}`,
    })
  }
  await site.put(...entries(one, two))
  expect(await sessions.lost()).toBe(0)
  const before = await reloads()
  site.configure({ "keep-alive": "61" })
  await until("a reload", async () => (await reloads()) > before)
  expect(await sessions.lost()).toBe(0)
  expect(await echoes(first)).toBe(true)
})

test("a worker that is killed takes its own sessions along, and no other", async () => {
  using sessions = new Sessions()
  const [port = 0] = ports
  await sessions.open(port, Math.min(sessionCount, 1000))
  const [killed = 0, ...others] = site.wick.workers()
  const [its, all] = [clientPortsOf(killed, port), sessions.ports()]
  expect(its.size).toBeGreaterThan(0)
  expect(others.length).toBeGreaterThan(0)
  signal(killed, "SIGKILL")
  const lost = [...all].filter((client) => its.has(client))
  await until("its sessions to end", async () => (await sessions.lost()) >= lost.length)
  expect(sessions.ports()).toEqual(new Set([...all].filter((client) => !its.has(client))))
  await until("a new worker to serve", () => echoes(port))
})
