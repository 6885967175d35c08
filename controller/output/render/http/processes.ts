import type { Http } from "../../../model/http.ts"
import type { Site } from "../site.ts"

/** What the templates print about nginx's processes. */
export interface ProcessFields {
  readonly workers: number
  /** how many of them may have to do with a zone's slots at a time */
  readonly places: number
  readonly affinity: readonly string[]
  readonly openFiles: number
  readonly connections: number
  readonly shutdownTimeoutMs: number
  readonly acceptsMany: boolean
  readonly debugConnections: readonly string[]
}

/** Files that are left to everything but connections, as in ingress-nginx. */
const spareFiles = 1024

/** Workers of this configuration, and those of earlier ones that have not ended. */
const generations = 16

/** What the module takes. */
const maxPlaces = 1024

export function processFields({ processes }: Http, site: Site): ProcessFields {
  const workers = processes.workerProcesses === "auto" ? site.processors : processes.workerProcesses
  const openFiles = processes.maxWorkerOpenFiles || Math.max(site.openFiles - spareFiles, spareFiles)
  return {
    workers,
    places: Math.min(Math.max(256, workers * generations), maxPlaces),
    affinity: processes.workerCpuAffinity.split(" ").filter(Boolean),
    openFiles,
    connections: processes.maxWorkerConnections || Math.ceil((openFiles * 3) / 4),
    shutdownTimeoutMs: processes.workerShutdownTimeoutMs,
    acceptsMany: processes.acceptsMany,
    debugConnections: processes.debugConnections,
  }
}
