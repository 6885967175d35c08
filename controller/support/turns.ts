import { setImmediate } from "node:timers/promises"

/** How long others may have to wait: probes and connections are answered by the same thread. */
const turnMs = 20

/** Long work in turns. */
export class Turns {
  #endMs = performance.now() + turnMs

  /** Whether somebody else should have a turn before the work goes on. */
  isOver(): boolean {
    return performance.now() >= this.#endMs
  }

  /** Resolves when everybody who was waiting has had one. */
  async next(): Promise<void> {
    await setImmediate()
    this.#endMs = performance.now() + turnMs
  }
}
