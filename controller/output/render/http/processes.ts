import type { Http } from "../../../model/http.ts"
import type { Site } from "../site.ts"

/** What the templates print about nginx's processes. */
export interface ProcessFields {
  readonly workers: number
  readonly affinity: readonly string[]
  readonly openFiles: number
  readonly connections: number
  readonly shutdownTimeoutMs: number
  readonly acceptsMany: boolean
  readonly debugConnections: readonly string[]
}

/** Files that are left to everything but connections, as in ingress-nginx. */
const spareFiles = 1024

export function processFields({ processes }: Http, site: Site): ProcessFields {
  const openFiles = processes.maxWorkerOpenFiles || Math.max(site.openFiles - spareFiles, spareFiles)
  return {
    workers: processes.workerProcesses === "auto" ? site.processors : processes.workerProcesses,
    affinity: processes.workerCpuAffinity.split(" ").filter(Boolean),
    openFiles,
    connections: processes.maxWorkerConnections || Math.ceil((openFiles * 3) / 4),
    shutdownTimeoutMs: processes.workerShutdownTimeoutMs,
    acceptsMany: processes.acceptsMany,
    debugConnections: processes.debugConnections,
  }
}
