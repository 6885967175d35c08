import { readdirSync } from "node:fs"
import type { ZoneFill } from "../../controller/model/zone-fill.ts"
import { childrenOf } from "../../harness/processes.ts"
import { privateBytes } from "../support/cpu.ts"
import type { Ledger } from "./ledger.ts"
import type { Stage } from "./stage.ts"

export const columns = [
  "minute",
  "requests",
  "lost",
  "workers killed",
  "reloads",
  "controller, MiB",
  "descriptors",
  "master, MiB",
  "descriptors",
  "workers, MiB",
  "descriptors",
  "zones: used / size, KiB",
]

/** What must stay flat, now. */
export async function sample({ wick }: Stage, ledger: Ledger, minute: number): Promise<(string | number)[]> {
  const master = wick.nginxPid ?? 0
  const workers = childrenOf(master)
  const each = (of: (pid: number) => string | number) =>
    workers.map((pid) => attempt(() => of(pid))).join(" · ")
  return [
    minute.toFixed(0),
    ledger.total,
    `${ledger.unexplained.length} (+ ${ledger.explained} in killed workers)`,
    ledger.kills,
    await wick.metric("nginx_ingress_controller_success").catch(() => "?"),
    attempt(() => mib(wick.pid)),
    attempt(() => descriptors(wick.pid)),
    attempt(() => mib(master)),
    attempt(() => descriptors(master)),
    each(mib),
    each(descriptors),
    await zones(wick),
  ]
}

const mib = (pid: number) => (privateBytes(pid) / 1024 / 1024).toFixed(1)
const descriptors = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

/** A process may end while it is looked at. */
function attempt<T>(look: () => T): T | string {
  try {
    return look()
  } catch {
    return "–"
  }
}

async function zones(wick: Stage["wick"]): Promise<string> {
  const { body } = await wick.control("GET", "/zones")
  const fills = JSON.parse(body) as readonly ZoneFill[]
  const kib = (bytes: number) => Math.round(bytes / 1024)
  return fills.map(({ name, used, size }) => `${name} ${kib(used)} / ${kib(size)}`).join(", ")
}
