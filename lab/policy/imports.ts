/** What a policy may import: Proxy-Wasm's functions and the few of WASI that compilers link. Those without a use here are there and do nothing. */
import { BufferKind, MapKind, Status } from "../../harness/abi.ts"
import { commonImports, type Import, type World } from "../guest/imports.ts"
import { isImport, WASI } from "./abi.ts"
import type { Texts } from "./attempts.ts"
import { Fault } from "./fault.ts"
import { foreign, type Policy } from "./functions.ts"

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

/** What Proxy-Wasm's functions hand to a policy. */
function worldOf(host: Host): World {
  return {
    get memory() {
      return host.memory
    },
    log: (text) => {
      if (host.log.length < MOST_LINES) host.log.push(text)
    },
    now: () => host.nowNs,
    buffer: (kind) => (kind === BufferKind.pluginConfiguration ? host.configuration : undefined),
    header: (map, name) => {
      const value = ownOf(headersOf(host, map), name)
      return value === undefined ? undefined : Buffer.from(value)
    },
    foreign: (name, nameLength, args, length, at, size) => {
      const call = foreign.find(host.memory.u8, name, nameLength)
      return call ? call(host, args, length, at, size) : Status.notFound
    },
  }
}

function assemblyScript(host: Host): Record<string, Import> {
  return {
    abort: () => {
      throw new Fault("It called abort")
    },
    seed: () => host.randomByte() + 1,
  }
}

function wasi(host: Host): Record<string, Import> {
  return {
    random_get: (at = 0, length = 0) => {
      if (!host.memory.has(at, length)) return BAD_ADDRESS
      for (let i = 0; i < length; i++) host.memory.u8[at + i] = host.randomByte()
      return 0
    },
    proc_exit: () => {
      throw new Fault("It called proc_exit")
    },
  }
}

const doNothing: Import = () => Status.unimplemented

/** The functions that a module imports; what it may not import is missing. */
export function importsOf(module: WebAssembly.Module, host: Host): WebAssembly.Imports {
  const functions: Readonly<Record<string, Import>> = {
    ...commonImports(worldOf(host)),
    ...assemblyScript(host),
    ...wasi(host),
  }
  const ofEnv: WebAssembly.Imports[string] = {}
  const ofWasi: WebAssembly.Imports[string] = {}
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function" || !isImport(from, name)) continue
    const call = functions[name] ?? doNothing
    // Six are the most that one takes. Addresses come as signed numbers.
    const bound = (a = 0, b = 0, c = 0, d = 0, e = 0, f = 0) =>
      call(a >>> 0, b >>> 0, c >>> 0, d >>> 0, e >>> 0, f >>> 0)
    ;(from === WASI ? ofWasi : ofEnv)[name] = bound
  }
  return { env: ofEnv, [WASI]: ofWasi }
}

function headersOf({ asked, responseHeaders }: Host, map: number): Texts {
  if (map === MapKind.httpRequestHeaders) return asked.headers ?? {}
  return map === MapKind.httpResponseHeaders ? responseHeaders : {}
}

function ownOf(texts: Texts, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}
