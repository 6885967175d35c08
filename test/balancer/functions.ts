import { Status } from "../../harness/abi.ts"
import { commonImports, type World } from "../../lab/guest/imports.ts"
import { foreignFunctions } from "./foreign.ts"
import type { Worker } from "./host.ts"

/** The host's functions. Each reads the guest's memory, acts, writes back. */
export function hostFunctions(worker: Worker): Record<string, (...args: number[]) => number> {
  const { memory } = worker
  const common = commonImports(worldOf(worker))
  const give = (value: Uint8Array | string | undefined, at: number, size: number): number => {
    if (value === undefined) return Status.notFound
    memory.give(value, at, size)
    return Status.ok
  }
  return {
    ...common,
    ...(worker.abilities.ours ? {} : otherHosts(common)),
    proxy_set_tick_period_milliseconds: (period: number) => {
      worker.tickMs = period
      return Status.ok
    },
    proxy_get_property: (path: number, length: number, at: number, size: number) =>
      give(worker.properties.get(memory.text(path, length)), at, size),
    proxy_send_local_response: (
      status: number,
      _details: number,
      _detailsLength: number,
      body: number,
      bodyLength: number,
      headers: number,
      headersLength: number,
    ) => {
      const map = memory.headerMap(headers, headersLength)
      const end = worker.abilities.ours ? "" : "\n"
      worker.answer = { status, body: `${memory.text(body, bodyLength)}${end}`, headers: map }
      return Status.ok
    },
    proxy_get_shared_data: (key: number, length: number, at: number, size: number, cas: number) => {
      const entry = worker.zones.get(memory.latin1(key, length))
      if (!entry) return Status.notFound
      memory.give(entry.value, at, size)
      memory.putU32(cas, entry.cas)
      return Status.ok
    },
    proxy_set_shared_data: (key: number, length: number, value: number, valueLength: number, cas: number) => {
      const bytes = value === 0 ? null : memory.bytes(value, valueLength)
      if (!worker.abilities.ours && cas === 0 && worker.zones.get(memory.latin1(key, length)))
        return Status.casMismatch
      const failure = worker.zones.write([{ key: memory.latin1(key, length), value: bytes, cas: cas >>> 0 }])
      if (!failure) return Status.ok
      if (!worker.abilities.ours && failure.kind === "full")
        throw new Error("host trap: no memory in the zone")
      return failure.kind === "mismatch" ? Status.casMismatch : Status.internalFailure
    },
    proxy_set_property: (path: number, length: number, value: number, valueLength: number) => {
      worker.properties.set(memory.text(path, length), memory.text(value, valueLength))
      return Status.ok
    },
    proxy_set_upstream: (address: number, length: number, port: number) => {
      if (worker.upstream) return Status.badArgument
      worker.upstream = { address: memory.text(address, length), port }
      return Status.ok
    },
  }
}

/** ngx_wasm_module does not look at the start of what is read of a buffer. */
function otherHosts({ proxy_get_buffer_bytes }: ReturnType<typeof commonImports>) {
  return {
    proxy_get_buffer_bytes: (kind: number, _start: number, most: number, at: number, size: number) =>
      proxy_get_buffer_bytes(kind, 0, most, at, size),
  }
}

function worldOf(worker: Worker): World {
  const { memory } = worker
  const functions = foreignFunctions(worker)
  return {
    memory,
    log: (text) => void worker.log.push(text),
    now: () => worker.time * 1e9,
    buffer: (kind) => worker.buffers.get(kind),
    header: (_map, name) => {
      const value = worker.requestHeaders.get(name)
      return value === undefined ? undefined : Buffer.from(value)
    },
    foreign: (name, nameLength, args, length, at, size) => {
      if (!worker.abilities.ours) throw new Error("host trap: unknown foreign function")
      const call = functions[memory.text(name, nameLength)]
      if (!call) return Status.notFound
      const given = memory.bytes(args, length)
      const { status, result } = call(given)
      memory.put(args, given)
      if (result) memory.give(result, at, size)
      return status
    },
  }
}
