/** Our foreign functions (docs/abi.md) for the fake host: packed arguments, little endian. */

import { Status } from "../../harness/abi.ts"
import type { Worker } from "./host.ts"
import { requestFunctions } from "./request.ts"
import { slotFunctions } from "./slot-functions.ts"
import type { Write, WriteFailure } from "./zones.ts"

/** `args` is a copy of the arguments that is written back into the filter's memory. */
export type Call = (args: Uint8Array) => { status: number; result?: Uint8Array }

const DELETE = 0xffffffff
const CALLBACKS = [
  "request_headers",
  "request_body",
  "response_headers",
  "response_body",
  "upstream_select",
  "next_upstream",
  "upstream_info",
  "log",
  "context",
]
const FAILURES: Record<WriteFailure["kind"], number> = {
  full: Status.internalFailure,
  mismatch: Status.casMismatch,
  "no zone": Status.notFound,
  malformed: Status.badArgument,
}

export function foreignFunctions(worker: Worker): Record<string, Call> {
  return {
    ...(worker.abilities.slots ? slotFunctions(worker) : {}),
    ...(worker.abilities.request ? requestFunctions(worker) : {}),
    wick_set_callbacks: (args) => {
      const names = Buffer.from(args).toString("latin1").split("\0")
      if (!names.every((name) => CALLBACKS.includes(name))) return { status: Status.badArgument }
      worker.callbacks.set(worker.root, names)
      return { status: Status.ok }
    },
    wick_check_pattern: (args) => {
      if (args.length > 4096) return { status: Status.badArgument }
      return { status: Status.ok, result: Buffer.from(whyNoPattern(Buffer.from(args).toString())) }
    },
    wick_set_shared_data_many: (args) => {
      const writes = parseWrites(Buffer.from(args))
      if (!writes) return { status: Status.badArgument }
      const failure = worker.zones.write(writes)
      return failure ? { status: FAILURES[failure.kind], result: u32(failure.index) } : { status: Status.ok }
    },
    wick_shared_data_version: (args) => {
      const result = Buffer.alloc(8)
      result.writeBigUInt64LE(worker.zones.keyVersion(Buffer.from(args).toString("latin1")))
      return { status: Status.ok, result }
    },
    wick_list_shared_data: (args) => {
      const buffer = Buffer.from(args)
      const prefix = buffer.toString("latin1", 12)
      if (!worker.zones.zoneOf(prefix)) return { status: Status.notFound }
      const { keys, next } = worker.zones.list(
        prefix,
        Number(buffer.readBigUInt64LE(0)),
        buffer.readUInt32LE(8),
      )
      return { status: Status.ok, result: packKeys(keys, next) }
    },
  }
}

/** In JavaScript's words instead of PCRE's; empty for a pattern. */
function whyNoPattern(text: string): string {
  try {
    new RegExp(text)
    return ""
  } catch (error) {
    return (error as Error).message
  }
}

/** Nothing when the bytes are not as announced. */
function parseWrites(args: Buffer): Write[] | undefined {
  const writes: Write[] = []
  let at = 4
  for (let left = args.readUInt32LE(0); left > 0; left--) {
    if (at + 12 > args.length) return undefined
    const [keyLength, valueLength, cas] = [0, 4, 8].map((offset) => args.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const key = at + 12
    const value = key + keyLength
    at = value + (valueLength === DELETE ? 0 : valueLength)
    if (at > args.length) return undefined
    writes.push({
      key: args.toString("latin1", key, value),
      value: valueLength === DELETE ? null : args.subarray(value, at),
      cas,
    })
  }
  return at === args.length ? writes : undefined
}

function packKeys(keys: readonly string[], next: number): Uint8Array {
  const head = Buffer.alloc(12)
  head.writeBigUInt64LE(BigInt(next))
  head.writeUInt32LE(keys.length, 8)
  return Buffer.concat([head, ...keys.flatMap((key) => [u32(key.length), Buffer.from(key, "latin1")])])
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}
