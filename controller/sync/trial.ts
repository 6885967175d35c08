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
