import type { Aspects } from "./aspects.ts"

/** Something in which two answers differ. */
export interface Difference {
  /** as in `Aspects` */
  readonly aspect: string
  readonly was: string
  readonly now: string
}

export const absent = "absent"

/** What hides everything behind it: where one side has no answer, or another status, the rest is of another kind. */
const first = ["answer", "status"]

export function compare(old: Aspects, now: Aspects): readonly Difference[] {
  const names = new Set([...old.keys(), ...now.keys()])
  const all = [...names].flatMap((aspect) => {
    const [was = absent, is = absent] = [old.get(aspect), now.get(aspect)]
    return was === is ? [] : [{ aspect, was, now: is }]
  })
  const hiding = first.map((name) => all.find(({ aspect }) => aspect === name)).find((it) => it !== undefined)
  if (hiding === undefined) return all
  if (hiding.aspect !== "status") return [hiding]
  const location = all.find(({ aspect }) => aspect === "header location")
  const isElsewhere = location !== undefined && location.was !== absent && location.now !== absent
  return [hiding, ...(isElsewhere ? [location] : [])]
}

/** What two answers of one side to the same request do not agree on. */
export function unstableAspects(one: Aspects, other: Aspects): ReadonlySet<string> {
  return new Set(compare(one, other).map(({ aspect }) => aspect))
}

/** From when on a side counts as slower: an order of magnitude, and more than noise. */
const slowerTimes = 10
const slowerMs = 200

/** @returns undefined unless the second side takes far longer */
export function compareTimes(oldMs: number, nowMs: number): Difference | undefined {
  const isSlower = nowMs >= oldMs * slowerTimes && nowMs - oldMs >= slowerMs
  return isSlower ? { aspect: "time", was: timeClass(oldMs), now: timeClass(nowMs) } : undefined
}

/** In powers of ten, so that equal causes look alike. */
function timeClass(ms: number): string {
  const power = Math.max(0, Math.floor(Math.log10(Math.max(ms, 1))))
  return power === 0 ? "less than 10 ms" : `${10 ** power} ms and more`
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
