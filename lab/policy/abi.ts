/** What of the ABI of policies (docs/abi.md, Policies) `harness/abi.ts` does not have: limits, and what may be imported. */
import { NumberKind } from "../../harness/abi.ts"

/** Kinds of `wick_get_numbers`: the policy's own, and what NumberKind has. */
export const OWN_CELLS = 4
export const KINDS = OWN_CELLS + Object.keys(NumberKind).length

export const zones = { none: 0, ours: 1, another: 2 } as const
export type ZoneName = keyof typeof zones

export const limits = {
  moduleBytes: 4 << 20,
  memoryBytes: 16 << 20,
  configBytes: 16 << 10,
  /** a call in nginx */
  callMs: 1,
} as const

/** Everything else that a module imports cannot be had. */
export const isImport = (module: string, name: string) =>
  module === "env" ? name.startsWith("proxy_") || name in assemblyScript : module === WASI && name in wasi

/** What AssemblyScript's own compiler imports unless it is told otherwise. */
const assemblyScript = { abort: true, seed: true, trace: true } as const

export const WASI = "wasi_snapshot_preview1"
/** What compilers link whether it is used or not. */
const wasi = {
  random_get: true,
  clock_time_get: true,
  environ_get: true,
  environ_sizes_get: true,
  args_get: true,
  args_sizes_get: true,
  fd_write: true,
  fd_close: true,
  fd_seek: true,
  fd_read: true,
  fd_fdstat_get: true,
  fd_fdstat_set_flags: true,
  fd_prestat_get: true,
  fd_prestat_dir_name: true,
  poll_oneoff: true,
  sched_yield: true,
  proc_exit: true,
} as const
