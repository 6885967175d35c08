// What has passed on this machine, by fingerprints of everything that it depends on. Only what has passed is kept, so a run that failed or was
// interrupted leaves nothing.
import { createHash } from "node:crypto"
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"

export interface Pass {
  /** what it was: a part of `npm test`, or a file of tests */
  readonly name: string
  /** how many tests */
  readonly passed: number
  /** milliseconds since 1970 */
  readonly atMs: number
}

/** Those that nobody asked for are forgotten after this time. */
const forgottenMs = 14 * 86_400_000

export class Passed {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
  }

  find(fingerprint: string): Pass | undefined {
    const file = this.#file(fingerprint)
    try {
      const pass = JSON.parse(readFileSync(file, "utf8")) as Pass
      const now = new Date()
      utimesSync(file, now, now)
      return pass
    } catch {
      return undefined
    }
  }

  keep(fingerprint: string, pass: Pass): void {
    mkdirSync(this.#dir, { recursive: true })
    const file = this.#file(fingerprint)
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(pass))
    renameSync(`${file}.${process.pid}`, file)
  }

  /** Removes what nobody has asked for in two weeks. */
  prune(nowMs: number): void {
    try {
      for (const name of readdirSync(this.#dir)) {
        const file = join(this.#dir, name)
        if (statSync(file).mtimeMs < nowMs - forgottenMs) rmSync(file)
      }
    } catch {
      // Nothing was kept yet, or another run prunes as well.
    }
  }

  #file(fingerprint: string): string {
    return join(this.#dir, `${fingerprint}.json`)
  }
}

/** One hash over everything that decides whether something passes. */
export function fingerprintOf(
  name: string,
  surroundings: readonly string[],
  files: readonly string[],
  hashOf: (file: string) => string,
): string {
  const hash = createHash("sha256").update(JSON.stringify([name, surroundings]))
  for (const file of files) hash.update(`\n${hashOf(file)} ${file}`)
  return hash.digest("hex")
}
