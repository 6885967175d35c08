import type { Processes } from "../../../model/http/processes.ts"
import { type Keys, key } from "../key.ts"
import { accepted, integer, type Parser, refused } from "../values.ts"
import { network } from "./addresses.ts"
import { count, listOf, nginxTimeMs, onOff } from "./parsers.ts"

/** More processes than any machine has cores are a slip of the keyboard, and nginx would start them. */
const workers = integer(1, 1024)

const workerProcesses: Parser<Processes["workerProcesses"]> = (text) => {
  if (text === "auto") return accepted(text)
  const parsed = workers(text)
  return parsed.kind === "value" ? parsed : refused(`write auto or ${parsed.reason.replace("write ", "")}`)
}

/** Source: nginx, worker_cpu_affinity; a mask has a digit for each processor, 1024 at most. */
const affinity: Parser<string> = (text) =>
  /^(|auto( [01]{1,1024})?|[01]{1,1024}( [01]{1,1024})*)$/.test(text)
    ? accepted(text)
    : refused("write auto, or masks such as 0101 1010")

export const processes: Keys<Processes> = {
  workerProcesses: key("worker-processes", workerProcesses, "auto"),
  workerCpuAffinity: key("worker-cpu-affinity", affinity, ""),
  workerShutdownTimeoutMs: key("worker-shutdown-timeout", nginxTimeMs, "240s"),
  maxWorkerConnections: key("max-worker-connections", count, "16384"),
  maxWorkerOpenFiles: key("max-worker-open-files", count, "0"),
  acceptsMany: key("enable-multi-accept", onOff, "true"),
  debugConnections: key("debug-connections", listOf(network), ""),
}
