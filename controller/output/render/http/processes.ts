import { type ZoneName, zoneNames } from "../../../model/http/processes.ts"
import type { Http } from "../../../model/http.ts"
import type { GrownZone, Site } from "../site.ts"
import { zoneSizes } from "../zone-sizes.ts"

/** What the templates print about nginx's processes. */
export interface ProcessFields {
  readonly workers: number
  /** how many of them may have to do with a zone's slots at a time */
  readonly places: number
  readonly affinity: readonly string[]
  readonly openFiles: number
  readonly connections: number
  readonly shutdownTimeoutMs: number
  /** workers of earlier configurations */
  readonly maxOldWorkers: number
  readonly acceptsMany: boolean
  readonly debugConnections: readonly string[]
  readonly zones: readonly ZoneFields[]
  /** clients of Ingresses whose limits are remembered */
  readonly clients: number
  /** of Digest authentication that may be in use at a time */
  readonly nonces: number
  readonly authCacheMebibytes: number
}

interface ZoneFields {
  readonly name: ZoneName
  readonly mebibytes: number
  /** 0: none */
  readonly slots: number
}

const mebibyte = 1024 ** 2

/** A client of the module's table has 64, and 64 for what eight workers count of it. */
const bytesOfClient = 128

/** Source: a cell of wick-digest's table. */
const bytesOfNonce = 32

/** One for each endpoint that is learned about. */
const usualSlots = 65_536

/** Files that are left to everything but connections, as in ingress-nginx. */
const spareFiles = 1024

/** Workers of this configuration, and those of earlier ones that have not ended. */
const generations = 16

/** What the module takes. */
const maxPlaces = 1024

export function processFields({ processes }: Http, site: Site): ProcessFields {
  const workers = processes.workerProcesses === "auto" ? site.processors : processes.workerProcesses
  const sizes = zoneSizes(processes, site.memoryBytes)
  const openFiles = processes.maxWorkerOpenFiles || Math.max(site.openFiles - spareFiles, spareFiles)
  return {
    workers,
    places: Math.min(Math.max(256, workers * generations), maxPlaces),
    affinity: processes.workerCpuAffinity.split(" ").filter(Boolean),
    openFiles,
    connections: processes.maxWorkerConnections || Math.ceil((openFiles * 3) / 4),
    maxOldWorkers: workers * processes.maxOldGenerations,
    shutdownTimeoutMs: processes.workerShutdownTimeoutMs,
    acceptsMany: processes.acceptsMany,
    debugConnections: processes.debugConnections,
    zones: zoneNames.map((name) => zoneFields(name, sizes[name], site.grownZones?.[name])),
    clients: sizes.limits / bytesOfClient,
    nonces: sizes.nonces / bytesOfNonce,
    authCacheMebibytes: sizes["auth-cache"] / mebibyte,
  }
}

function zoneFields(name: ZoneName, bytes: number, grown: GrownZone = { bytes: 0, slots: 0 }): ZoneFields {
  const slots = name === "backends" ? Math.max(usualSlots, grown.slots) : 0
  return { name, mebibytes: Math.ceil(Math.max(bytes, grown.bytes) / mebibyte), slots }
}
