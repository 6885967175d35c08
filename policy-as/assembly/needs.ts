/**
 * What the host has to do for this policy beyond asking it. The use of a method is its declaration: the compiler makes a `@lazy` constant only when a
 * function that a policy calls looks at it, and the start of the module then runs `need`.
 */
export { PolicyNeed as Need } from "./lib/abi"

let needs: u32 = 0

export function need(bits: u32): bool {
  needs |= bits
  return true
}

/** Sum of all that is needed: what the export `wick_policy_needs` says. */
export function sum(): u32 {
  return needs
}
