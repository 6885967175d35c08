/** A signal that aborts when another one does, or when what is waited for takes too long. */
export class Patience implements Disposable {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal
  readonly #abort = () => this.#controller.abort(this.#outer.reason)
  #timer: NodeJS.Timeout | undefined

  constructor(outer: AbortSignal) {
    this.#outer = outer
    if (outer.aborted) this.#abort()
    outer.addEventListener("abort", this.#abort, { once: true })
  }

  /** Its reason is that of the other signal, or a `TimeoutError`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** From now on, so many milliseconds. */
  start(ms: number): void {
    this.rest()
    this.#timer = setTimeout(() => this.#controller.abort(timeUp()), ms)
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

/** As `AbortSignal.timeout` has it. */
function timeUp(): DOMException {
  return new DOMException("Nothing came in time", "TimeoutError")
}
