import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Staple } from "../model/certificate.ts"
import { type Layout, writeWhole } from "./files.ts"

// Staples outlive the controller: one JSON file each, by the id of the certificate. They were checked before they were written, and nobody else can
// write here.

/** Files that are read side by side. */
const mostAtOnce = 64

/** Where staples are for the next start. */
export class StapleFiles {
  readonly #dir: string
  /** one after the other, so that what is written last is what stays */
  #last = Promise.resolve()
  readonly #failed: (error: unknown) => void

  /** @param failed learns why something was not kept, or not thrown away */
  constructor(layout: Layout, failed: (error: unknown) => void) {
    this.#dir = layout.staples
    this.#failed = failed
  }

  /** Those that hold still; everything else is removed. Never rejects. */
  async read(nowMs: number): Promise<readonly Staple[]> {
    const staples: Staple[] = []
    try {
      const names = await readdir(this.#dir)
      for (let from = 0; from < names.length; from += mostAtOnce) {
        const some = names.slice(from, from + mostAtOnce)
        const read = await Promise.all(some.map((name) => this.#readOrRemove(name, nowMs)))
        staples.push(...read.filter((staple) => staple !== undefined))
      }
    } catch (error) {
      this.#failed(error)
    }
    return staples
  }

  keep(staple: Staple): Promise<void> {
    return this.#then(() => writeWhole(join(this.#dir, nameOf(staple.certificate)), JSON.stringify(staple)))
  }

  drop(certificate: string): Promise<void> {
    return this.#then(() => rm(join(this.#dir, nameOf(certificate)), { force: true }))
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(step).catch(this.#failed)
    return this.#last
  }

  async #readOrRemove(name: string, nowMs: number): Promise<Staple | undefined> {
    const path = join(this.#dir, name)
    const staple = stapleIn(await readFile(path, "utf8"))
    if (staple && staple.untilMs > nowMs && nameOf(staple.certificate) === name) return staple
    await rm(path, { force: true })
    return undefined
  }
}

/** Ids are fit for names of files (docs/wire.md, CERTIFICATE). */
function nameOf(certificate: string): string {
  return `${certificate}.json`
}

function stapleIn(text: string): Staple | undefined {
  try {
    const { certificate, response, untilMs } = JSON.parse(text)
    return { certificate: String(certificate), response: String(response), untilMs: Number(untilMs) }
  } catch {
    return undefined // half of a file of a machine that lost its power
  }
}
