import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { Failure } from "../../support/failure.ts"
import type { Installation } from "./installation.ts"

/**
 * Which nginx, modules and filter are installed, as one name. An nginx that was started from others cannot go on with these by a reload: its master
 * keeps the modules that it has, and others bring zones of their own, which are empty.
 */
export class Build {
  readonly #files: readonly string[]
  #id = ""
  #seen = ""

  private constructor(files: readonly string[]) {
    this.#files = files
  }

  static async of(installation: Installation): Promise<Build> {
    const build = new Build(Object.values(installation).flat())
    await build.read()
    return build
  }

  /** 32 hex digits over the contents of the files when they were last read. */
  get id(): string {
    return this.#id
  }

  /** Before nginx is started: from then on it is what is installed now. */
  async read(): Promise<void> {
    const seen = await look(this.#files)
    if (seen === this.#seen) return
    this.#id = await contentOf(this.#files)
    this.#seen = seen
  }

  /** Before a reload. @throws Failure `files-replaced` */
  async assertUnchanged(): Promise<void> {
    if ((await look(this.#files)) === this.#seen) return
    const what =
      "Cannot use another nginx.conf: nginx, its modules or the filter were replaced since nginx was started"
    throw new Failure(
      "files-replaced",
      `${what}; restart wick, which then replaces nginx without losing a request`,
    )
  }
}

async function contentOf(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256")
  for (const file of files) {
    const content = await readFile(file)
    // The length keeps apart what lies behind each other.
    hash.update(`${content.length} `).update(content)
  }
  return hash.digest("hex").slice(0, 32)
}

/** Changes with each file that is replaced or written. */
async function look(files: readonly string[]): Promise<string> {
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)))
  return found.map((stats) => `${stats?.dev}:${stats?.ino}:${stats?.size}:${stats?.mtimeMs}`).join(" ")
}
