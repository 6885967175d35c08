// The status of 10,000 Ingresses in a real API server: how long a first round takes, how it is for others meanwhile, and what a round costs
// that finds nothing to write. Writes bench/results/ingress-status.md; takes a few minutes, most of them to make the Ingresses.
import { setTimeout as pause } from "node:timers/promises"
import type { Api } from "../controller/input/cluster/api.ts"
import { Client } from "../controller/input/cluster/connect/client.ts"
import { Kubeconfig } from "../controller/input/cluster/connect/kubeconfig.ts"
import { ClusterStatuses } from "../controller/input/cluster/statuses.ts"
import { sameAddresses } from "../controller/model/objects/status-address.ts"
import { writeAll } from "../controller/report/status/write-all.ts"
import { type ApiServer, startApiServer } from "../harness/cluster/api-server.ts"
import { ingress } from "../harness/manifests.ts"
import { write } from "../harness/report.ts"
import { median, quantile } from "../harness/statistics.ts"

const count = 10_000
const compared = 100

await using server = await startApiServer()
const names = await makeIngresses(server)
const access = await Kubeconfig.open(server.adminKubeconfig(), { server: undefined, ca: undefined })
const client = new Client({ access, userAgent: "wick/bench" })
const counted = counting(client)
const statuses = new ClusterStatuses(counted.api, "wick.dev/gateway").Ingress
for (const name of names) statuses.observe(name, { status: { loadBalancer: {} } })

const { signal } = new AbortController()
const idle = await latencies(() => pause(5000))
const first = await round("first round", "192.0.2.1")
const second = await round("other addresses", "192.0.2.2")
const again = comparison("192.0.2.2")

write({
  name: "ingress-status",
  title: `The status of ${count} Ingresses`,
  method: [
    "A kube-apiserver with etcd (without fsync) on the same machine, which has two cores for all of them. A write is a GET and a PUT of the status; ten run at a time, as in wick.",
    "Meanwhile another client reads one ConfigMap after the other over its own connection: its times say how it is for others. Processor time is that of this process, the other client included.",
  ].join("\n"),
  columns: [
    "round",
    "written",
    "requests",
    "s",
    "Ingresses/s",
    "processor time, s",
    "others: median ms",
    "p99",
  ],
  rows: [["none", 0, 0, 5, "–", "–", ...latencyCells(idle)], first, second],
  remarks: [
    `A round that finds nothing to write compares ${count} statuses: ${again.toFixed(2)} ms of the controller's thread (median of ${compared}).`,
  ],
})
client.close()

async function makeIngresses({ admin }: ApiServer): Promise<readonly string[]> {
  const namespaces = Array.from({ length: 10 }, (_, at) => `n${at}`)
  for (const name of namespaces)
    await admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } })
  await admin.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "n0", name: "probe" } })
  const names = Array.from({ length: count }, (_, at) => `n${at % 10}/app-${at}`)
  const left = [...names]
  const lane = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop())
      await admin.apply(ingress(name, `${name.replace("/", "-")}.test/ → app:80`))
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return names
}

async function round(title: string, ip: string): Promise<readonly (string | number)[]> {
  const before = { requests: counted.requests(), ms: performance.now(), cpu: process.cpuUsage() }
  let written = 0
  const others = await latencies(async () => {
    const outcome = await writeAll(
      names.map((name) => [name, [{ ip, hostname: "" }]] as const),
      statuses,
      signal,
    )
    written = outcome.written
  })
  const seconds = (performance.now() - before.ms) / 1000
  const { user, system } = process.cpuUsage(before.cpu)
  const requests = counted.requests() - before.requests
  return [
    title,
    written,
    requests,
    seconds.toFixed(1),
    Math.round(written / seconds),
    ((user + system) / 1e6).toFixed(1),
    ...latencyCells(others),
  ]
}

/** Milliseconds for each of the reads of another client while something runs. */
async function latencies(run: () => Promise<unknown>): Promise<readonly number[]> {
  let isOver = false
  const ms: number[] = []
  const over = run().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const startMs = performance.now()
    await server.admin.get("ConfigMap", "n0/probe")
    ms.push(performance.now() - startMs)
    await pause(5)
  }
  await over
  return ms
}

function latencyCells(ms: readonly number[]): readonly string[] {
  return [median(ms).toFixed(1), quantile(ms, 0.99).toFixed(1)]
}

/** Milliseconds, median. */
function comparison(ip: string): number {
  const wanted = [{ ip, hostname: "" }]
  const times = Array.from({ length: compared }, () => {
    const startMs = performance.now()
    const differing = names.filter((name) => !sameAddresses(statuses.current(name) ?? [], wanted))
    if (differing.length > 0) throw new Error(`${differing.length} were not written`)
    return performance.now() - startMs
  })
  return median(times)
}

function counting(api: Api) {
  let requests = 0
  return {
    requests: () => requests,
    api: {
      send: (request, signal) => {
        requests += 1
        return api.send(request, signal)
      },
      watch: (request, signal) => api.watch(request, signal),
    } satisfies Api,
  }
}
