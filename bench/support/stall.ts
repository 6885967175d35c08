// How long the event loop of a controller stands still: the controller itself says so (loop-delay.ts).
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"

export class StallWatch implements Disposable {
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-bench-"))
  readonly #file = join(this.#dir, "loop-delay")

  /** Of the controller that is watched. */
  get env(): Readonly<Record<string, string>> {
    return {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "loop-delay.ts")}`,
      WICK_LOOP_DELAY: this.#file,
    }
  }

  /** Milliseconds at most since the last call. */
  longest({ pid }: { readonly pid: number }): Promise<number> {
    rmSync(this.#file, { force: true })
    signal(pid, "SIGWINCH")
    return until("the controller's loop delay", () => {
      try {
        return Number(readFileSync(this.#file, "utf8")) || 0.001
      } catch {
        return undefined
      }
    })
  }

  [Symbol.dispose](): void {
    rmSync(this.#dir, { recursive: true })
  }
}
