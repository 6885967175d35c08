/** The namespace of `namespace/name`. */
export function namespaceOf(name: string): string {
  return name.slice(0, name.indexOf("/"))
}

/** Names, `namespace/name`, by their namespaces. */
export class Names {
  readonly #byNamespace = new Map<string, Set<string>>()

  add(name: string): void {
    const namespace = namespaceOf(name)
    const names = this.#byNamespace.get(namespace) ?? new Set()
    this.#byNamespace.set(namespace, names.add(name))
  }

  delete(name: string): void {
    const namespace = namespaceOf(name)
    const names = this.#byNamespace.get(namespace)
    if (names?.delete(name) && names.size === 0) this.#byNamespace.delete(namespace)
  }

  has(name: string): boolean {
    return this.#byNamespace.get(namespaceOf(name))?.has(name) === true
  }

  /** Removes all. @returns them */
  takeAll(): readonly string[] {
    const all = [...this.#byNamespace.values()].flatMap((names) => [...names])
    this.#byNamespace.clear()
    return all
  }

  /** How many of a namespace. */
  count(namespace: string): number {
    return this.#byNamespace.get(namespace)?.size ?? 0
  }

  /** Names may be deleted meanwhile. */
  namespaces(): Iterable<[string, ReadonlySet<string>]> {
    return this.#byNamespace
  }
}
