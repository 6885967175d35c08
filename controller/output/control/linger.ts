/**
 * How long a removed backend stays in the zone. A request that found its route before the removal asks for the backend only after its body has
 * come, and between two attempts; this is longer than ingress-nginx's timeouts make that last by default.
 */
export const lingerMs = 60_000

/** Backends that no route names any more and whose records are to go later. */
export class Linger {
  readonly #dueMs = new Map<string, number>()
  readonly #now: () => number

  /** @param now a clock in milliseconds that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The record of this backend may go in a while. */
  add(name: string): void {
    if (!this.#dueMs.has(name)) this.#dueMs.set(name, this.#now() + lingerMs)
  }

  /** This backend is wanted again, or its record is gone. */
  delete(name: string): void {
    this.#dueMs.delete(name)
  }

  clear(): void {
    this.#dueMs.clear()
  }

  /** Those whose time has come. */
  due(): string[] {
    const now = this.#now()
    return [...this.#dueMs].flatMap(([name, dueMs]) => (dueMs <= now ? [name] : []))
  }

  /** Milliseconds until the next one is due; undefined when there is none. */
  nextMs(): number | undefined {
    if (this.#dueMs.size === 0) return undefined
    return Math.max(0, Math.min(...this.#dueMs.values()) - this.#now())
  }
}
