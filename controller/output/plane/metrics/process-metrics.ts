import type { ResourceUse } from "../../../model/resource-use.ts"
import { type Declare, shared } from "../../../support/declare.ts"
import type { Readings } from "../readings.ts"

/** Declares the metrics of clients' connections, and of what nginx's processes use. */
export function declareProcesses(
  declare: Declare,
  read: Pick<Readings, "connections" | "resourceUse">,
): void {
  declareConnections(declare, () => read.connections())
  declareUse(declare, () => read.resourceUse())
}

function declareConnections(declare: Declare, read: Readings["connections"]): void {
  const status = shared(read)
  declare.gauge(
    "nginx_ingress_controller_nginx_process_connections",
    "Client connections now",
    ["state"],
    async (gauge) => {
      const now = await status()
      gauge.reset()
      if (!now) return
      for (const state of ["active", "reading", "writing", "waiting"] as const)
        gauge.set({ state }, now[state])
    },
  )
  declare.counter(
    "nginx_ingress_controller_nginx_process_connections_total",
    "Client connections since nginx was started",
    ["state"],
    async (counter) => {
      const now = await status()
      counter.reset()
      if (!now) return
      for (const state of ["accepted", "handled"] as const) counter.inc({ state }, now[state])
    },
  )
  declare.counter(
    "nginx_ingress_controller_nginx_process_requests_total",
    "Client requests since nginx was started",
    [],
    async (counter) => {
      const now = await status()
      counter.reset()
      if (now) counter.inc(now.requests)
      else counter.remove()
    },
  )
}

/** Name behind the common prefix, help, and the number it shows. */
type ProcessMetric = readonly [string, string, (processes: ResourceUse) => number]

const processGauges: readonly ProcessMetric[] = [
  ["num_procs", "Processes of nginx", (now) => now.count],
  ["oldest_start_time_seconds", "Start of the oldest process of nginx", (now) => now.oldestStartSeconds],
  ["resident_memory_bytes", "Resident memory of nginx", (now) => now.residentBytes],
  ["virtual_memory_bytes", "Virtual memory of nginx", (now) => now.virtualBytes],
]

const processCounters: readonly ProcessMetric[] = [
  ["cpu_seconds_total", "CPU time of nginx", (now) => now.cpuSeconds],
  ["read_bytes_total", "Bytes read by nginx", (now) => now.readBytes],
  ["write_bytes_total", "Bytes written by nginx", (now) => now.writtenBytes],
]

function declareUse(declare: Declare, read: Readings["resourceUse"]): void {
  const processes = shared(read)
  const prefix = "nginx_ingress_controller_nginx_process_"
  for (const [name, help, shownOf] of processGauges)
    declare.gauge(prefix + name, help, [], async (gauge) => {
      const now = await processes()
      if (now) gauge.set(shownOf(now))
      else gauge.remove()
    })
  for (const [name, help, shownOf] of processCounters)
    declare.counter(prefix + name, help, [], async (counter) => {
      const now = await processes()
      counter.reset()
      if (now) counter.inc(shownOf(now))
      else counter.remove()
    })
}
