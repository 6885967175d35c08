/** Whether everything runs that can be tried, and not what tells most in little time: before a release, at night. */
export const triesAll = process.env.WICK_TEST_ALL === "1"

export interface Runs {
  readonly numRuns: number
  readonly seed?: number
}

/**
 * How often fast-check tries a property: `usual` times, with WICK_TEST_ALL=1 ten times as often, and from another seed each time.
 *
 * @param seed always tries the same; without it each run tries something else
 */
export function runs(usual: number, seed?: number): Runs {
  if (triesAll) return { numRuns: 10 * usual }
  return { numRuns: usual, ...(seed !== undefined && { seed }) }
}
