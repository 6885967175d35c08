// Passes share most of their input: objects that did not change keep their identity. What was computed from one object is remembered with
// it and goes when it goes, so results are those of a computation from scratch, only sooner.

/**
 * Remembers the result of a pure function with the identity of its two arguments, for as long as both live. There are many `item`s and
 * few `context`s.
 */
export function remembered<I extends object, C extends object, R extends object>(
  compute: (item: I, context: C) => R,
): (item: I, context: C) => R {
  const byContext = new WeakMap<C, WeakMap<I, R>>()
  return (item, context) => {
    const byItem = getOrMake(byContext, context, () => new WeakMap())
    return getOrMake(byItem, item, () => compute(item, context))
  }
}

/**
 * Remembers with the identity of `holder` the last result and what it was computed from; computes anew when any of `inputs` is another
 * object or value.
 */
export function rememberedLast<H extends object, R>(): (
  holder: H,
  inputs: readonly unknown[],
  compute: () => R,
) => R {
  const last = new WeakMap<H, { readonly inputs: readonly unknown[]; readonly result: R }>()
  return (holder, inputs, compute) => {
    const known = last.get(holder)
    if (known !== undefined && sameItems(known.inputs, inputs)) return known.result
    const result = compute()
    last.set(holder, { inputs, result })
    return result
  }
}

/** The same objects and values in the same order. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}

/** The value of `key`, made and kept if there is none. */
export function getOrMake<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
