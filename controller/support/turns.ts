import { setImmediate } from "node:timers/promises"

/** Others are not to wait for more than 20 ms, for probes and connections are answered by the same thread: what the last step of a turn takes, and what a turn was begun behind, come on top. */
const turnMs = 8

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
