/**
 * What the host has to do for this policy beyond asking it. The use of a method is its declaration: the compiler makes a `@lazy` constant only when a
 * function that a policy calls looks at it, and the start of the module then runs `need`.
 */
export namespace Need {
  /** The attempts that run on each endpoint are counted, over all workers. */
  export const RUNNING: u32 = 1
  /** Attempts are timed, and an average is kept for each endpoint. */
  export const TIMES: u32 = 2
  /** The policy is told how each attempt ended. */
  export const INFO: u32 = 4
  /** Four shared numbers for each endpoint. */
  export const OWN: u32 = 8
  export const ZONES: u32 = 16
}

let needs: u32 = 0

export function need(bits: u32): bool {
  needs |= bits
  return true
}

/** Sum of all that is needed: what the export `wick_policy_needs` says. */
export function sum(): u32 {
  return needs
}
