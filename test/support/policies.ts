// Balancing policies in a few instructions each, for tests of those who run them.
import binaryen from "binaryen"

/** The attempt record of docs/abi.md, in the policy's memory. */
const record = 1024
const [tag, keyLength] = [record + 8, record + 128]

/** @param select the body of proxy_on_upstream_select */
function policy(select: string, imports = ""): Uint8Array {
  const module = binaryen.parseText(`(module
    ${imports}
    (memory (export "memory") 1 2)
    (data (i32.const ${record}) "\\00\\01\\00\\00")
    (global (export "wick_attempt") i32 (i32.const ${record}))
    (func (export "proxy_abi_version_0_2_1"))
    (func (export "malloc") (param i32) (result i32) (i32.const 4096))
    (func (export "proxy_on_upstream_select") (param i32) ${select}))`)
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

/** Does the same, but traps where a key has nine bytes, which no trial gives. */
export function trapsOnNine(index: number): Uint8Array {
  const pick = `(if ${hasKeyOf(4)} (then ${choose(index)}) (else ${choose(0)}))`
  return policy(`(if ${hasKeyOf(9)} (then (unreachable))) ${pick}`)
}

/** Imports what no policy may have. */
export function importsMore(): Uint8Array {
  return policy(choose(0), '(import "env" "system" (func (param i32) (result i32)))')
}
