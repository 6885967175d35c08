// The client that asks for a host until it is served (until-served.c), a process of its own.
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { compileC } from "./c-program.ts"

/** When a host was served, by `clockMs()`. */
export interface Served {
  readonly atMs: number
  /** answers before it that were no 404 */
  readonly wrong: number
}

export class ServedClient implements Disposable {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: AsyncIterator<string>

  /** @param port of nginx on the loopback address */
  constructor(port: number) {
    using folder = mkdtempDisposableSync(join(tmpdir(), "wick-until-served-"))
    this.#process = spawn(compileC("until-served", folder.path), [String(port)], {
      stdio: ["pipe", "pipe", "inherit"],
    })
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** Asks each time on a new connection, a millisecond after the answer before, until it is 200. One at a time. */
  async untilServed(host: string): Promise<Served> {
    this.#process.stdin.write(`${host}\n`)
    const { done, value = "" } = await this.#lines.next()
    if (done) throw new Error(`${host} was not served`)
    const [nanoseconds, wrong] = value.split(" ").map(Number)
    return { atMs: (nanoseconds ?? 0) / 1e6, wrong: wrong ?? 0 }
  }

  [Symbol.dispose](): void {
    this.#process.kill("SIGKILL")
  }
}
