import { randomInt } from "node:crypto"

/** Whether everything runs that can be tried, and not what tells most in little time: before a release, at night. */
export const triesAll = process.env.WICK_TEST_ALL === "1"

/**
 * What random inputs are made from: the same in each run, so that one that fails has met a change of its own and not a rare input. With WICK_TEST_ALL=1
 * another one each time. Crates have it of `build/cargo-env.sh`.
 */
export const seed = triesAll ? randomInt(2 ** 31) : 29

/** How often fast-check tries a property: `usual` times, with WICK_TEST_ALL=1 ten times as often. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: triesAll ? 10 * usual : usual }
}
