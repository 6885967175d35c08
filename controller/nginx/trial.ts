import { isDeepStrictEqual } from "node:util"

/**
 * Finds what makes nginx refuse a configuration, by taking changed fields back: first each alone, then all together.
 *
 * @param wanted   the settings with which it was refused
 * @param good     settings that were taken before
 * @param isTaken  asks nginx
 * @returns the fields to be taken back so that the rest is taken; none when it is not about these settings
 */
export async function findCulprits<T extends object>(
  wanted: T,
  good: T,
  isTaken: (candidate: T) => Promise<boolean>,
): Promise<readonly (keyof T)[]> {
  const changed = (Object.keys(wanted) as (keyof T)[]).filter(
    (field) => !isDeepStrictEqual(wanted[field], good[field]),
  )
  for (const field of changed) if (await isTaken({ ...wanted, [field]: good[field] })) return [field]
  return changed.length > 1 && (await isTaken(good)) ? changed : []
}

/** What nginx says about a configuration: that it takes it, or why not. */
export type Verdict = "taken" | { readonly reason: string }

/**
 * Finds those items that nginx refuses, by halves: a good half costs one question, each culprit some more. Of items that are bad together
 * the later one is the culprit.
 *
 * @param good   items that are taken
 * @param check  asks nginx
 * @returns the culprits, each with nginx's reason; `good` and all others together are taken
 */
export async function leaveOutCulprits<T>(
  good: readonly T[],
  added: readonly T[],
  check: (items: readonly T[]) => Promise<Verdict>,
): Promise<ReadonlyMap<T, string>> {
  const taken = [...good]
  const culprits = new Map<T, string>()
  const add = async (items: readonly T[]): Promise<void> => {
    const [first] = items
    if (first === undefined) return
    const verdict = await check([...taken, ...items])
    if (verdict === "taken") {
      taken.push(...items)
    } else if (items.length === 1) {
      culprits.set(first, verdict.reason)
    } else {
      const middle = items.length >> 1
      await add(items.slice(0, middle))
      await add(items.slice(middle))
    }
  }
  await add(added)
  return culprits
}
