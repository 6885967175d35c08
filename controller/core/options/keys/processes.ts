import { type Processes, sizedZones, type ZoneSizes } from "../../../model/http/processes.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { accepted, integer, refused, sizeBytes } from "../parser.ts"
import { none, type Syntax, values } from "../usage.ts"
import { networks } from "./addresses.ts"
import { between, count, nginxTime, size, trueByDefault } from "./syntax.ts"
import { listOf } from "./texts.ts"

/** More processes than any machine has cores are a slip of the keyboard, and nginx would start them. */
const workers = integer(1, 1024)

const workerProcesses: Syntax<Processes["workerProcesses"]> = {
  values: "`auto` or 1 to 1024",
  parse: (text) => {
    if (text === "auto") return accepted(text)
    const parsed = workers(text)
    return parsed.kind === "value" ? parsed : refused(`write auto or ${parsed.reason.replace("write ", "")}`)
  },
}

/** Source: nginx, worker_cpu_affinity; a mask has a digit for each processor, 1024 at most. */
const affinity: Syntax<string> = {
  values: "`auto` or masks",
  parse: (text) =>
    /^(|auto( [01]{1,1024})?|[01]{1,1024}( [01]{1,1024})*)$/.test(text)
      ? accepted(text)
      : refused("write auto, or masks such as 0101 1010"),
}

const mebibyte = 1024 ** 2
/** nginx wants whole pages, and some for itself. */
const leastZone = mebibyte

const zoneSize = size(leastZone)

/** What the modules take of clients and nonces, 2^24 of each. */
const largestZone: Partial<ZoneSizes> = { limits: 2048, nonces: 512 }

const maxZoneSize: Syntax<Processes["maxZoneSize"]> = {
  values: `\`auto\`, or ${zoneSize.values}`,
  parse: (text) => (text === "auto" ? accepted(text) : zoneSize.parse(text)),
}

/** As ingress-nginx writes lua-shared-dicts. */
const zoneSizes: Syntax<Processes["zoneSizes"]> = {
  values: "zones and their sizes",
  parse: (text) => {
    const sizes: Partial<Record<keyof ZoneSizes, number>> = {}
    for (const part of text.split(",").filter((part) => part.trim() !== "")) {
      const [name = "", value = "", ...rest] = part.split(":").map((word) => word.trim())
      const bytes = sizeBytes(value)
      if (!isZone(name) || rest.length > 0)
        return refused(`write one of ${sizedZones.join(", ")} with a colon and a size for each`)
      if (bytes.kind === "refused") return bytes
      if (bytes.value < leastZone) return refused("write sizes from 1m on")
      const largest = (largestZone[name] ?? Number.POSITIVE_INFINITY) * mebibyte
      if (bytes.value > largest) return refused(`write ${largest / mebibyte}m at most for ${name}`)
      sizes[name] = Math.ceil(bytes.value / mebibyte) * mebibyte
    }
    return accepted(sizes)
  },
}

function isZone(name: string): name is keyof ZoneSizes {
  return (sizedZones as readonly string[]).includes(name)
}

export const processes = family("Process", {
  workerProcesses: key("worker-processes", workerProcesses, "auto", {
    example: "4",
    description: "number of worker processes; `auto` is one for each processor",
  }),
  workerCpuAffinity: key("worker-cpu-affinity", affinity, "", {
    example: "auto",
    description: "processors that the workers are bound to",
  }),
  workerShutdownTimeoutMs: key("worker-shutdown-timeout", nginxTime, "240s", {
    example: "60s",
    description: "how long requests may take to finish after a reload",
  }),
  maxOldGenerations: key("max-worker-generations", between(1, 15), "4", {
    example: "8",
    description:
      "so many times worker-processes may finish what earlier configurations have begun; beyond that the oldest workers end at once",
  }),
  maxWorkerConnections: key("max-worker-connections", count, "16384", {
    example: "4096",
    description: "maximum number of connections of each worker",
  }),
  maxWorkerOpenFiles: key("max-worker-open-files", count, "0", {
    shownDefault: "0, the system's limit",
    example: "65536",
    description: "maximum number of open files of each worker",
  }),
  acceptsMany: trueByDefault(
    "enable-multi-accept",
    "whether a worker accepts all waiting connections at once",
  ),
  zoneSizes: key("zone-sizes", zoneSizes, "", {
    shownDefault:
      "backends: 64m, routes: 32m, certificates: 128m, passthroughs: 4m, limits: 8m, nonces: 1m, auth-cache: 16m; none more than a quarter of the container's memory",
    example: "routes: 256m",
    description:
      "how large the zones of shared memory are at first; those that are not named have their default. One of the first four that gets full grows, by a reload that keeps what it has; the others stay, and begin anew with another size",
  }),
  maxZoneSize: key("max-zone-size", maxZoneSize, "auto", {
    example: "256m",
    description:
      "no zone of shared memory grows beyond that; `auto` is a quarter of the container's memory, 1024m at most",
  }),
  zoneShare: key("zone-share", between(1, 100), "50", {
    example: "25",
    description:
      "per cent of each zone of records, as large as it may become, that the Ingresses of one namespace may have; where all of them want more than there is, those that want most have less. What is beyond gets 503. `100` is no limit",
  }),
  debugConnections: key("debug-connections", networks(listOf), "", {
    section: "Logs",
    example: "192.0.2.1",
    description: "clients whose connections are logged at level `debug`",
  }),
  luaSharedDicts: {
    name: "lua-shared-dicts",
    values: "names and sizes",
    shownDefault: none,
    example: "configuration_data: 40M",
    unneeded: "wick has no Lua, and its zones grow; [`zone-sizes`](#zone-sizes) says from where",
  },
  enableSerialReloads: {
    name: "enable-serial-reloads",
    values: values.boolean,
    shownDefault: "`false`",
    example: "true",
    unneeded:
      "[`max-worker-generations`](#max-worker-generations) bounds how many workers of earlier configurations there are, and most changes need no reload; `1` there is the closest",
  },
} satisfies EntriesFor<Processes>)
