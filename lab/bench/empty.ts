/**
 * The empty filter: a WebAssembly module that makes the calls to the host which the real filter made, with the same arguments, and
 * does nothing else. What it takes is the host's share of what the real one takes: both borders, and the host's JavaScript.
 */
import type { Imports } from "../host/host.ts"

export interface Call {
  readonly name: string
  readonly args: readonly number[]
}

const I32 = 0x7f
const END = 0x0b
const CALL = 0x10
const DROP = 0x1a
const CONST = 0x41
const TYPE = 0x60
const FUNCTION = 0

/** Makes the calls; takes what a callback takes, the number of a context. */
export function emptyCallback(calls: readonly Call[], imports: Imports): (context: number) => void {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(encode(calls)), { env: imports })
  return instance.exports.run as (context: number) => void
}

/** WebAssembly's binary format: sections of types, imports, functions, exports and code. */
function encode(calls: readonly Call[]): Uint8Array {
  // An import with a type of its own for each call: nothing has to be looked up here.
  const run = calls.length
  return Uint8Array.from([
    ...[0, ...Buffer.from("asm"), 1, 0, 0, 0],
    ...section(1, [...calls.map(({ args }) => type(args.length, 1)), type(1, 0)]),
    ...section(
      2,
      calls.map(({ name }, i) => [...text("env"), ...text(name), FUNCTION, ...unsigned(i)]),
    ),
    ...section(3, [unsigned(run)]),
    ...section(7, [[...text("run"), FUNCTION, ...unsigned(run)]]),
    ...section(10, [body(calls.flatMap(callCode))]),
  ])
}

function callCode({ args }: Call, index: number): number[] {
  return [...args.flatMap((arg) => [CONST, ...signed(arg | 0)]), CALL, ...unsigned(index), DROP]
}

const type = (params: number, results: number) => [TYPE, ...words(params), ...words(results)]
const words = (count: number) => [count, ...Array<number>(count).fill(I32)]
const text = (value: string) => [...unsigned(value.length), ...Buffer.from(value)]

/** No locals. */
function body(code: readonly number[]): number[] {
  return [...unsigned(code.length + 2), 0, ...code, END]
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = [...unsigned(entries.length), ...entries.flat()]
  return [id, ...unsigned(content.length), ...content]
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}
function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
