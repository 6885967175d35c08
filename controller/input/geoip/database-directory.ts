import { stat } from "node:fs/promises"
import { join } from "node:path"
import type { GeoEdition } from "../../model/geo-edition.ts"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { sleep } from "../../support/abort.ts"
import { reasonOf, systemCode } from "../../support/failure.ts"
import { databaseFault } from "./metadata.ts"

// Databases of GeoIP that lie in a directory go in; those that are whole go on to the data plane. What stands in them is not known here.

/**
 * How often the directory is looked at while it is used. A watch by the kernel would say nothing of network volumes; a look at a few names costs
 * next to nothing.
 */
const lookMs = 1000

export interface DatabaseDirectoryOptions {
  /** `--geoip-dir` */
  readonly directory: string
  /** `--maxmind-edition-ids` */
  readonly editions: readonly GeoEdition[]
  readonly plane: Shelf
  /** there are other Problems than before */
  readonly changed: () => void
  readonly signal: AbortSignal
}

/** Where requests find them. */
interface Shelf {
  /** @throws Failure when it cannot */
  readonly putDatabase: (edition: string, from: string) => Promise<void>
  /** Others are of no use any more. */
  readonly keepDatabases: (editions: readonly string[]) => Promise<void>
}

/** What is known of one file. */
interface Known {
  /** of the look before; "": there was none */
  readonly seen?: string
  /** what is in force, or cannot be */
  readonly tried?: string
  readonly problem?: Problem
}

/**
 * Keeps the data plane's databases as the directory has them. Another version counts once two looks in a row have found the same: a file that is being
 * written is none. One that is damaged or gone leaves the one before in force.
 */
export class DatabaseDirectory {
  readonly #options: DatabaseDirectoryOptions
  readonly #known = new Map<GeoEdition, Known>()
  #isWanted = false
  #runs = false

  constructor(options: DatabaseDirectoryOptions) {
    this.#options = options
  }

  /** Whether requests are to be looked up, from now on. */
  want(isWanted: boolean): void {
    this.#isWanted = isWanted
    if (!isWanted || this.#runs) return
    this.#runs = true
    void this.#run()
  }

  problems(): readonly Problem[] {
    if (!this.#isWanted) return []
    return [...this.#known.values()].flatMap(({ problem }) => problem ?? [])
  }

  async #run(): Promise<void> {
    const { editions, plane, signal } = this.#options
    await plane.keepDatabases(editions).catch(() => {})
    while (!signal.aborted) {
      if (this.#isWanted) await this.#look()
      await sleep(lookMs, signal)
    }
  }

  async #look(): Promise<void> {
    const { editions, changed } = this.#options
    const before = JSON.stringify(this.problems())
    for (const edition of editions) {
      const known = this.#known.get(edition) ?? {}
      this.#known.set(edition, await this.#lookAt(edition, known))
    }
    if (JSON.stringify(this.problems()) !== before) changed()
  }

  async #lookAt(edition: GeoEdition, known: Known): Promise<Known> {
    const path = pathIn(this.#options.directory, edition)
    const seen = await versionOf(path)
    if (typeof seen === "object") return { seen: "", problem: missing(edition, path, seen.reason) }
    const isSettled = known.seen === undefined || known.seen === seen
    if (!isSettled) return { ...known, seen }
    return seen === known.tried ? known : this.#take(edition, path, seen)
  }

  /** What could not be copied is tried again with the next look. */
  async #take(edition: GeoEdition, path: string, seen: string): Promise<Known> {
    const fault = await databaseFault(path)
    if (fault !== undefined) return { seen, tried: seen, problem: refused(edition, path, fault) }
    try {
      await this.#options.plane.putDatabase(edition, path)
      return { seen, tried: seen }
    } catch (error) {
      return { seen, problem: refused(edition, path, reasonOf(error)) }
    }
  }
}

/** How long ago somebody wrote it; without end when it is not there. */
export async function ageMs(directory: string, edition: GeoEdition): Promise<number> {
  return stat(pathIn(directory, edition)).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )
}

function pathIn(directory: string, edition: GeoEdition): string {
  return join(directory, `${edition}.mmdb`)
}

/** Of its inode, size and times: what changes when it is written. */
async function versionOf(path: string): Promise<string | { readonly reason: string }> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(":")
  } catch (error) {
    return { reason: systemCode(error) === "ENOENT" ? "there is no such file" : reasonOf(error) }
  }
}

function missing(edition: GeoEdition, path: string, reason: string): Problem {
  return problem(
    "geoip-database-missing",
    edition,
    `Cannot find where clients are by ${edition}: "${path}": ${reason}`,
  )
}

function refused(edition: GeoEdition, path: string, reason: string): Problem {
  return problem("geoip-database-refused", edition, `Cannot use "${path}" as a database of GeoIP: ${reason}`)
}

function problem(code: ProblemCode, edition: GeoEdition, message: string): Problem {
  const name = `${edition}.mmdb`
  return { object: { kind: "File", namespace: "", name }, field: name, code, message }
}
