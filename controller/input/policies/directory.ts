import { constants } from "node:fs"
import { open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Problem } from "../../model/problem.ts"
import { sleep } from "../../support/abort.ts"
import { reasonOf } from "../../support/failure.ts"
import { entryAt } from "../manifests/entries.ts"
import {
  digestOf,
  emptySource,
  maxModuleBytes,
  maxSignatureBytes,
  moduleFault,
  type PolicyModule,
  type PolicySource,
  partOf,
  signatureFile,
} from "./module.ts"

/**
 * How often the directory is looked at. A watch by the kernel would say more of ConfigMaps that are swapped behind links, and nothing of images
 * and network volumes; a look at a few names costs next to nothing.
 */
const lookMs = 500

/** Modules in one directory. */
const maxModules = 256

export interface PolicyDirectoryOptions {
  readonly directory: string
  /** what is there is another now */
  readonly changed: () => void
  readonly signal: AbortSignal
}

/** A file as it was when it was looked at. */
interface Seen {
  /** of its inode, size and times: what changes when it is written */
  readonly version: string
  readonly path: string
  readonly bytes: number
}

/**
 * The modules of `--policies`: NAME.wasm, and NAME.wasm.sig beside it. Another version counts once two looks in a row have found the same: a file
 * that is being written is none. One that is gone is gone then, too; while the directory itself is gone, what was there stays.
 */
export class PolicyDirectory {
  readonly #options: PolicyDirectoryOptions
  #source: PolicySource = emptySource
  /** of the look before, and of the one that counts */
  #seen = ""
  #taken = ""

  private constructor(options: PolicyDirectoryOptions) {
    this.#options = options
  }

  /** Reads what is there, and goes on looking until the signal aborts. */
  static async open(options: PolicyDirectoryOptions): Promise<PolicyDirectory> {
    const directory = new PolicyDirectory(options)
    await directory.#look(true)
    void directory.#goOn()
    return directory
  }

  /** The same object while nothing changes. */
  read(): PolicySource {
    return this.#source
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#options
    for (;;) {
      await sleep(lookMs, signal)
      if (signal.aborted) return
      await this.#look(false)
    }
  }

  async #look(isFirst: boolean): Promise<void> {
    const found = await this.#find().catch((error: unknown) => reasonOf(error))
    const now = JSON.stringify(found instanceof Map ? [...found] : found)
    const isSettled = isFirst || now === this.#seen
    this.#seen = now
    if (!isSettled || now === this.#taken) return
    this.#taken = now
    this.#source = found instanceof Map ? await this.#take(found) : this.#gone(String(found))
    if (!isFirst) this.#options.changed()
  }

  /** By name of the file: how it is, or what is wrong with it. */
  async #find(): Promise<Map<string, Seen | string>> {
    const { directory } = this.#options
    const names = (await readdir(directory)).filter((name) => !name.startsWith(".") && partOf(name))
    const found = new Map<string, Seen | string>()
    for (const name of names.sort().slice(0, 2 * maxModules)) {
      const entry = entryAt(directory, join(directory, name))
      if (entry.kind === "refused") found.set(name, entry.reason)
      if (entry.kind === "file") found.set(name, await seen(entry.path))
    }
    return found
  }

  async #take(found: ReadonlyMap<string, Seen | string>): Promise<PolicySource> {
    const modules = new Map<string, PolicyModule>()
    const problems: Problem[] = []
    for (const [file, entry] of found) {
      const part = partOf(file)
      if (part?.kind !== "module") continue
      const fault = typeof entry === "string" ? entry : moduleFault(part.name, entry.bytes)
      const module =
        fault === undefined && typeof entry !== "string"
          ? await readModule(part.name, entry.path, found.get(signatureFile(part.name)))
          : undefined
      if (module !== undefined) modules.set(part.name, module)
      else problems.push(this.#problem("File", file, fault ?? "it cannot be read"))
    }
    return { modules, problems }
  }

  /** An unmounted volume does not mean that nobody is to be balanced by policies any more. */
  #gone(reason: string): PolicySource {
    const [short = ""] = reason.split(", scandir")
    const { directory } = this.#options
    const problem = this.#problem("Directory", directory, short)
    return { modules: this.#source.modules, problems: [problem] }
  }

  #problem(kind: "File" | "Directory", name: string, reason: string): Problem {
    const what =
      kind === "File"
        ? `${JSON.stringify(name)} as a balancing policy`
        : `the directory "${name}" of --policies`
    return {
      object: { kind, namespace: "", name },
      field: name,
      code: "policy-source-unusable",
      message: `Cannot use ${what}: ${reason}`,
    }
  }
}

async function seen(path: string): Promise<Seen> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
  return { version: [dev, ino, size, mtimeNs, ctimeNs].join(":"), path, bytes: Number(size) }
}

async function readModule(
  name: string,
  path: string,
  beside: Seen | string | undefined,
): Promise<PolicyModule | undefined> {
  const bytes = await readFile(path, maxModuleBytes)
  if (bytes === undefined) return undefined
  const signed = typeof beside === "object" ? await readFile(beside.path, maxSignatureBytes) : undefined
  return {
    name,
    digest: digestOf(bytes),
    ...(signed && { signature: Buffer.from(signed).toString() }),
    read: () => readFile(path, maxModuleBytes),
  }
}

/** A regular file; undefined when it is none, too large, or cannot be read. Opens no pipes and devices. */
async function readFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
    await using file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    const stats = await file.stat()
    return stats.isFile() && stats.size <= maxBytes ? await file.readFile() : undefined
  } catch {
    return undefined
  }
}
