/** What was refused: it is tried again every so often, and not with every change; something else at once. */
export class Refusals<Part> {
  readonly #restMs: number
  readonly #isSame: (a: Part, b: Part) => boolean
  /** what was refused, and when it may be tried again, of `performance.now()` */
  readonly #refused = new Map<string, { readonly part: Part; readonly until: number }>()

  constructor(restMs: number, isSame: (a: Part, b: Part) => boolean) {
    this.#restMs = restMs
    this.#isSame = isSame
  }

  add(name: string, part: Part): void {
    this.#refused.set(name, { part, until: performance.now() + this.#restMs })
  }

  has(name: string, part: Part): boolean {
    const refused = this.#refused.get(name)
    if (refused === undefined) return false
    const isResting = refused.until > performance.now() && this.#isSame(refused.part, part)
    if (!isResting) this.#refused.delete(name)
    return isResting
  }

  /** What was refused may be taken now. */
  clear(): void {
    this.#refused.clear()
  }
}
