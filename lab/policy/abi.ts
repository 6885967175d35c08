/** The ABI of policies (docs/abi.md, Policies) as numbers and names. */

export const ABI_VERSION = 1

/** Proxy-Wasm's status codes. */
export const Status = {
  ok: 0,
  notFound: 1,
  badArgument: 2,
  invalidMemoryAccess: 6,
  casMismatch: 8,
  unimplemented: 12,
} as const

/** Bits of `wick_policy_needs`. */
export const Need = { running: 1, times: 2, info: 4, own: 8, zones: 16 } as const
export const ALL_NEEDS = 31

/** Kinds of `wick_get_numbers`; 0 to 3 are the policy's own. */
export const RUNNING = 4
export const LATENCY = 5
export const KINDS = 6
export const OWN_CELLS = 4

export const zones = { none: 0, ours: 1, another: 2 } as const
export type ZoneName = keyof typeof zones

export const NOBODY = 0xffffffff
/** Word of the attempt record that has the outcome in info; in select bit 0 says that some endpoints are to be kept away from. */
export const FLAGS = 21
export const IS_CAREFUL = 1
/** Word of the record that has the host's version. */
export const HOST_VERSION = 23

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
