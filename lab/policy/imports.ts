/** What a policy may import: Proxy-Wasm's functions and the few of WASI that compilers link. Those without a use here are there and do nothing. */
import { BufferKind, MapKind, Status } from "../abi.ts"
import { isImport, WASI } from "./abi.ts"
import type { Texts } from "./attempts.ts"
import { Fault } from "./fault.ts"
import { functionAt, type Policy } from "./functions.ts"

const TWO_32 = 0x100000000
/** Lines that are kept of a log. */
const MOST_LINES = 100
/** WASI's EFAULT. */
const BAD_ADDRESS = 21

/** What of an instance they use. */
export interface Host extends Policy {
  readonly log: string[]
  readonly nowNs: number
  readonly configuration: Uint8Array
  readonly responseHeaders: Texts
  /** 0 to 255 */
  randomByte(): number
}

type Call = (host: Host, ...args: number[]) => number

const env: Record<string, Call> = {
  proxy_log: ({ guest, log }, _level, at = 0, length = 0) => {
    if (!guest.has(at, length)) return Status.invalidMemoryAccess
    if (log.length < MOST_LINES) log.push(guest.text(at, length))
    return Status.ok
  },
  proxy_get_current_time_nanoseconds: ({ guest, nowNs }, at = 0) => {
    if (!guest.has(at, 8)) return Status.invalidMemoryAccess
    guest.store(at, nowNs % TWO_32)
    guest.store(at + 4, nowNs / TWO_32)
    return Status.ok
  },
  proxy_get_buffer_bytes: ({ guest, configuration }, kind, start = 0, most = 0, at = 0, size = 0) =>
    kind === BufferKind.pluginConfiguration
      ? guest.give(configuration.subarray(start, start + most), at, size)
      : Status.notFound,
  proxy_get_header_map_value: (host, map, key = 0, length = 0, at = 0, size = 0) => {
    const { guest } = host
    if (!guest.has(key, length)) return Status.invalidMemoryAccess
    const value = ownOf(headersOf(host, map), guest.text(key, length))
    return value === undefined ? Status.notFound : guest.give(Buffer.from(value), at, size)
  },
  proxy_call_foreign_function: (host, name = 0, nameLength = 0, args = 0, length = 0, at = 0, size = 0) => {
    const { guest } = host
    if (!guest.has(name, nameLength) || !guest.has(args, length)) return Status.invalidMemoryAccess
    const call = functionAt(guest.u8, name, nameLength)
    return call ? call(host, args, length, at, size) : Status.notFound
  },
  abort: () => {
    throw new Fault("It called abort")
  },
  seed: (host) => host.randomByte() + 1,
}

const wasi: Record<string, Call> = {
  random_get: (host, at = 0, length = 0) => {
    if (!host.guest.has(at, length)) return BAD_ADDRESS
    for (let i = 0; i < length; i++) host.guest.u8[at + i] = host.randomByte()
    return 0
  },
  proc_exit: () => {
    throw new Fault("It called proc_exit")
  },
}

const doNothing: Call = () => Status.unimplemented

/** The functions that a module imports; what it may not import is missing. */
export function importsOf(module: WebAssembly.Module, host: Host): WebAssembly.Imports {
  const ofEnv: WebAssembly.Imports[string] = {}
  const ofWasi: WebAssembly.Imports[string] = {}
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function" || !isImport(from, name)) continue
    const call = (from === WASI ? wasi : env)[name] ?? doNothing
    // Six are the most that one takes. Addresses come as signed numbers.
    const bound = (a = 0, b = 0, c = 0, d = 0, e = 0, f = 0) =>
      call(host, a >>> 0, b >>> 0, c >>> 0, d >>> 0, e >>> 0, f >>> 0)
    ;(from === WASI ? ofWasi : ofEnv)[name] = bound
  }
  return { env: ofEnv, [WASI]: ofWasi }
}

function headersOf({ asked, responseHeaders }: Host, map: number = MapKind.httpRequestHeaders): Texts {
  if (map === MapKind.httpRequestHeaders) return asked.headers ?? {}
  return map === MapKind.httpResponseHeaders ? responseHeaders : {}
}

function ownOf(texts: Texts, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}
