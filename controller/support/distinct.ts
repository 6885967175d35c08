/** Each thing once, in the order of the first: of those that have a key in common the first. */
export function distinctBy<T>(things: readonly T[], keyOf: (thing: T) => string): readonly T[] {
  const keys = new Set<string>()
  return things.filter((thing) => {
    const known = keys.size
    return keys.add(keyOf(thing)).size > known
  })
}
