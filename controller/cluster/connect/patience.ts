/** A signal that aborts when another one does, or when what is waited for takes too long. */
export class Patience implements Disposable {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal
  readonly #abort = () => this.#controller.abort()
  #timer: NodeJS.Timeout | undefined
  #ranOut = false

  constructor(outer: AbortSignal) {
    this.#outer = outer
    if (outer.aborted) this.#abort()
    outer.addEventListener("abort", this.#abort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** True when it was the time that was up. */
  get ranOut(): boolean {
    return this.#ranOut
  }

  /** From now on, so many milliseconds. */
  start(ms: number): void {
    this.rest()
    this.#timer = setTimeout(() => {
      this.#ranOut = true
      this.#abort()
    }, ms)
  }

  /** Nothing is waited for. */
  rest(): void {
    clearTimeout(this.#timer)
  }

  [Symbol.dispose](): void {
    this.rest()
    this.#outer.removeEventListener("abort", this.#abort)
  }
}
