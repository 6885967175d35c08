import { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { limit } from "../../support/lanes.ts"
import { writeWhole } from "./files.ts"

/** Files that are read side by side. */
const maxAtOnce = 64

const suffix = ".json"

/**
 * Texts that outlive the controller, one file each in a folder that nobody else enters. What cannot be written is told and forgotten: such texts
 * can be had again.
 */
export class CacheFiles {
  readonly #dir: string
  readonly #failed: (error: unknown) => void
  /** one after the other, so that what is written last is what stays */
  #last = Promise.resolve()

  /** @param failed learns why something could not be written, read or removed */
  constructor(dir: string, failed: (error: unknown) => void) {
    this.#dir = dir
    this.#failed = failed
  }

  /** By name. Never rejects. */
  async read(): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>()
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 })
      const names = await readdir(this.#dir)
      const reading = limit(maxAtOnce)
      await Promise.all(names.map((name) => reading(() => this.#readInto(texts, name))))
    } catch (error) {
      this.#failed(error)
    }
    return texts
  }

  /** Never rejects. @param name fit for the name of a file */
  put(name: string, text: string): Promise<void> {
    return this.#then(() => writeWhole(this.#pathOf(name), text))
  }

  /** Never rejects. */
  remove(name: string): Promise<void> {
    return this.#then(() => rm(this.#pathOf(name), { force: true }))
  }

  #pathOf(name: string): string {
    return join(this.#dir, `${name}${suffix}`)
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(step).catch(this.#failed)
    return this.#last
  }

  /** What has another name was not finished. */
  async #readInto(texts: Map<string, string>, name: string): Promise<void> {
    const path = join(this.#dir, name)
    if (name.endsWith(suffix)) texts.set(name.slice(0, -suffix.length), await readFile(path, "utf8"))
    else await rm(path, { force: true })
  }
}
