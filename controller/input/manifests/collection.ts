import { type KubernetesObject, keyOf, type ObjectKey, qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import type { Change } from "../provider/source.ts"
import {
  emptyManifest,
  isDamaged,
  type Manifest,
  type Parsing,
  parsedOf,
  problemsOf,
  readManifest,
} from "./manifest.ts"

/** A file as it counts: what it says now, and what it said before where it cannot be read. */
interface File {
  readonly manifest: Manifest
  /** by `printKey` */
  readonly objects: ReadonlyMap<string, KubernetesObject>
  readonly problems: readonly Problem[]
}

const noFile: File = { manifest: emptyManifest, objects: new Map(), problems: [] }

/**
 * The objects of many files, without any reading of files. An object that is in two files counts where the file's name comes first; a part that
 * cannot be read keeps what was there. Every method returns what changed for those who use the objects.
 */
export class Collection {
  readonly #files = new Map<string, File>()
  readonly #owners = new Map<string, Set<string>>()
  readonly #current = new Map<string, KubernetesObject>()
  readonly #firstSeenMs = new Map<string, number>()
  readonly #now: () => number
  readonly #thread: Parsing

  /** @param now milliseconds since 1970 */
  constructor(now: () => number, thread: Parsing) {
    this.#now = now
    this.#thread = thread
  }

  /** Reads a new version of a file's text; takes nothing over yet. */
  read(file: string, text: string): Promise<Manifest> {
    const before = this.#files.get(file)?.manifest ?? emptyManifest
    return readManifest(text, file, before, (key) => this.#firstSeen(key), this.#thread)
  }

  /** Whether a version misses something that the one in force has, or cannot be read in part: as a file does that is still being written. */
  isLess(file: string, manifest: Manifest): boolean {
    const before = this.#files.get(file) ?? noFile
    if (isDamaged(manifest) || isBeginning(manifest.text, before.manifest.text)) return true
    const present = new Set(
      parsedOf(manifest).flatMap((parsed) =>
        parsed.kind === "object" ? [printKey(keyOf(parsed.object))] : [],
      ),
    )
    return [...before.objects.keys()].some((key) => !present.has(key))
  }

  accept(file: string, manifest: Manifest): readonly Change[] {
    return this.#replace(file, fileOf(file, manifest, this.#files.get(file) ?? noFile))
  }

  /** The file is gone. */
  remove(file: string): readonly Change[] {
    return this.#replace(file, undefined)
  }

  /** The file is there and cannot be read: what it said stays. */
  keep(file: string, problem: Problem): readonly Change[] {
    if (this.#files.get(file)?.problems.some(({ message }) => message === problem.message)) return []
    const { manifest, objects } = this.#files.get(file) ?? noFile
    return this.#replace(file, { manifest: { ...manifest, text: undefined }, objects, problems: [problem] })
  }

  /** Whether this is the version in force, so that there is nothing to read. */
  says(file: string, text: string): boolean {
    return this.#files.get(file)?.manifest.text === text
  }

  has(file: string): boolean {
    return this.#files.has(file)
  }

  files(): readonly string[] {
    return [...this.#files.keys()]
  }

  #firstSeen(key: ObjectKey): number {
    const printed = printKey(key)
    const ms = this.#firstSeenMs.get(printed) ?? this.#now()
    this.#firstSeenMs.set(printed, ms)
    return ms
  }

  #replace(file: string, after: File | undefined): readonly Change[] {
    const before = this.#files.get(file)
    if (after) this.#files.set(file, after)
    else this.#files.delete(file)
    const keys = [...new Set([...(before?.objects.keys() ?? []), ...(after?.objects.keys() ?? [])])]
    const files = new Set([
      file,
      ...keys.flatMap((key) => this.#own(key, file, after?.objects.has(key) ?? false)),
    ])
    const changes = keys.flatMap((key) => this.#settle(key))
    return [...changes, ...[...files].map((touched) => this.#problemsChange(touched))]
  }

  /** Notes whether a file has an object. @returns the files that have it now */
  #own(key: string, file: string, isOwner: boolean): readonly string[] {
    const owners = this.#owners.get(key) ?? new Set()
    if (isOwner) this.#owners.set(key, owners.add(file))
    else if (owners.delete(file) && owners.size === 0) this.#owners.delete(key)
    return [...owners]
  }

  /** Compares what counts for an object now with what counted before. */
  #settle(key: string): readonly Change[] {
    const winner = this.#winner(key)
    const after = winner === undefined ? undefined : this.#files.get(winner)?.objects.get(key)
    const before = this.#current.get(key)
    if (before === after) return []
    if (after) {
      this.#current.set(key, after)
      return [{ kind: "set", object: after }]
    }
    this.#current.delete(key)
    this.#firstSeenMs.delete(key)
    return before ? [{ kind: "delete", key: keyOf(before) }] : []
  }

  #winner(key: string): string | undefined {
    const owners = this.#owners.get(key) ?? []
    return [...owners].reduce<string | undefined>(
      (first, file) => (first === undefined || file < first ? file : first),
      undefined,
    )
  }

  #problemsChange(file: string): Change {
    const { objects, problems } = this.#files.get(file) ?? noFile
    const beaten = [...objects].flatMap(([key, object]) => {
      const winner = this.#winner(key)
      return winner === undefined || winner === file ? [] : [duplicate(object, file, winner)]
    })
    return { kind: "problems", origin: file, problems: [...problems, ...beaten] }
  }
}

function isBeginning(text = "", whole = ""): boolean {
  return text.length < whole.length && whole.startsWith(text)
}

/** What a version of a file comes to, with what the version before has to lend. */
function fileOf(file: string, manifest: Manifest, before: File): File {
  const objects = new Map<string, KubernetesObject>()
  const problems = [...problemsOf(manifest)]
  for (const parsed of parsedOf(manifest)) {
    if (parsed.kind === "ignored") continue
    const object =
      parsed.kind === "object" ? parsed.object : parsed.key && before.objects.get(printKey(parsed.key))
    if (!object) continue
    const key = printKey(keyOf(object))
    if (objects.has(key)) problems.push(duplicate(object, file, file))
    else objects.set(key, object)
  }
  if (isDamaged(manifest))
    for (const [key, object] of before.objects) if (!objects.has(key)) objects.set(key, object)
  return { manifest, objects, problems }
}

function duplicate({ kind, meta }: KubernetesObject, file: string, winner: string): Problem {
  const object = { kind, namespace: meta.namespace, name: meta.name }
  const elsewhere =
    winner === file ? "it is there twice and the first one counts" : `${winner} has it too and comes first`
  const message = `${kind} ${JSON.stringify(qualifiedName(meta))} in ${file} is left out: ${elsewhere}`
  return { object, field: file, code: "object-twice", message }
}

function printKey({ kind, namespace, name }: ObjectKey): string {
  return `${kind}/${namespace}/${name}`
}
