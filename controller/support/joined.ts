/** One list after the other; the only one with something in it is the result itself. */
export function joined<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const [first = [], ...others] = lists.filter((list) => list.length > 0)
  return others.length === 0 ? first : first.concat(...others)
}
