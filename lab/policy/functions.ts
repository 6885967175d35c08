/** The foreign functions of policies (docs/abi.md, Policies), found without making a string of their names. */
import { type PolicyFunction, Status } from "../abi.ts"
import { KINDS, OWN_CELLS } from "./abi.ts"
import type { Asked, Texts } from "./attempts.ts"
import type { Backend, List } from "./backend.ts"
import type { Guest } from "./guest.ts"
import type { AttemptRecord } from "./record.ts"

/** What of an instance the functions use. */
export interface Policy {
  readonly guest: Guest
  readonly record: AttemptRecord
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
    const first = Math.min(policy.guest.load(args), count)
    const last = Math.min(count, first + policy.guest.load(args + 4))
    const result = new Uint8Array(4 + (last - first) * ENTRY_BYTES)
    new DataView(result.buffer).setUint32(0, count, true)
    result.set(list.entries.subarray(first * ENTRY_BYTES, last * ENTRY_BYTES), 4)
    return policy.guest.give(result, at, size)
  },
  wick_get_endpoint_address: (policy, args, length, at, size) => {
    if (length !== 4) return Status.badArgument
    const endpoint = policy.current?.list.endpoints[policy.guest.load(args)]
    return endpoint ? policy.guest.give(Buffer.from(endpoint.address), at, size) : Status.notFound
  },
  wick_get_avoided: (policy, _args, length, at, size) => {
    const list = policy.current?.list
    if (length !== 0 || !list) return Status.badArgument
    return policy.guest.give(avoidedBits(policy, list), at, size)
  },
  wick_get_numbers: ({ guest, current }, args, length) => {
    if (length < 8 || !current) return Status.badArgument
    const [kind, count] = [guest.load(args), guest.load(args + 4)]
    if (kind >= KINDS || length !== 8 + count * 16) return Status.badArgument
    const { slots } = current.list
    const { numbers } = current.backend
    for (let entry = args + 8, i = 0; i < count; i++, entry += 16) {
      const slot = guest.load(entry + 4) === 0 ? slots[guest.load(entry)] : undefined
      guest.store(entry + 8, slot === undefined ? 0 : numbers.low(slot, kind))
      guest.store(entry + 12, slot === undefined ? 0 : numbers.high(slot, kind))
    }
    return Status.ok
  },
  wick_add_number: ({ guest, current }, args, length) => {
    if (length !== 24 || !current || guest.load(args) >= OWN_CELLS) return Status.badArgument
    const slot = current.list.slots[guest.load(args + 8)]
    if (slot === undefined) return Status.notFound
    const { numbers } = current.backend
    const cell = guest.load(args)
    const low = numbers.low(slot, cell) + guest.load(args + 16)
    numbers.set(slot, cell, low, numbers.high(slot, cell) + guest.load(args + 20) + (low >= 2 ** 32 ? 1 : 0))
    guest.store(args + 16, numbers.low(slot, cell))
    guest.store(args + 20, numbers.high(slot, cell))
    return Status.ok
  },
  wick_swap_number: ({ guest, current }, args, length) => {
    if (length !== 32 || !current || guest.load(args) >= OWN_CELLS) return Status.badArgument
    const slot = current.list.slots[guest.load(args + 8)]
    if (slot === undefined) return Status.notFound
    const { numbers } = current.backend
    const cell = guest.load(args)
    const [low, high] = [numbers.low(slot, cell), numbers.high(slot, cell)]
    if (low === guest.load(args + 16) && high === guest.load(args + 20)) {
      numbers.set(slot, cell, guest.load(args + 24), guest.load(args + 28))
      return Status.ok
    }
    guest.store(args + 16, low)
    guest.store(args + 20, high)
    return Status.casMismatch
  },
  wick_choose_endpoint: (policy, args, length) => {
    if (length !== 4) return Status.badArgument
    policy.chosen = policy.guest.load(args)
    return Status.ok
  },
  wick_get_attempt: (policy, _args, length, at, size) =>
    length === 0 ? policy.guest.give(policy.record.bytes, at, size) : Status.badArgument,
  wick_get_cookie: (policy, args, length, at, size) => {
    const cookies: Texts = policy.asked.cookies ?? {}
    const name = policy.guest.text(args, length)
    const value = Object.hasOwn(cookies, name) ? cookies[name] : undefined
    return value === undefined ? Status.notFound : policy.guest.give(Buffer.from(value), at, size)
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

/** A name's length and its last character tell these functions apart. */
const signature = (length: number, last: number) => ((length & 31) << 8) | last
const table: ({ readonly name: Uint8Array; readonly call: Call } | undefined)[] = Array.from(
  { length: 32 << 8 },
  () => undefined,
)
for (const [name, call] of Object.entries(functions)) {
  const place = signature(name.length, name.charCodeAt(name.length - 1))
  if (table[place]) throw new Error(`${name} looks like another foreign function`)
  table[place] = { name: Buffer.from(name), call }
}

/** The function of this name; nothing if there is none. */
export function functionAt(memory: Uint8Array, at: number, length: number): Call | undefined {
  const found = table[signature(length, memory[at + length - 1] as number)]
  if (found?.name.length !== length) return undefined
  for (let i = 0; i < length; i++) if (memory[at + i] !== found.name[i]) return undefined
  return found.call
}
