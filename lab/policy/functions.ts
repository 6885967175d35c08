/** The foreign functions of policies (docs/abi.md, Policies), found without making a string of their names. */
import { KINDS, OWN_CELLS, Status } from "./abi.ts"
import type { Backend, List } from "./backend.ts"

/** What of an instance the functions use. */
interface Policy {
  readonly u8: Uint8Array
  readonly current: { readonly list: List; readonly backend: Backend } | undefined
  readonly asked: {
    readonly tried?: readonly number[] | undefined
    readonly avoided?: readonly number[] | undefined
    readonly cookies?: Readonly<Record<string, string>> | undefined
  }
  readonly recordBytes: Uint8Array
  chosen: number
  give(value: Uint8Array, at: number, size: number): number
  text(at: number, length: number): string
}

/** `args` and `length` are the arguments, which lie in memory; a result goes to `at` and `size`. */
type Call = (policy: Policy, args: number, length: number, at: number, size: number) => number

const ENTRY_BYTES = 16

const functions: Record<string, Call> = {
  wick_get_endpoints: (policy, args, length, at, size) => {
    const list = policy.current?.list
    if (length !== 8 || !list) return Status.badArgument
    const count = list.endpoints.length
    const first = Math.min(word(policy.u8, args), count)
    const last = Math.min(count, first + word(policy.u8, args + 4))
    const result = new Uint8Array(4 + (last - first) * ENTRY_BYTES)
    new DataView(result.buffer).setUint32(0, count, true)
    result.set(list.entries.subarray(first * ENTRY_BYTES, last * ENTRY_BYTES), 4)
    return policy.give(result, at, size)
  },
  wick_get_endpoint_address: (policy, args, length, at, size) => {
    if (length !== 4) return Status.badArgument
    const endpoint = policy.current?.list.endpoints[word(policy.u8, args)]
    return endpoint ? policy.give(Buffer.from(endpoint.address), at, size) : Status.notFound
  },
  wick_get_avoided: (policy, _args, length, at, size) => {
    const list = policy.current?.list
    if (length !== 0 || !list) return Status.badArgument
    return policy.give(avoidedBits(policy, list), at, size)
  },
  wick_get_numbers: ({ u8, current }, args, length) => {
    if (length < 8 || !current) return Status.badArgument
    const [kind, count] = [word(u8, args), word(u8, args + 4)]
    if (kind >= KINDS || length !== 8 + count * 16) return Status.badArgument
    const { slots } = current.list
    const { numbers } = current.backend
    for (let entry = args + 8, i = 0; i < count; i++, entry += 16) {
      const slot = word(u8, entry + 4) === 0 ? slots[word(u8, entry)] : undefined
      put(u8, entry + 8, slot === undefined ? 0 : numbers.low(slot, kind))
      put(u8, entry + 12, slot === undefined ? 0 : numbers.high(slot, kind))
    }
    return Status.ok
  },
  wick_add_number: ({ u8, current }, args, length) => {
    if (length !== 24 || !current || word(u8, args) >= OWN_CELLS) return Status.badArgument
    const slot = current.list.slots[word(u8, args + 8)]
    if (slot === undefined) return Status.notFound
    const { numbers } = current.backend
    const cell = word(u8, args)
    const low = numbers.low(slot, cell) + word(u8, args + 16)
    numbers.set(slot, cell, low, numbers.high(slot, cell) + word(u8, args + 20) + (low >= 2 ** 32 ? 1 : 0))
    put(u8, args + 16, numbers.low(slot, cell))
    put(u8, args + 20, numbers.high(slot, cell))
    return Status.ok
  },
  wick_swap_number: ({ u8, current }, args, length) => {
    if (length !== 32 || !current || word(u8, args) >= OWN_CELLS) return Status.badArgument
    const slot = current.list.slots[word(u8, args + 8)]
    if (slot === undefined) return Status.notFound
    const { numbers } = current.backend
    const cell = word(u8, args)
    const [low, high] = [numbers.low(slot, cell), numbers.high(slot, cell)]
    if (low === word(u8, args + 16) && high === word(u8, args + 20)) {
      numbers.set(slot, cell, word(u8, args + 24), word(u8, args + 28))
      return Status.ok
    }
    put(u8, args + 16, low)
    put(u8, args + 20, high)
    return Status.casMismatch
  },
  wick_choose_endpoint: (policy, args, length) => {
    if (length !== 4) return Status.badArgument
    policy.chosen = word(policy.u8, args)
    return Status.ok
  },
  wick_get_attempt: (policy, _args, length, at, size) =>
    length === 0 ? policy.give(policy.recordBytes, at, size) : Status.badArgument,
  wick_get_cookie: (policy, args, length, at, size) => {
    const { cookies = {} } = policy.asked
    const name = policy.text(args, length)
    const value = Object.hasOwn(cookies, name) ? cookies[name] : undefined
    return value === undefined ? Status.notFound : policy.give(Buffer.from(value), at, size)
  },
}

function avoidedBits({ asked: { tried = [], avoided = [] } }: Policy, list: List): Uint8Array {
  const bits = new Uint8Array((list.endpoints.length + 7) >> 3)
  const set = (place: number | undefined) => {
    if (place !== undefined && place < list.endpoints.length) {
      bits[place >> 3] = (bits[place >> 3] as number) | (1 << (place & 7))
    }
  }
  for (const slot of tried) set(list.places.get(slot))
  for (const place of avoided) set(place)
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

function word(memory: Uint8Array, at: number): number {
  return (
    ((memory[at] as number) |
      ((memory[at + 1] as number) << 8) |
      ((memory[at + 2] as number) << 16) |
      ((memory[at + 3] as number) << 24)) >>>
    0
  )
}

function put(memory: Uint8Array, at: number, value: number): void {
  memory[at] = value
  memory[at + 1] = value >>> 8
  memory[at + 2] = value >>> 16
  memory[at + 3] = value >>> 24
}
