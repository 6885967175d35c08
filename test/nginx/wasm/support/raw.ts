// Filters made of nothing but calls with given numbers. A compiler would never pass a pointer outside of memory or a
// length of -1; these do. What every call answered, and what the host wrote, is read from a dump of the filter's memory.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import binaryen from "binaryen"
import { type Import, importNamed, imports } from "./imports.ts"

/** The address of a word of the call's own result area, which is 24 bytes and all zero before. */
export interface ResultAddress {
  readonly offset: number
}
/** A number is passed as it is, a bigint as i64, a text as address and length of its UTF-8 bytes; a function tells a number that is known late. */
type Argument = number | bigint | string | ResultAddress | (() => number)
export type Call = readonly [name: string, ...Argument[]]

export const result = (offset: number): ResultAddress => ({ offset })

/** An address far outside of any memory, one whose range would wrap around, and the last byte of memory. */
export const OUTSIDE = 0x7fff0000
export const WRAPPING = -8
export const LAST_BYTE = 65535

export interface RawFilter {
  /** Calls of each callback, by its name without `proxy_on_`; those of one callback run in their order. */
  readonly steps: Readonly<Record<string, readonly Call[]>>
}

const callbacks: Readonly<Record<string, { parameters: number; answer?: 0 | 1 }>> = {
  configure: { parameters: 2, answer: 1 },
  tick: { parameters: 1 },
  request_headers: { parameters: 3, answer: 0 },
  request_body: { parameters: 3, answer: 0 },
  response_headers: { parameters: 3, answer: 0 },
  upstream_select: { parameters: 1 },
  upstream_info: { parameters: 2 },
  log: { parameters: 1 },
}

const ANSWERS = 1024
const ANSWER_BYTES = 32
const TEXTS = 20_000
const HEAP = 40_000

/** What the calls of a filter answered, in the order of `steps`. */
export interface Answered {
  readonly status: number
  /** The little-endian u32 that the host wrote at `result(offset)`. */
  word(offset: number): number
  /** The text whose address and length the host wrote at `result(0)` and `result(4)`. */
  readonly text: string
}

/** Writes the filter into `dir` and returns its path. With the plugin configuration `dump` it answers with its memory. */
export function writeRaw(dir: string, name: string, filter: RawFilter): string {
  mkdirSync(dir, { recursive: true })
  const file = join(dir, `${name}.wasm`)
  writeFileSync(file, assemble(textOf(filter)))
  return file
}

/** What most filters in the text format have, too: an allocator that always gives the same 24 KB, at 40,000. */
export const allocator = `(func (export "malloc") (param i32) (result i32) (i32.const ${HEAP}))`

/** Writes a filter of the given functions, memory and allocator among them, which may call every import as `$name`. */
export function writeText(dir: string, name: string, functions: string): string {
  mkdirSync(dir, { recursive: true })
  const file = join(dir, `${name}.wasm`)
  writeFileSync(file, assemble(`(module ${imports.map(declaration).join("\n")} ${functions})`))
  return file
}

/** Binary of a module in the text format. Throws when it is not valid. */
export function assemble(text: string): Uint8Array {
  const module = binaryen.parseText(text)
  module.setFeatures(binaryen.Features.All)
  if (module.validate() !== 1) throw new Error(`The module is not valid:\n${text}`)
  const bytes = module.emitBinary()
  module.dispose()
  return bytes
}

/** Takes a dump (a response's body) apart. */
export function read(filter: RawFilter, dump: Uint8Array): Answered[] {
  const memory = new DataView(dump.buffer, dump.byteOffset, dump.byteLength)
  return allCalls(filter).map((_, i) => {
    const at = ANSWERS + i * ANSWER_BYTES
    const word = (offset: number) => memory.getUint32(at + 8 + offset, true)
    const bytes = () => dump.subarray(word(0), word(0) + word(4))
    return {
      status: memory.getInt32(at, true),
      word,
      get text() {
        return new TextDecoder().decode(bytes())
      },
    }
  })
}

function allCalls(filter: RawFilter): Call[] {
  return Object.values(filter.steps).flat()
}

/** The parts that the host asks of every filter. */
export const basics = `
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))`

function textOf(filter: RawFilter): string {
  const texts = new Texts()
  const calls = allCalls(filter)
  const used = new Set(["proxy_send_local_response", ...calls.map(([name]) => name)])
  let next = 0
  const functions = Object.entries(filter.steps).map(([step, list]) => {
    const bodies = list.map((call) => callText(call, next++, texts))
    return callbackText(step, bodies)
  })
  if (!("request_headers" in filter.steps)) functions.push(callbackText("request_headers", []))
  return `(module
  ${[...used].map((name) => declaration(importNamed(name))).join("\n  ")}${basics}
  (global $free (mut i32) (i32.const ${HEAP}))
  (global $dumper (mut i32) (i32.const 0))
  (global $dumping (mut i32) (i32.const 0))
  (func (export "proxy_on_memory_allocate") (param $size i32) (result i32)
    (global.set $free (i32.add (global.get $free) (local.get $size)))
    (i32.sub (global.get $free) (local.get $size)))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (i32.const 1))
  (func (export "proxy_on_context_create") (param $id i32) (param $parent i32)
    (if (i32.and (i32.ne (local.get $parent) (i32.const 0)) (i32.eq (local.get $parent) (global.get $dumper)))
      (then (global.set $dumping (local.get $id)))))
  ${"configure" in filter.steps ? "" : callbackText("configure", [])}
  ${functions.join("\n  ")}
  ${texts.segments.join("\n  ")}
)`
}

const types: Readonly<Record<string, string>> = { i: "i32", I: "i64", d: "f64" }

/** An import as the text format declares it, callable as `$name`. */
export function declaration([module, name, parameters, result]: Import): string {
  const list = [...parameters].map((letter) => types[letter]).join(" ")
  const params = list === "" ? "" : ` (param ${list})`
  return `(import "${module}" "${name}" (func $${name}${params}${result ? ` (result ${result})` : ""}))`
}

function callbackText(step: string, calls: readonly string[]): string {
  const callback = callbacks[step]
  if (callback === undefined) throw new Error(`No callback proxy_on_${step}`)
  const params = Array.from({ length: callback.parameters }, () => "i32").join(" ")
  const answer = callback.answer === undefined ? "" : `(i32.const ${callback.answer})`
  return `(func (export "proxy_on_${step}") (param ${params})${answer && " (result i32)"}
    ${beginning(step, answer)}
    ${calls.join("\n    ")}
    ${answer})`
}

/** The root with a configuration dumps: its contexts make no calls. */
function beginning(step: string, answer: string): string {
  if (step === "tick") return ""
  if (step === "configure")
    return `(if (local.get 1) (then (global.set $dumper (local.get 0)) (return ${answer})))`
  const dump =
    step === "request_headers"
      ? "(drop (call $proxy_send_local_response (i32.const 200) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 65536) (i32.const 0) (i32.const 0) (i32.const -1)))"
      : ""
  return `(if (i32.eq (local.get 0) (global.get $dumping)) (then ${dump} (return ${answer})))`
}

function callText([name, ...values]: Call, i: number, texts: Texts): string {
  const at = ANSWERS + i * ANSWER_BYTES
  const operands = values.map((value) => operand(value, at, texts)).join(" ")
  const call = `(call $${name} ${operands})`
  return importNamed(name)[3] === "i32" ? `(i32.store (i32.const ${at}) ${call})` : call
}

function operand(value: Argument, at: number, texts: Texts): string {
  if (typeof value === "function") return `(i32.const ${value()})`
  if (typeof value === "number") return `(i32.const ${value})`
  if (typeof value === "bigint") return `(i64.const ${value})`
  if (typeof value === "object") return `(i32.const ${at + 8 + value.offset})`
  const [address, length] = texts.place(value)
  return `(i32.const ${address}) (i32.const ${length})`
}

/** Texts in the filter's memory. */
class Texts {
  readonly segments: string[] = []
  #next = TEXTS

  place(text: string): [address: number, length: number] {
    const bytes = new TextEncoder().encode(text)
    const address = this.#next
    const escaped = [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("")
    if (bytes.length > 0) this.segments.push(`(data (i32.const ${address}) "${escaped}")`)
    this.#next += bytes.length
    if (this.#next > HEAP) throw new Error("Too much text for the filter's memory")
    return [address, bytes.length]
  }
}
