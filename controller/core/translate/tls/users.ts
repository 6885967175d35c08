/** Who depends on a Secret: hosts, or Ingresses. */
export class Users {
  readonly #users = new Map<string, Set<string>>()

  add(user: string, secrets: readonly string[]): void {
    for (const secret of secrets) {
      const users = this.#users.get(secret) ?? new Set()
      this.#users.set(secret, users.add(user))
    }
  }

  remove(user: string, secrets: readonly string[]): void {
    for (const secret of secrets) {
      const users = this.#users.get(secret)
      users?.delete(user)
      if (users?.size === 0) this.#users.delete(secret)
    }
  }

  /** Whether anybody depends on it. */
  has(secret: string): boolean {
    return this.#users.has(secret)
  }

  all(): Iterable<readonly [string, ReadonlySet<string>]> {
    return this.#users
  }
}
