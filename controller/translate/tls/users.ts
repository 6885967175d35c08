const nobody: ReadonlySet<string> = new Set()

/** Which hosts depend on a Secret. */
export class Users {
  readonly #hosts = new Map<string, Set<string>>()

  add(host: string, secrets: readonly string[]): void {
    for (const secret of secrets) {
      const hosts = this.#hosts.get(secret) ?? new Set()
      this.#hosts.set(secret, hosts.add(host))
    }
  }

  remove(host: string, secrets: readonly string[]): void {
    for (const secret of secrets) {
      const hosts = this.#hosts.get(secret)
      hosts?.delete(host)
      if (hosts?.size === 0) this.#hosts.delete(secret)
    }
  }

  of(secret: string): ReadonlySet<string> {
    return this.#hosts.get(secret) ?? nobody
  }

  all(): Iterable<readonly [string, ReadonlySet<string>]> {
    return this.#hosts
  }
}
