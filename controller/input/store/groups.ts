/** Which keys have something in common, as the Ingresses of a namespace. */
export class Groups {
  readonly #groups = new Map<string, Set<string>>()

  /** @param before the group that it was in, if any; @param after that it is in now */
  move(key: string, before: string | undefined, after: string | undefined): void {
    if (before === after) return
    if (before !== undefined) this.#remove(key, before)
    if (after === undefined) return
    const group = this.#groups.get(after) ?? new Set()
    this.#groups.set(after, group.add(key))
  }

  of(name: string): readonly string[] {
    return [...(this.#groups.get(name) ?? [])]
  }

  #remove(key: string, name: string): void {
    const group = this.#groups.get(name)
    group?.delete(key)
    if (group?.size === 0) this.#groups.delete(name)
  }
}
