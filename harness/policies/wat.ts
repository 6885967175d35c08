// Small policies as text. Their attempt record lies at 0, what the host gives behind 4096.
import { at, recordBytes } from "../abi.ts"
import { word } from "../wat.ts"

/** What a policy does beyond going round. */
export interface Parts {
  /** instead of going round: `$root` is the backend's root context, `$count` how many endpoints there are */
  readonly select?: string
  readonly needs?: number
  /** further fields of the module */
  readonly more?: string
}

/** As a compiler would have it: in one piece. */
const turns = `(local $i i32)
    (local.set $i (global.get $next))
    (if (i32.ge_u (local.get $i) (i32.load (i32.add (i32.const 2304) (i32.shl (local.get $root) (i32.const 2)))))
      (then (local.set $i (i32.const 0))))
    (i32.store (i32.const ${at.tag}) (local.get $i))
    (global.set $next (i32.add (local.get $i) (i32.const 1)))`

/** A policy that goes round all endpoints; the first byte of its configuration is kept at 2048 + root. */
export function policyWat({ select, needs = 0, more = "" }: Parts = {}): string {
  return `(module
  (import "env" "proxy_call_foreign_function" (func $foreign (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_buffer_bytes" (func $buffer (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_header_map_value" (func $header (param i32 i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "${word(recordBytes.filter)}")
  (data (i32.const 512) "wick_get_endpoints")
  (global (export "wick_attempt") i32 (i32.const 0))
  (global (export "wick_policy_needs") i32 (i32.const ${needs}))
  (global $next (mut i32) (i32.const 0))
  (global $count (mut i32) (i32.const 0))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 4096))
  (func (export "proxy_on_configure") (param $root i32) (param $size i32) (result i32)
    (if (local.get $size) (then
      (drop (call $buffer (i32.const 7) (i32.const 0) (i32.const 1) (i32.const 616) (i32.const 620)))
      (i32.store8 (i32.add (i32.const 2048) (local.get $root)) (i32.load8_u (i32.const 4096)))))
    (i32.const 1))
  (func (export "proxy_on_shared_data_changed") (param $root i32)
    (i64.store (i32.const 600) (i64.const 0))
    (drop (call $foreign (i32.const 512) (i32.const 18) (i32.const 600) (i32.const 8) (i32.const 616) (i32.const 620)))
    (global.set $count (i32.load (i32.load (i32.const 616))))
    (i32.store (i32.add (i32.const 2304) (i32.shl (local.get $root) (i32.const 2))) (global.get $count)))
  (func $choose (param $index i32) (i32.store (i32.const ${at.tag}) (local.get $index)))
  (func $round (param $root i32)
    (local $i i32)
    (local.set $i (i32.rem_u (global.get $next)
      (i32.load (i32.add (i32.const 2304) (i32.shl (local.get $root) (i32.const 2))))))
    (global.set $next (i32.add (local.get $i) (i32.const 1)))
    (call $choose (local.get $i)))
  ${more}
  (func (export "proxy_on_upstream_select") (param $root i32)
    ${select ?? turns}))`
}

const modes = {
  trap: "unreachable",
  loop: "(loop $l (br $l))",
  memory: "(loop $l (br_if $l (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable",
  fill: "(drop (memory.grow (i32.const 200))) (loop $l (memory.fill (i32.const 8192) (i32.const 1) (i32.const 13000000)) (br $l))",
  slow: `(drop (memory.grow (i32.const 200)))
    (loop $l
      (memory.fill (i32.const 8192) (i32.const 1) (i32.const 13000000))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $l (i32.lt_u (local.get $n) (i32.const 10))))
    (call $round (local.get $root))`,
  outside: "(call $choose (i32.const 1000))",
  negative: "(call $choose (i32.const -2))",
  deep: "(call $deep)",
  decline: "",
} as const

/** What a faulty policy may be told to do, by its configuration. */
export type Mode = keyof typeof modes
export const faults = Object.keys(modes) as Mode[]

/** Goes round, which is what it does in the trial, unless the configuration of the backend names a fault. */
export function faultyWat(): string {
  const cases = faults.map(
    (mode, place) =>
      `(if (i32.eq (local.get $mode) (i32.const ${97 + place})) (then ${modes[mode]} (return)))`,
  )
  return policyWat({
    more: "(func $deep (call $deep))",
    select: `(local $mode i32) (local $n i32)
    (local.set $mode (i32.load8_u (i32.add (i32.const 2048) (local.get $root))))
    ${cases.join("\n    ")}
    (call $round (local.get $root))`,
  })
}

/** The configuration that asks for a fault. */
export function configOf(mode: Mode): string {
  return String.fromCharCode(97 + faults.indexOf(mode))
}

/** Always the endpoint at this place, or the last one. */
export function fixedWat(place: number): string {
  return policyWat({
    select: `(local $last i32)
    (local.set $last (i32.sub (i32.load (i32.add (i32.const 2304) (i32.shl (local.get $root) (i32.const 2)))) (i32.const 1)))
    (call $choose (select (i32.const ${place}) (local.get $last) (i32.lt_u (i32.const ${place}) (local.get $last))))`,
  })
}

/** Chooses the first endpoint whose zone is ours, else declines. Entries are 16 bytes behind the count at 4096. */
export const oursWat = policyWat({
  needs: 16,
  select: `(local $at i32) (local $i i32)
    (i32.store (i32.const 600) (i32.const 0))
    (i32.store (i32.const 604) (i32.const 100))
    (drop (call $foreign (i32.const 512) (i32.const 18) (i32.const 600) (i32.const 8) (i32.const 616) (i32.const 620)))
    (local.set $at (i32.add (i32.load (i32.const 616)) (i32.const 4)))
    (block $end (loop $next
      (br_if $end (i32.ge_u (local.get $i) (i32.load (i32.load (i32.const 616)))))
      (if (i32.eq (i32.load offset=12 (local.get $at)) (i32.const 1)) (then (call $choose (local.get $i)) (return)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))`,
})
