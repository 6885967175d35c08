/** The functions of Proxy-Wasm that every host in Node has. What else a guest imports is about the world of its own host. */
import { Status } from "../../harness/abi.ts"
import type { Memory } from "./memory.ts"

export type Import = (...args: number[]) => number

/** What a host knows, and these functions hand to its guest. */
export interface World {
  /** There when the guest's instance is. */
  readonly memory: Memory
  log(text: string): void
  /** Nanoseconds. */
  now(): number
  /** @param kind one of BufferKind */
  buffer(kind: number): Uint8Array | undefined
  /** @param map one of MapKind */
  header(map: number, name: string): Uint8Array | undefined
  /** Calls a foreign function: its name and arguments lie in the guest's memory, and the result's address and length go to `at` and `size`. */
  foreign(name: number, nameLength: number, args: number, length: number, at: number, size: number): number
}

const TWO_32 = 0x100000000

export function commonImports(world: World) {
  const give = (value: Uint8Array | undefined, at: number, size: number): number =>
    value === undefined ? Status.notFound : world.memory.give(value, at, size)
  return {
    proxy_log: (_level = 0, at = 0, length = 0) => {
      if (!world.memory.has(at, length)) return Status.invalidMemoryAccess
      world.log(world.memory.text(at, length))
      return Status.ok
    },
    proxy_get_current_time_nanoseconds: (at = 0) => {
      if (!world.memory.has(at, 8)) return Status.invalidMemoryAccess
      const now = world.now()
      world.memory.store(at, now % TWO_32)
      world.memory.store(at + 4, now / TWO_32)
      return Status.ok
    },
    proxy_get_buffer_bytes: (kind = 0, start = 0, most = 0, at = 0, size = 0) =>
      give(world.buffer(kind)?.subarray(start, start + most), at, size),
    proxy_get_header_map_value: (map = 0, key = 0, length = 0, at = 0, size = 0) => {
      if (!world.memory.has(key, length)) return Status.invalidMemoryAccess
      return give(world.header(map, world.memory.text(key, length)), at, size)
    },
    proxy_call_foreign_function: (name = 0, nameLength = 0, args = 0, length = 0, at = 0, size = 0) => {
      if (!world.memory.has(name, nameLength) || !world.memory.has(args, length))
        return Status.invalidMemoryAccess
      return world.foreign(name, nameLength, args, length, at, size)
    },
  } satisfies Record<string, Import>
}
