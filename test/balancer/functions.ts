import { Status } from "../../lab/abi.ts"
import { foreignFunctions } from "./foreign.ts"
import type { Worker } from "./host.ts"

/** The host's functions. Each reads the guest's memory, acts, writes back. */
export function hostFunctions(worker: Worker): Record<string, (...args: number[]) => number> {
  const { memory } = worker
  const foreign = foreignFunctions(worker)
  const give = (value: Uint8Array | string | undefined, at: number, size: number): number => {
    if (value === undefined) return Status.notFound
    memory.give(value, at, size)
    return Status.ok
  }
  return {
    proxy_log: (_level: number, at: number, length: number) => {
      worker.log.push(memory.text(at, length))
      return Status.ok
    },
    proxy_set_tick_period_milliseconds: (period: number) => {
      worker.tickMs = period
      return Status.ok
    },
    proxy_get_current_time_nanoseconds: (at: number) => {
      memory.putU64(at, BigInt(worker.time) * 1_000_000_000n)
      return Status.ok
    },
    proxy_get_buffer_bytes: (kind: number, start: number, most: number, at: number, size: number) =>
      give(bufferOf(worker, kind, start, most), at, size),
    proxy_get_header_map_value: (_kind: number, key: number, length: number, at: number, size: number) =>
      give(worker.requestHeaders.get(memory.text(key, length)), at, size),
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
    proxy_call_foreign_function: (
      name: number,
      nameLength: number,
      args: number,
      argsLength: number,
      at: number,
      size: number,
    ) => {
      if (!worker.abilities.ours) throw new Error("host trap: unknown foreign function")
      const call = foreign[memory.text(name, nameLength)]
      if (!call) return Status.notFound
      const given = memory.bytes(args, argsLength)
      const { status, result } = call(given)
      memory.put(args, given)
      if (result) memory.give(result, at, size)
      return status
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

/** ngx_wasm_module does not look at the start. */
function bufferOf({ abilities, buffers }: Worker, kind: number, start: number, most: number) {
  const from = abilities.ours ? start : 0
  return buffers.get(kind)?.subarray(from, from + most)
}
