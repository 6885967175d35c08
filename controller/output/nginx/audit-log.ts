import type { Dirent } from "node:fs"
import { access, constants, readdir, rm, rmdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { sleep } from "../../support/abort.ts"
import { reasonOf } from "../../support/failure.ts"
import type { AuditLogKeeper } from "../plane/audit-log-keeper.ts"

// ModSecurity's audit log: a file for each request that is logged, below FOLDER/YYYYMMDD/YYYYMMDD-HHMM. Nobody else bounds it.

interface LogFile {
  readonly path: string
  readonly bytes: number
  readonly writtenMs: number
}

/** Depth of files below the folder. */
const depth = 3

/** As libmodsecurity names its folders and files: what else lies there is left alone. */
const ownName = /^\d{8}(-\d{4,6})?(-[\w.-]+)?$/

/**
 * Removes the oldest files until no more than `maxBytes` are left, and the folders that are empty then.
 *
 * @returns what was removed
 * @throws when the folder cannot be read or written
 */
export async function pruneAuditLog(
  folder: string,
  maxBytes: number,
): Promise<{ readonly files: number; readonly bytes: number }> {
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const all = (await filesIn(folder, depth)).toSorted((a, b) => a.writtenMs - b.writtenMs)
  let left = all.reduce((sum, { bytes }) => sum + bytes, 0)
  const removed = { files: 0, bytes: 0 }
  for (const { path, bytes } of all) {
    if (left <= maxBytes) break
    await rm(path, { force: true })
    left -= bytes
    removed.files += 1
    removed.bytes += bytes
  }
  if (removed.files > 0) await removeEmpty(folder, depth - 1)
  return removed
}

async function filesIn(folder: string, depth: number): Promise<readonly LogFile[]> {
  const entries = await ownEntries(folder)
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly LogFile[]> => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return depth > 1 ? filesIn(path, depth - 1).catch(() => []) : []
      if (!entry.isFile()) return []
      const found = await stat(path).catch(() => undefined)
      // A file takes whole blocks, and a disk is full of those.
      return found === undefined
        ? []
        : [{ path, bytes: Math.max(found.size, 4096), writtenMs: found.mtimeMs }]
    }),
  )
  return found.flat()
}

async function ownEntries(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter(({ name }) => ownName.test(name))
}

/** A folder that is written meanwhile is not empty, and stays. */
async function removeEmpty(folder: string, depth: number): Promise<void> {
  for (const entry of await ownEntries(folder)) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    if (depth > 1) await removeEmpty(path, depth - 1)
    await rmdir(path).catch(() => {})
  }
}

/** How often the log is looked at. */
const lookMs = 10_000

export interface AuditLogOptions {
  /** it can be used now and could not before, or the other way round */
  readonly changed: () => void
  readonly signal: AbortSignal
  /** tests give their own */
  readonly everyMs?: number
}

export class AuditLog implements AuditLogKeeper {
  readonly #options: AuditLogOptions
  #folder = ""
  #maxBytes = 0
  #fault: string | undefined

  constructor(options: AuditLogOptions) {
    this.#options = options
    void this.#run()
  }

  get fault(): string | undefined {
    return this.#folder === "" ? undefined : this.#fault
  }

  follow(folder: string, maxBytes: number): void {
    const isOther = folder !== this.#folder
    this.#maxBytes = maxBytes
    if (!isOther) return
    this.#folder = folder
    this.#fault = undefined
    void this.#look()
  }

  async #run(): Promise<void> {
    const { signal, everyMs = lookMs } = this.#options
    while (!signal.aborted) {
      await sleep(everyMs, signal)
      if (!signal.aborted) await this.#look()
    }
  }

  async #look(): Promise<void> {
    const folder = this.#folder
    if (folder === "") return
    const fault = await pruneAuditLog(folder, this.#maxBytes).then(() => undefined, reasonOf)
    if (folder !== this.#folder || fault === this.#fault) return
    this.#fault = fault
    this.#options.changed()
  }
}
