import { readdir, readFile, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ShownPolicy } from "../../model/policy-state.ts"
import { Failure, reasonOf, systemCode } from "../../support/failure.ts"
import type { Compilation, PolicyCompiler } from "../plane/policy-compiler.ts"
import { type Layout, writeWhole } from "./files.ts"
import { compilePolicy } from "./policy-program.ts"
import { UnwantedFiles } from "./unwanted-files.ts"

// The folder of compiled policies: DIGEST.cwasm, which nginx loads when a backend names that digest, and state.json, which is the controller's own.

export interface PolicyFilesOptions {
  readonly layout: Pick<Layout, "policies" | "policyState">
  /** `wick-policy`; absent: it is not installed */
  readonly program: string | undefined
  /** what is installed: what another program has compiled is of no use to this nginx */
  readonly build: string
  /** workers run as another user than the controller, and have to come to the files */
  readonly isForOthers: boolean
  /** learns why something could not be written or removed */
  readonly failed: (error: unknown) => void
  readonly signal: AbortSignal
  /** tests give their own */
  readonly graceMs?: number
}

const suffix = ".cwasm"

/** @template State what is kept for the next start */
export class PolicyFiles<State> implements PolicyCompiler<State> {
  readonly #options: PolicyFilesOptions
  readonly compiled: ReadonlySet<string>
  /** of a controller that compiled with the same program */
  readonly state: State | undefined
  readonly #unwanted: UnwantedFiles
  readonly #there: Set<string>
  /** one after the other, so that what is written last is what stays */
  #last = Promise.resolve()

  private constructor(options: PolicyFilesOptions, digests: readonly string[], state: State | undefined) {
    this.#options = options
    this.#unwanted = new UnwantedFiles((digest) => this.#remove(digest), options.graceMs)
    this.#there = new Set(digests)
    this.compiled = state === undefined ? new Set() : new Set(digests)
    this.state = state
  }

  /** Reads what there is. What was not finished is removed. */
  static async open<State>(options: PolicyFilesOptions): Promise<PolicyFiles<State>> {
    const { layout, build, failed } = options
    const names = await readdir(layout.policies).catch(() => [])
    const unfinished = names.filter((name) => /^[0-9a-f]{64}\.wasm|\.part$/.test(name))
    for (const name of unfinished) await rm(join(layout.policies, name), { force: true }).catch(failed)
    const digests = names.flatMap((name) => digestPattern.exec(name)?.[1] ?? [])
    return new PolicyFiles<State>(options, digests, await readState<State>(layout.policyState, build))
  }

  /** Never rejects. The file is there when it comes out as compiled. */
  async compile(digest: string, bytes: Uint8Array): Promise<Compilation> {
    const { layout, program, signal } = this.#options
    if (program === undefined)
      return { kind: "failed", reason: "the program wick-policy, which compiles it, is not installed" }
    const closed = this.#options.isForOthers
      ? await closedFolder(layout.policies).catch(() => undefined)
      : undefined
    if (closed !== undefined)
      return {
        kind: "failed",
        reason: `nginx's workers are another user and cannot reach "${closed}": chmod 711 it`,
      }
    const from = join(layout.policies, `${digest}.wasm`)
    try {
      await writeWhole(from, bytes)
      const compilation = await compilePolicy(program, from, this.#pathOf(digest), signal)
      if (compilation.kind !== "compiled") return compilation
      if (compilation.digest !== digest)
        return { kind: "failed", reason: "the program that compiles policies read another module" }
      this.#there.add(digest)
      return compilation
    } catch (error) {
      return { kind: "failed", reason: reasonOf(error) }
    } finally {
      await rm(from, { force: true }).catch(this.#options.failed)
    }
  }

  /** The files of others are removed once nobody has wanted them for a minute. */
  keepOnly(digests: ReadonlySet<string>): void {
    this.#unwanted.keepOnly(digests, this.#there)
  }

  #remove(digest: string): void {
    this.#there.delete(digest)
    void this.#then(() => rm(this.#pathOf(digest), { force: true }))
  }

  /** For the next start, and for people who look. @returns when it is written, or was told to have failed */
  remember(state: State): Promise<void> {
    const { layout, build } = this.#options
    return this.#then(() => writeWhole(layout.policyState, JSON.stringify({ build, ...state })))
  }

  #pathOf(digest: string): string {
    return join(this.#options.layout.policies, `${digest}${suffix}`)
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(step).catch(this.#options.failed)
    return this.#last
  }
}

const digestPattern = /^([0-9a-f]{64})\.cwasm$/

/** The nearest folder on the way to this one that only its owner may pass; undefined when all are open, to a group at least. */
async function closedFolder(path: string): Promise<string | undefined> {
  const { mode } = await stat(path)
  if ((mode & 0o011) === 0) return path
  return dirname(path) === path ? undefined : closedFolder(dirname(path))
}

/** Undefined when there is none, or one of another build. */
async function readState<State>(path: string, build: string): Promise<State | undefined> {
  try {
    const { build: ofBuild, ...state } = JSON.parse(await readFile(path, "utf8"))
    return ofBuild === build ? state : undefined
  } catch {
    return undefined
  }
}

/** The policies as the controller of a runtime directory noted them last; none when it has none, or is too old to. */
export async function readShownPolicies({
  policyState,
}: Pick<Layout, "policyState">): Promise<readonly ShownPolicy[]> {
  try {
    const { shown = [] } = JSON.parse(await readFile(policyState, "utf8"))
    return shown
  } catch (error) {
    if (systemCode(error) === "ENOENT") return []
    throw new Failure("not-readable", `Cannot read "${policyState}": ${reasonOf(error)}`, { cause: error })
  }
}
