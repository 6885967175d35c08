import { expect } from "vitest"

/**
 * Expects that each name occurs as often as its share says, within `sigmas` standard deviations of independent draws: at five
 * of them a sound algorithm fails once in a million times. Anything else among the names fails.
 *
 * @param shares in any unit
 */
export function expectShares(
  counts: ReadonlyMap<string, number>,
  shares: Readonly<Record<string, number>>,
  sigmas = 5,
): void {
  const total = sum(counts.values())
  const whole = sum(Object.values(shares))
  for (const [name, share] of Object.entries(shares)) {
    const wanted = share / whole
    const bound = sigmas * Math.sqrt(total * wanted * (1 - wanted))
    const off = Math.abs((counts.get(name) ?? 0) - total * wanted)
    expect(off, `${name} of ${JSON.stringify([...counts])}`).toBeLessThanOrEqual(bound)
  }
  expect([...counts.keys()].filter((name) => !(name in shares))).toEqual([])
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((all, number) => all + number, 0)
}
