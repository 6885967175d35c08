/** The foreign functions of policies (docs/abi.md, Policies). */
import { type PolicyFunction, Status } from "../../harness/abi.ts"
import { Names } from "../guest/names.ts"
import { KINDS, OWN_CELLS } from "./abi.ts"
import type { Asked, Texts } from "./attempts.ts"
import type { Backend, List } from "./backend.ts"
import type { Guest } from "./guest.ts"
import type { PolicyRecord } from "./record.ts"

/** What of an instance the functions use. */
export interface Policy {
  readonly memory: Guest
  readonly record: PolicyRecord
  readonly asked: Asked
  /** What the callback is about; nothing during the start. */
  readonly current: { readonly list: List; readonly backend: Backend } | undefined
  chosen: number
}

/** `args` and `length` are the arguments, which lie in memory; a result goes to `at` and `size`. */
type Call = (policy: Policy, args: number, length: number, at: number, size: number) => number

const ENTRY_BYTES = 16

const functions: Record<PolicyFunction, Call> = {
  wick_get_endpoints: (policy, args, length, at, size) => {
    const list = policy.current?.list
    if (length !== 8 || !list) return Status.badArgument
    const count = list.endpoints.length
    const first = Math.min(policy.memory.load(args), count)
    const last = Math.min(count, first + policy.memory.load(args + 4))
    const result = new Uint8Array(4 + (last - first) * ENTRY_BYTES)
    new DataView(result.buffer).setUint32(0, count, true)
    result.set(list.entries.subarray(first * ENTRY_BYTES, last * ENTRY_BYTES), 4)
    return policy.memory.give(result, at, size)
  },
  wick_get_endpoint_address: (policy, args, length, at, size) => {
    if (length !== 4) return Status.badArgument
    const endpoint = policy.current?.list.endpoints[policy.memory.load(args)]
    return endpoint ? policy.memory.give(Buffer.from(endpoint.address), at, size) : Status.notFound
  },
  wick_get_avoided: (policy, _args, length, at, size) => {
    const list = policy.current?.list
    if (length !== 0 || !list) return Status.badArgument
    return policy.memory.give(avoidedBits(policy, list), at, size)
  },
  wick_get_numbers: ({ memory, current }, args, length) => {
    if (length < 8 || !current) return Status.badArgument
    const [kind, count] = [memory.load(args), memory.load(args + 4)]
    if (kind >= KINDS || length !== 8 + count * 16) return Status.badArgument
    const { slots } = current.list
    const { numbers } = current.backend
    for (let entry = args + 8, i = 0; i < count; i++, entry += 16) {
      const slot = memory.load(entry + 4) === 0 ? slots[memory.load(entry)] : undefined
      memory.store(entry + 8, slot === undefined ? 0 : numbers.low(slot, kind))
      memory.store(entry + 12, slot === undefined ? 0 : numbers.high(slot, kind))
    }
    return Status.ok
  },
  wick_add_number: ({ memory, current }, args, length) => {
    if (length !== 24 || !current || memory.load(args) >= OWN_CELLS) return Status.badArgument
    const slot = current.list.slots[memory.load(args + 8)]
    if (slot === undefined) return Status.notFound
    const { numbers } = current.backend
    const cell = memory.load(args)
    const low = numbers.low(slot, cell) + memory.load(args + 16)
    numbers.set(slot, cell, low, numbers.high(slot, cell) + memory.load(args + 20) + (low >= 2 ** 32 ? 1 : 0))
    memory.store(args + 16, numbers.low(slot, cell))
    memory.store(args + 20, numbers.high(slot, cell))
    return Status.ok
  },
  wick_swap_number: ({ memory, current }, args, length) => {
    if (length !== 32 || !current || memory.load(args) >= OWN_CELLS) return Status.badArgument
    const slot = current.list.slots[memory.load(args + 8)]
    if (slot === undefined) return Status.notFound
    const { numbers } = current.backend
    const cell = memory.load(args)
    const [low, high] = [numbers.low(slot, cell), numbers.high(slot, cell)]
    if (low === memory.load(args + 16) && high === memory.load(args + 20)) {
      numbers.set(slot, cell, memory.load(args + 24), memory.load(args + 28))
      return Status.ok
    }
    memory.store(args + 16, low)
    memory.store(args + 20, high)
    return Status.casMismatch
  },
  wick_choose_endpoint: (policy, args, length) => {
    if (length !== 4) return Status.badArgument
    policy.chosen = policy.memory.load(args)
    return Status.ok
  },
  wick_get_attempt: (policy, _args, length, at, size) =>
    length === 0 ? policy.memory.give(policy.record.bytes, at, size) : Status.badArgument,
  wick_get_cookie: (policy, args, length, at, size) => {
    const cookies: Texts = policy.asked.cookies ?? {}
    const name = policy.memory.text(args, length)
    const value = Object.hasOwn(cookies, name) ? cookies[name] : undefined
    return value === undefined ? Status.notFound : policy.memory.give(Buffer.from(value), at, size)
  },
}

function avoidedBits({ asked: { tried = [] } }: Policy, list: List): Uint8Array {
  const bits = new Uint8Array((list.endpoints.length + 7) >> 3)
  const set = (place: number | undefined) => {
    if (place !== undefined && place < list.endpoints.length) {
      bits[place >> 3] = (bits[place >> 3] as number) | (1 << (place & 7))
    }
  }
  for (const slot of tried) set(list.places.get(slot))
  return bits
}

export const foreign = new Names(functions)
