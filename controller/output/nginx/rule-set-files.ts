import { access, chmod, constants, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { RuleSet, RuleSetPart } from "../../model/rule-set.ts"
import { reasonOf } from "../../support/failure.ts"
import type { RuleSetChecker, RuleSetVerdict } from "../plane/rule-set-checker.ts"
import { type Layout, writeWhole } from "./files.ts"
import type { ModsecurityPlaces } from "./modsecurity-places.ts"
import { checkRuleSets } from "./rule-set-program.ts"
import { UnwantedFiles } from "./unwanted-files.ts"

// The folder of rule sets: DIGEST.json, which workers read when a route names that digest, and state.json, which is the controller's own. No name of
// a file comes from a user.

export interface RuleSetFilesOptions {
  readonly layout: Pick<Layout, "modsecurity" | "modsecurityState">
  readonly places: ModsecurityPlaces
  /** learns why something could not be written or removed */
  readonly failed: (error: unknown) => void
  readonly signal: AbortSignal
  /** tests give their own */
  readonly graceMs?: number
}

const digestPattern = /^([0-9a-f]{64})\.json$/

/** @template State what is kept for the next start */
export class RuleSetFiles<State> implements RuleSetChecker<State> {
  readonly #options: RuleSetFilesOptions
  readonly accepted: ReadonlySet<string>
  readonly state: State | undefined
  readonly #there: Set<string>
  readonly #unwanted: UnwantedFiles
  /** one after the other, so that what is written last is what stays */
  #last = Promise.resolve()

  private constructor(
    options: RuleSetFilesOptions,
    there: readonly string[],
    kept: { readonly accepted: readonly string[]; readonly state: State } | undefined,
  ) {
    this.#options = options
    this.#unwanted = new UnwantedFiles((digest) => this.#remove(digest), options.graceMs)
    this.#there = new Set(there)
    this.accepted = new Set(kept?.accepted.filter((digest) => this.#there.has(digest)) ?? [])
    this.state = kept?.state
    for (const digest of this.accepted) this.#good.add(digest)
  }

  readonly #good = new Set<string>()

  /** Reads what there is. What was not finished is removed. */
  static async open<State>(options: RuleSetFilesOptions): Promise<RuleSetFiles<State>> {
    const { layout, places, failed } = options
    const names = await readdir(layout.modsecurity).catch(() => [])
    for (const name of names.filter((name) => name.endsWith(".part")))
      await rm(join(layout.modsecurity, name), { force: true }).catch(failed)
    const digests = names.flatMap((name) => digestPattern.exec(name)?.[1] ?? [])
    return new RuleSetFiles<State>(
      options,
      digests,
      await readState<State>(layout.modsecurityState, places.build),
    )
  }

  async check(sets: readonly RuleSet[]): Promise<ReadonlyMap<string, RuleSetVerdict>> {
    const verdicts = await Promise.all(sets.map(async (set) => [set, await this.#absence(set)] as const))
    const ready = verdicts.flatMap(([set, absent]) => (absent === undefined ? [set] : []))
    const found = new Map<string, RuleSetVerdict>(
      verdicts.flatMap(([{ digest }, absent]) => (absent === undefined ? [] : [[digest, absent]])),
    )
    for (const [digest, verdict] of await this.#ask(ready)) found.set(digest, verdict)
    for (const [digest, { kind }] of found) if (kind === "accepted") this.#good.add(digest)
    return found
  }

  /** The files of others are removed once nobody has wanted them for a minute. */
  keepOnly(digests: ReadonlySet<string>): void {
    this.#unwanted.keepOnly(digests, this.#there)
  }

  remember(state: State): Promise<void> {
    const { layout, places } = this.#options
    const kept = { build: places.build, accepted: [...this.#good].sort(), state }
    return this.#then(() => writeWhole(layout.modsecurityState, JSON.stringify(kept)))
  }

  /** Puts a set in its place, if what it needs is there. @returns undefined when it is */
  async #absence({ digest, bytes }: RuleSet): Promise<RuleSetVerdict | undefined> {
    const { parts }: { parts: readonly RuleSetPart[] } = JSON.parse(bytes)
    for (const part of parts) {
      if (!("file" in part) || (await isReadable(part.file))) continue
      return {
        kind: "absent",
        reason: `there is no file "${part.file}"; --modsecurity-files says where they are`,
      }
    }
    try {
      await writeWhole(this.#pathOf(digest), bytes)
      // Workers are another account, and the folder is not for others.
      await chmod(this.#pathOf(digest), 0o644)
      this.#there.add(digest)
      return undefined
    } catch (error) {
      return { kind: "absent", reason: reasonOf(error) }
    }
  }

  async #ask(sets: readonly RuleSet[]): Promise<ReadonlyMap<string, RuleSetVerdict>> {
    if (sets.length === 0) return new Map()
    const { places, signal } = this.#options
    const { program, library } = places
    if (program === undefined)
      return allOf(sets, {
        kind: "absent",
        reason: "the program wick-waf, which checks them, is not installed",
      })
    const paths = sets.map(({ digest }) => this.#pathOf(digest))
    const answers = await checkRuleSets(program, library, paths, signal)
    if (answers.kind === "absent") return allOf(sets, answers)
    const { verdicts } = answers
    const unanswered = sets.filter(({ digest }) => !verdicts.has(this.#pathOf(digest)))
    const rest =
      unanswered.length === sets.length
        ? allOf(sets, { kind: "absent", reason: "the program wick-waf said nothing about them" })
        : await this.#askRest(unanswered)
    return new Map(
      sets.flatMap(({ digest }) => {
        const verdict = verdicts.get(this.#pathOf(digest)) ?? rest.get(digest)
        return verdict === undefined ? [] : [[digest, verdict] as const]
      }),
    )
  }

  /** The program ended in the middle: the first one without an answer is what ended it, and the others are asked about again. */
  async #askRest(sets: readonly RuleSet[]): Promise<ReadonlyMap<string, RuleSetVerdict>> {
    const [first, ...others] = sets
    if (first === undefined) return new Map()
    const reason = "libmodsecurity came to no end with them, or ended the program that checks them"
    return new Map([[first.digest, { kind: "refused", reason }], ...(await this.#ask(others))])
  }

  #remove(digest: string): void {
    this.#there.delete(digest)
    this.#good.delete(digest)
    void this.#then(() => rm(this.#pathOf(digest), { force: true }))
  }

  #pathOf(digest: string): string {
    return join(this.#options.layout.modsecurity, `${digest}.json`)
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(step).catch(this.#options.failed)
    return this.#last
  }
}

function allOf(sets: readonly RuleSet[], verdict: RuleSetVerdict): ReadonlyMap<string, RuleSetVerdict> {
  return new Map(sets.map(({ digest }) => [digest, verdict]))
}

function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
}

/** Undefined when there is none, or one of another build. */
async function readState<State>(path: string, build: string) {
  try {
    const { build: ofBuild, accepted, state } = JSON.parse(await readFile(path, "utf8"))
    return ofBuild === build && Array.isArray(accepted)
      ? { accepted: accepted as readonly string[], state: state as State }
      : undefined
  } catch {
    return undefined
  }
}

/** The parts of a rule set of a runtime directory; undefined when it is not there or not this account's to read. */
export async function readRuleSet(
  { modsecurity }: Pick<Layout, "modsecurity">,
  digest: string,
): Promise<readonly RuleSetPart[] | undefined> {
  if (!/^[0-9a-f]{64}$/.test(digest)) return undefined
  try {
    return JSON.parse(await readFile(join(modsecurity, `${digest}.json`), "utf8")).parts
  } catch {
    return undefined
  }
}
