/** What was refused: it is tried again every so often, and not with every change. */
export class Refusals {
  readonly #restMs: number
  /** when each may be tried again, of `performance.now()` */
  readonly #until = new Map<string, number>()

  constructor(restMs: number) {
    this.#restMs = restMs
  }

  add(name: string): void {
    this.#until.set(name, performance.now() + this.#restMs)
  }

  has(name: string): boolean {
    if ((this.#until.get(name) ?? Number.POSITIVE_INFINITY) <= performance.now()) this.#until.delete(name)
    return this.#until.has(name)
  }

  /** Other things are wanted: what was refused may be taken now. */
  clear(): void {
    this.#until.clear()
  }
}
