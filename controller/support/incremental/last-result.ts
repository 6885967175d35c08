/**
 * Remembers with the identity of `holder` the last result and what it was computed from; computes anew when any of `inputs` is another object
 * or value. The result goes when the holder goes.
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

/** Whether two lists have the same objects and values in the same order. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}

/** One result, and what it was computed from. */
export class LastResult<R> {
  #known: { readonly inputs: readonly unknown[]; readonly result: R } | undefined

  /** The result of the last time, unless any of `inputs` is another object or value. */
  of(inputs: readonly unknown[], compute: () => R): R {
    if (this.#known !== undefined && sameItems(this.#known.inputs, inputs)) return this.#known.result
    const result = compute()
    this.#known = { inputs, result }
    return result
  }
}
