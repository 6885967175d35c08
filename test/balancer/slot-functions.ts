/** The foreign functions of the shared slots. */

import { Status } from "../../harness/abi.ts"
import type { Call } from "./foreign.ts"
import type { Worker } from "./host.ts"

export function slotFunctions(worker: Worker): Record<string, Call> {
  const { zones } = worker
  return {
    wick_open_slots: (bytes) => {
      const args = Buffer.from(bytes.buffer)
      const count = args.readUInt32LE(8)
      const key = args.toString("latin1", 16 + 8 * count)
      if (args.readUInt32LE(12) !== args.length - 16 - 8 * count) return { status: Status.badArgument }
      const slots = zones.zoneOf(key)?.slots
      if (!slots || !zones.get(key)) return { status: Status.notFound }
      if (args.readBigUInt64LE(0) !== zones.keyVersion(key)) return { status: Status.casMismatch }
      const ids = Array.from({ length: count }, (_, i) => args.readBigUInt64LE(16 + 8 * i))
      const numbers = slots.open(key, ids)
      numbers?.forEach((number, i) => {
        args.writeBigUInt64LE(number, 16 + 8 * i)
      })
      return { status: numbers ? Status.ok : Status.internalFailure }
    },
    wick_find_slots: (bytes) => {
      const args = Buffer.from(bytes.buffer)
      const count = args.readUInt32LE(8)
      const key = args.toString("latin1", 16 + 8 * count)
      if (args.readUInt32LE(12) !== args.length - 16 - 8 * count) return { status: Status.badArgument }
      const slots = zones.zoneOf(key)?.slots
      if (!slots) return { status: Status.notFound }
      for (let at = 16; at < 16 + 8 * count; at += 8) {
        args.writeBigUInt64LE(slots.find(key, args.readBigUInt64LE(at)), at)
      }
      args.writeBigUInt64LE(zones.now, 0)
      return { status: Status.ok }
    },
    wick_get_slots: (bytes) => {
      const args = Buffer.from(bytes.buffer)
      const cell = args.readUInt32LE(0)
      for (let at = 8; at < 8 + 16 * args.readUInt32LE(4); at += 16) {
        args.writeBigUInt64LE(zones.slots.get(args.readBigUInt64LE(at), cell), at + 8)
      }
      return { status: Status.ok }
    },
    wick_add_slot: (bytes) => {
      const args = Buffer.from(bytes.buffer)
      const by = args.readBigUInt64LE(16)
      const sum = zones.slots.add(worker.process, args.readBigUInt64LE(8), args.readUInt32LE(0), by)
      if (sum === undefined) return { status: Status.notFound }
      args.writeBigUInt64LE(sum, 16)
      return { status: Status.ok }
    },
    wick_swap_slot: (bytes) => {
      const args = Buffer.from(bytes.buffer)
      const expected = args.readBigUInt64LE(16)
      const wanted = args.readBigUInt64LE(24)
      const present = zones.slots.swap(args.readBigUInt64LE(8), args.readUInt32LE(0), expected, wanted)
      if (present === undefined) return { status: Status.notFound }
      args.writeBigUInt64LE(present, 16)
      return { status: present === expected ? Status.ok : Status.casMismatch }
    },
  }
}
