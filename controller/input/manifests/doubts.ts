/** A version of a file that is not believed yet. */
interface Doubt {
  /** undefined: the file is gone */
  readonly text: string | undefined
  readonly timer: NodeJS.Timeout
  isOver: boolean
}

/**
 * Versions of files that look unfinished: writing a file takes several steps, and so does replacing it. Such a version counts once it has
 * stood unchanged for a while.
 */
export class Doubts {
  readonly #doubts = new Map<string, Doubt>()
  readonly #settleMs: number
  readonly #lookAgain: (file: string) => void

  /** @param lookAgain called when a file's time is over */
  constructor(settleMs: number, lookAgain: (file: string) => void) {
    this.#settleMs = settleMs
    this.#lookAgain = lookAgain
  }

  /** Whether this version has stood long enough; if not, its time begins or runs on. */
  isSettled(file: string, text: string | undefined): boolean {
    const doubt = this.#doubts.get(file)
    if (doubt && doubt.text === text) return doubt.isOver
    this.clear(file)
    this.#doubts.set(file, this.#begin(file, text))
    return false
  }

  /** The file is as it should be, or was taken as it is. */
  clear(file: string): void {
    clearTimeout(this.#doubts.get(file)?.timer)
    this.#doubts.delete(file)
  }

  clearAll(): void {
    for (const file of [...this.#doubts.keys()]) this.clear(file)
  }

  #begin(file: string, text: string | undefined): Doubt {
    const timer = setTimeout(() => {
      doubt.isOver = true
      this.#lookAgain(file)
    }, this.#settleMs)
    const doubt: Doubt = { text, timer, isOver: false }
    return doubt
  }
}
