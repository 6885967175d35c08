// Balancing policies in a few instructions each, for tests of those who run them.
import binaryen from "binaryen"
import { at, recordBytes } from "../../harness/abi.ts"
import { word } from "../../harness/wat.ts"

/** The attempt record, in the policy's memory. */
const record = 16_384
const [tag, keyLength] = [record + at.tag, record + at.keyLength]

/** All that the host hands over lies here, one thing at a time. */
const malloced = 4096

/** @param select the body of proxy_on_upstream_select */
function policy(select: string, imports = "", more = ""): Uint8Array {
  const module = binaryen.parseText(`(module
    ${imports}
    (memory (export "memory") 1 2)
    (data (i32.const ${record}) "${word(recordBytes.policy)}")
    (global (export "wick_attempt") i32 (i32.const ${record}))
    (func (export "proxy_abi_version_0_2_1"))
    (func (export "malloc") (param i32) (result i32) (i32.const ${malloced}))
    (func (export "proxy_on_upstream_select") (param i32) ${select})
    ${more})`)
  try {
    return module.emitBinary()
  } finally {
    module.dispose()
  }
}

const choose = (index: number) => `(i32.store (i32.const ${tag}) (i32.const ${index}))`
const hasKeyOf = (bytes: number) => `(i32.eq (i32.load (i32.const ${keyLength})) (i32.const ${bytes}))`

/** Chooses this endpoint for requests whose key has four bytes, and the first one for all others. */
export function picks(index: number): Uint8Array {
  return policy(`(if ${hasKeyOf(4)} (then ${choose(index)}) (else ${choose(0)}))`)
}

/** Does the same, but traps where a key has nine bytes, or as many as you say, which no trial gives. */
export function trapsOnNine(index: number, bytes = 9): Uint8Array {
  const pick = `(if ${hasKeyOf(4)} (then ${choose(index)}) (else ${choose(0)}))`
  return policy(`(if ${hasKeyOf(bytes)} (then (unreachable))) ${pick}`)
}

/** Where it would write the address and the length of what it asks for. */
const found = 2048

/** Stores the digit at a pointer as the endpoint to pick, unless the call says that there is nothing. */
const chooseDigit = (call: string) => `(if (i32.eqz ${call})
  (then (i32.store (i32.const ${tag}) (i32.sub (i32.load8_u (i32.load (i32.const ${found}))) (i32.const 48))))
  (else ${choose(0)}))`

/** Chooses the endpoint whose digit is its configuration, for every backend; the first one without. */
export function picksByConfig(): Uint8Array {
  const call = `(call $buffer (i32.const 7) (i32.const 0) (i32.const 1) (i32.const ${found}) (i32.const ${found + 4}))`
  return policy(
    choose(0).replace("(i32.const 0)", "(global.get $chosen)"),
    '(import "env" "proxy_get_buffer_bytes" (func $buffer (param i32 i32 i32 i32 i32) (result i32)))',
    `(global $chosen (mut i32) (i32.const 0))
    (func (export "proxy_on_configure") (param i32 i32) (result i32)
      (if (i32.and (i32.gt_u (local.get 1) (i32.const 0)) (i32.eqz ${call}))
        (then (global.set $chosen (i32.sub (i32.load8_u (i32.load (i32.const ${found}))) (i32.const 48)))))
      (i32.const 1))`,
  )
}

/** Chooses the endpoint whose digit is the header `x-pick`; the first one where there is none, or none that it may read. */
export function picksByHeader(): Uint8Array {
  const call = `(call $header (i32.const 0) (i32.const 3000) (i32.const 6) (i32.const ${found}) (i32.const ${found + 4}))`
  return policy(
    chooseDigit(call),
    '(import "env" "proxy_get_header_map_value" (func $header (param i32 i32 i32 i32 i32) (result i32)))',
    '(data (i32.const 3000) "x-pick")',
  )
}

/** Imports what no policy may have. */
export function importsMore(): Uint8Array {
  return policy(choose(0), '(import "env" "system" (func (param i32) (result i32)))')
}
