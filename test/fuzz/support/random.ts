/** Numbers that look random, and are the same again for the same seed. */
export interface Random {
  /** a whole number from 0, below the limit */
  readonly below: (limit: number) => number
  /** @param of at least one */
  readonly one: <T>(of: readonly T[]) => T
}

/** Source: Numerical Recipes, "quick and dirty" linear congruential generator. */
export function randomFrom(seed: number): Random {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, one: (of) => of[below(of.length)] as (typeof of)[number] }
}
