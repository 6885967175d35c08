/** Our foreign functions (docs/abi.md). */
import { type FilterFunction, Status } from "../../harness/abi.ts"
import type { Memory } from "../guest/memory.ts"
import { Names } from "../guest/names.ts"
import type { Parts } from "./slots.ts"
import type { Write, Zone } from "./zone.ts"

/** What of a host the functions use. */
interface Host {
  readonly zone: Zone
  readonly parts: Parts
  readonly memory: Memory
  readonly request: { readonly expanded: Uint8Array; readonly cookie: Uint8Array | undefined }
  /** the cookie that was set, packed as in the call */
  cookieAt: number
  cookieLength: number
}

/** `at` and `length` are the arguments; results go to `host.memory.give` with `data` and `size`. */
type Foreign = (host: Host, at: number, length: number, data: number, size: number) => number

/** The length of a value that stands for a deletion. */
const DELETE = 0xffffffff

const versionWord = new Uint32Array(2)
const versionBytes = new Uint8Array(versionWord.buffer)

const functions: Partial<Record<FilterFunction, Foreign>> = {
  wick_set_callbacks: () => Status.ok,
  wick_shared_data_version: (host, at, length, data, size) => {
    versionWord[0] = host.zone.versionOf(host.memory.latin1(at, length))
    return host.memory.give(versionBytes, data, size)
  },
  wick_set_shared_data_many: (host, at, length, data, size) => {
    const refused = host.zone.write(parseWrites(Buffer.from(host.memory.u8.subarray(at, at + length))))
    if (refused === undefined) return Status.ok
    host.memory.give(new Uint8Array(Uint32Array.of(refused).buffer), data, size)
    return Status.casMismatch
  },
  wick_expand: (host, _at, _length, data, size) => host.memory.give(host.request.expanded, data, size),
  wick_get_cookie: (host, _at, _length, data, size) => {
    const { cookie } = host.request
    return cookie ? host.memory.give(cookie, data, size) : Status.notFound
  },
  wick_set_cookie: (host, at, length) => {
    host.cookieAt = at
    host.cookieLength = length
    return Status.ok
  },
  wick_open_slots: (host, at, length) => {
    const word = at >> 2
    const count = host.memory.u32[word + 2] as number
    const key = host.memory.latin1(at + 16 + 8 * count, length - 16 - 8 * count)
    if (!host.zone.get(key)) return Status.notFound
    if (host.memory.u32[word] !== host.zone.versionOf(key)) return Status.casMismatch
    const ids = new BigUint64Array(host.memory.u32.buffer, at + 16, count)
    return host.zone.slots.open(key, ids) ? Status.ok : Status.internalFailure
  },
  wick_get_slots: ({ zone, memory: { u32 } }, at) => {
    const word = at >> 2
    zone.slots.get(u32[word] as number, u32, word + 2, u32[word + 1] as number)
    return Status.ok
  },
  wick_add_slot: ({ zone, memory: { u32 }, parts }, at) => {
    const word = at >> 2
    return zone.slots.add(u32[word] as number, u32, word + 2, parts) ? Status.ok : Status.notFound
  },
  wick_swap_slot: ({ zone, memory: { u32 } }, at) => {
    const word = at >> 2
    const isSwapped = zone.slots.swap(u32[word] as number, u32, word + 2)
    if (isSwapped === undefined) return Status.notFound
    return isSwapped ? Status.ok : Status.casMismatch
  },
}

export const foreign = new Names(functions)

function parseWrites(args: Buffer): Write[] {
  let at = 4
  return Array.from({ length: args.readUInt32LE(0) }, () => {
    const [key, cas] = [at + 12, args.readUInt32LE(at + 8)]
    const value = key + args.readUInt32LE(at)
    const isDeletion = args.readUInt32LE(at + 4) === DELETE
    at = isDeletion ? value : value + args.readUInt32LE(key - 8)
    return {
      key: args.toString("latin1", key, value),
      value: isDeletion ? null : new Uint8Array(args.subarray(value, at)),
      cas,
    }
  })
}
