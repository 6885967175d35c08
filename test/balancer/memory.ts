/** Checked views of a filter's memory. The memory may grow at every call into the filter, so no view is kept. */

type Guest = { memory: WebAssembly.Memory; proxy_on_memory_allocate(size: number): number }

export type Memory = ReturnType<typeof memoryOf>

export function memoryOf(guest: () => Guest) {
  const view = () => new DataView(guest().memory.buffer)
  /** A copy. */
  const bytes = (at: number, length: number) =>
    new Uint8Array(guest().memory.buffer, at >>> 0, length >>> 0).slice()
  const text = (at: number, length: number) =>
    new TextDecoder("utf-8", { fatal: true }).decode(bytes(at, length))
  const putU32 = (at: number, number: number) => view().setUint32(at, number, true)
  return {
    bytes,
    put: (at: number, value: Uint8Array) => new Uint8Array(guest().memory.buffer).set(value, at),
    text,
    putU32,
    putU64: (at: number, number: bigint) => view().setBigUint64(at, number, true),
    latin1: (at: number, length: number) => Buffer.from(bytes(at, length)).toString("latin1"),
    /** Lets the filter allocate, copies, and stores address and length where the filter wants them. */
    give: (value: Uint8Array | string, at: number, size: number) => {
      const source = typeof value === "string" ? Buffer.from(value) : value
      const to = guest().proxy_on_memory_allocate(source.length)
      if (to === 0) throw new Error("The filter gave no memory")
      new Uint8Array(guest().memory.buffer).set(source, to)
      putU32(at, to)
      putU32(size, source.length)
    },
    headerMap: (at: number, length: number): Record<string, string> =>
      length === 0 ? {} : decodeHeaderMap(bytes(at, length)),
  }
}

/** Proxy-Wasm: u32 count, per header u32 length of key and of value, then key, NUL, value, NUL. */
function decodeHeaderMap(bytes: Uint8Array): Record<string, string> {
  const buffer = Buffer.from(bytes)
  const count = buffer.readUInt32LE(0)
  const headers: Record<string, string> = {}
  let at = 4 + 8 * count
  for (let i = 0; i < count; i++) {
    const keyEnd = at + buffer.readUInt32LE(4 + 8 * i)
    const valueEnd = keyEnd + 1 + buffer.readUInt32LE(8 + 8 * i)
    headers[buffer.toString("utf8", at, keyEnd)] = buffer.toString("utf8", keyEnd + 1, valueEnd)
    if (buffer[keyEnd] !== 0 || buffer[valueEnd] !== 0) throw new Error("A header is not followed by NUL")
    at = valueEnd + 1
  }
  if (at !== buffer.length) throw new Error("Something follows the last header")
  return headers
}
