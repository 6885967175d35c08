import { digestIn, type Verdict } from "./verdict.ts"

/** What is known of policies from one start of the controller to the next. Ids are those of candidates (verdict.ts). */
export interface PolicyMemory {
  readonly verdicts: Readonly<Record<string, Verdict>>
  /** by name: the ids of those that were in force, the newest first */
  readonly good: Readonly<Record<string, readonly string[]>>
  /** by digest: how many faults it had in the minute in which it had too many */
  readonly faulty: Readonly<Record<string, number>>
}

export const noMemory: PolicyMemory = { verdicts: {}, good: {}, faulty: {} }

/** One in force, and the one to go back to. */
const maxGood = 2

/** Which versions of each policy have been in force, and which of them failed. */
export class History {
  readonly verdicts: Map<string, Verdict>
  readonly #good: Map<string, readonly string[]>
  readonly #faulty: Map<string, number>

  /** @param compiled digests of which there is a compiled file */
  constructor({ verdicts, good, faulty }: PolicyMemory, compiled: ReadonlySet<string>) {
    const isThere = ([id, { kind }]: [string, Verdict]) => kind === "refused" || compiled.has(digestIn(id))
    this.verdicts = new Map(Object.entries(verdicts).filter(isThere))
    this.#good = new Map(Object.entries(good))
    this.#faulty = new Map(Object.entries(faulty))
  }

  /** Ids, the newest first. */
  goodOf(name: string): readonly string[] {
    return this.#good.get(name) ?? []
  }

  /** It is in force now. */
  noteGood(name: string, id: string): void {
    const others = this.goodOf(name).filter((other) => other !== id && !this.#faulty.has(digestIn(other)))
    this.#good.set(name, [id, ...others].slice(0, maxGood))
  }

  /** Its operator took it away: there is nothing to go back to. */
  forget(name: string): void {
    this.#good.delete(name)
  }

  /** @returns in a minute; undefined: they were bearable */
  faultsOf(digest: string): number | undefined {
    return this.#faulty.get(digest)
  }

  noteFaulty(digest: string, faults: number): void {
    this.#faulty.set(digest, faults)
  }

  /** Nothing else is of use. @param ids of the candidates that there are @param names of the policies that are allowed */
  keepOnly(ids: ReadonlySet<string>, names: ReadonlySet<string>): void {
    for (const name of this.#good.keys()) if (!names.has(name)) this.#good.delete(name)
    const used = new Set([...ids, ...[...this.#good.values()].flat()])
    for (const id of this.verdicts.keys()) if (!used.has(id)) this.verdicts.delete(id)
    const digests = this.digests(ids)
    for (const digest of this.#faulty.keys()) if (!digests.has(digest)) this.#faulty.delete(digest)
  }

  /** Those that are, or may come to be, in force. @param ids of the candidates that there are */
  digests(ids: Iterable<string>): ReadonlySet<string> {
    return new Set([...ids, ...[...this.#good.values()].flat()].map(digestIn))
  }

  memory(): PolicyMemory {
    return {
      verdicts: Object.fromEntries(this.verdicts),
      good: Object.fromEntries(this.#good),
      faulty: Object.fromEntries(this.#faulty),
    }
  }
}
