/** Names and versions of what was handed on: enough to tell what is new in a list, and what has gone. */
export class Known {
  readonly #versions = new Map<string, string>()
  /** what the list under way has not mentioned yet */
  #unlisted = new Set<string>()

  /** A list begins; one that was not read to its end is forgotten. */
  beginList(): void {
    this.#unlisted = new Set(this.#versions.keys())
  }

  /** @returns whether this version of it is news */
  set(name: string, version: string): boolean {
    this.#unlisted.delete(name)
    if (this.#versions.get(name) === version) return false
    this.#versions.set(name, version)
    return true
  }

  /** @returns whether there was one */
  delete(name: string): boolean {
    this.#unlisted.delete(name)
    return this.#versions.delete(name)
  }

  /** The list is complete. @returns the names that it lacks, which are no longer known */
  endList(): readonly string[] {
    const gone = [...this.#unlisted]
    for (const name of gone) this.delete(name)
    return gone
  }
}
