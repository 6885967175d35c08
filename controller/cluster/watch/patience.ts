/** A signal that aborts when somebody who is waited for takes too long, or with its parent. */
export class Patience implements Disposable {
  readonly signal: AbortSignal
  readonly #ms: number
  readonly #over = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, parent: AbortSignal) {
    this.#ms = ms
    this.signal = AbortSignal.any([parent, this.#over.signal])
  }

  get isOver(): boolean {
    return this.#over.signal.aborted
  }

  /** From now on it is waited, until `rest` or the end of patience. */
  wait(): void {
    this.rest()
    this.#timer = setTimeout(() => this.#over.abort(), this.#ms)
  }

  rest(): void {
    clearTimeout(this.#timer)
  }

  [Symbol.dispose](): void {
    this.rest()
  }
}
