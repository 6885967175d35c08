import { loadavg } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { type ApiServer, startApiServer } from "../harness/cluster/api-server.ts"
import { podPort } from "../harness/cluster/pods.ts"
import { startWickIn } from "../harness/cluster/wick.ts"
import { ask } from "../harness/http.ts"
import { type Json, service, settings, slice } from "../harness/manifests.ts"
import { freePorts } from "../harness/ports.ts"
import { print, type Report, write } from "../harness/report.ts"
import { largest, quantile } from "../harness/statistics.ts"
import { until } from "../harness/until.ts"
import type { Wick } from "../harness/wick.ts"
import { type Times, Web } from "./support/event-times.ts"
import { needOwnNetwork } from "./support/own-network.ts"
import { startSleeper } from "./support/sleeper.ts"

const text = { type: "string" } as const
const { values: given } = parseArgs({ options: { ports: text, changes: text } })
const sizes = (given.ports ?? "1,1000").split(",").map(Number)
const changes = Number(given.changes ?? 500)

needOwnNetwork(import.meta.filename)

const [load = 0] = loadavg()
const rows: (string | number)[][] = []
for (const size of sizes) await measure(size)
if (Object.keys(given).length === 0) write(report())
else print(report())

async function measure(size: number): Promise<void> {
  await using server = await startApiServer()
  await using web = await Web.create(server)
  const [port = 0, ...others] = await freePorts(size)
  await enter(server, port, others)
  await using wick = await startWickIn(server, { flags: ["--tcp-services-configmap=bench/tcp"] })
  await until("the port", async () => (await ask({ port }).catch(() => undefined))?.status === 200)
  const before = await counted(wick)
  const sleeper = startSleeper()
  const times: Times[] = []
  for (let nth = 0; nth < changes; nth += 1) {
    times.push(await web.change(port))
    await pause(5)
  }
  const lateMs = await sleeper.stop()
  rows.push([...rowOf(size, times, await counted(wick), before), lateMs.toFixed(1)])
}

/** Each of the other ports has a Service of its own, which has an endpoint that nobody listens at. */
async function enter(server: ApiServer, port: number, others: readonly number[]): Promise<void> {
  const name = (nth: number) => `bench/other-${nth}`
  const objects = others.flatMap((_, nth): Json[] => [
    service(name(nth), podPort),
    slice(name(nth), [`10.244.200.${1 + (nth % 250)}`], podPort),
  ])
  const entries = others.map((other, nth) => [other, `${name(nth)}:${podPort}`] as const)
  await server.admin.apply(
    ...objects,
    settings("bench/tcp", Object.fromEntries([[port, `bench/web:${podPort}`], ...entries])),
  )
}

interface Counted {
  readonly passes: number
  readonly passSeconds: number
  readonly posts: number
  readonly postSeconds: number
}

async function counted(wick: Wick): Promise<Counted> {
  const value = (name: string) => wick.metric(name)
  return {
    passes: await value("wick_pass_duration_seconds_count"),
    passSeconds: await value("wick_pass_duration_seconds_sum"),
    posts: await value("wick_post_duration_seconds_count"),
    postSeconds: await value("wick_post_duration_seconds_sum"),
  }
}

function rowOf(size: number, times: readonly Times[], after: Counted, before: Counted): (string | number)[] {
  const traffic = times.map(({ traffic }) => traffic)
  const event = times.map(({ event }) => event)
  const mean = (seconds: number, count: number) => (1000 * seconds) / count
  const cells = [
    quantile(traffic, 0.5),
    quantile(traffic, 0.99),
    largest(traffic),
    quantile(event, 0.5),
    quantile(event, 0.99),
    mean(after.passSeconds - before.passSeconds, after.passes - before.passes),
    mean(after.postSeconds - before.postSeconds, after.posts - before.posts),
  ]
  return [size, ...cells.map((ms) => ms.toFixed(1))]
}

function report(): Report {
  return {
    name: "stream-propagation",
    title: "Endpoints of TCP ports, from the API server to new sessions",
    method: `A real kube-apiserver with etcd, wick and nginx with as many workers as cores, all on this machine. The only endpoint of the Service behind a TCP port is another pod, ${changes} times, by its EndpointSlice, and a client opens a session after the other all the while. An event is when the watch of another client has it; the session that counts is the first one that the new pod answers. Each of the other ports leads to a Service of its own.`,
    columns: [
      "ports",
      "event → session: median, ms",
      "p99, ms",
      "longest, ms",
      "write → event: median, ms",
      "p99, ms",
      "a pass, mean, ms",
      "a post, mean, ms",
      "a thread that only sleeps wakes up late by, p99, ms",
    ],
    rows,
    remarks:
      load < 1
        ? []
        : [
            `The machine was busy with other work (load ${load.toFixed(0)}): what is late here may have waited for a processor, see the last column.`,
          ],
  }
}
