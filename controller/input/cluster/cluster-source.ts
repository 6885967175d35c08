import { statusKinds } from "../../model/object-status.ts"
import type { Kind, ObjectKey } from "../../model/objects/object.ts"
import { parseObject } from "../../model/objects/parse.ts"
import { isRecord } from "../../model/objects/reader.ts"
import type { Problem } from "../../model/problem.ts"
import { sleep } from "../../support/abort.ts"
import { Channel } from "../../support/channel.ts"
import type { Log } from "../../support/log.ts"
import { merged } from "../../support/merged.ts"
import { Turns } from "../../support/turns.ts"
import type { Batch, Change, Named, NamedKind, Source } from "../provider/source.ts"
import { isNamedKind, typeOf } from "./kinds.ts"
import { type NamedChange, NamedObjects, type Outcome, type Reading } from "./named-objects.ts"
import type { Delta, ObjectChange } from "./watch/delta.ts"
import type { Watched } from "./watched.ts"

export interface ClusterSourceOptions {
  readonly watched: readonly Watched[]
  /** Lists and watches; ends when the signal aborts. @param failed called when an attempt came to nothing */
  readonly reflect: (watched: Watched, failed: () => void, signal: AbortSignal) => AsyncIterable<Delta>
  readonly readingOf: (kind: NamedKind, signal: AbortSignal) => Reading
  /** Told of every object as JSON gave it, and that one is gone: of statuses the source tells nothing. */
  readonly saw: (kind: Kind, name: string, object: unknown) => void
  readonly log: Pick<Log, "info" | "warn">
}

/** Objects of these kinds decide which Secrets and ConfigMaps are named. */
const deciding: ReadonlySet<Kind> = new Set<Kind>([
  ...(["Ingress", "IngressClass", "Namespace", "ConfigMap"] as const),
  ...statusKinds,
])

/**
 * How long passes wait for what is named anew and exists. It takes some milliseconds when the API server is well; when it is not, everything
 * else goes on without.
 */
const patienceMs = 500

/**
 * The objects of an API server. Everything that is watched comes in one stream, parsed once and in turns; Secrets and ConfigMaps are read when
 * they are named. A version of an object that cannot be used as a whole is a Problem, and the version before stays.
 */
export function clusterSource(options: ClusterSourceOptions): Source {
  return { changes: (signal, named) => new Following(options, signal, named).batches() }
}

/** One reason to go on. */
type Arrival =
  | { readonly kind: "delta"; readonly watched: Watched; readonly delta: Delta }
  | { readonly kind: "outcomes"; readonly of: NamedKind; readonly outcomes: readonly Outcome[] }
  /** time has passed, or what is not required cannot be had */
  | { readonly kind: "reconsider" }

class Following {
  readonly #options: ClusterSourceOptions
  readonly #signal: AbortSignal
  readonly #named: Named
  readonly #objects: ReadonlyMap<NamedKind, NamedObjects>
  readonly #turns = new Turns()
  readonly #reconsiderations = new Channel<Arrival>()
  /** what is required and has not been listed completely */
  readonly #unlisted: Set<Watched>
  /** origins of Problems */
  readonly #troubled = new Set<string>()
  /** everything has been there once */
  #hasBegun = false
  /** what the last batch said */
  #wasSynced = false
  /** something that is named is waited for */
  #patience: { isOver: boolean } | undefined

  constructor(options: ClusterSourceOptions, signal: AbortSignal, named: Named) {
    this.#options = options
    this.#signal = signal
    this.#named = named
    this.#unlisted = new Set(options.watched)
    const { log, readingOf } = options
    const isListed = () => this.#unlisted.size === 0
    const objectsOf = (kind: NamedKind) =>
      new NamedObjects({ kind, reading: readingOf(kind, signal), isListed, log, signal })
    this.#objects = new Map((["Secret", "ConfigMap"] as const).map((kind) => [kind, objectsOf(kind)]))
    signal.addEventListener("abort", () => this.#reconsiderations.close(), { once: true })
  }

  async *batches(): AsyncGenerator<Batch> {
    const arrivals = [
      ...this.#options.watched.map((watched) => this.#deltas(watched)),
      ...[...this.#objects].map(([kind, objects]) => outcomesOf(kind, objects)),
      this.#reconsiderations,
    ]
    for await (const arrival of merged<Arrival>(arrivals)) yield* this.#take(arrival)
  }

  async *#deltas(watched: Watched): AsyncGenerator<Arrival> {
    const failed = () => {
      const isWorthWaiting = watched.isRequired && !(this.#hasBegun && watched.offeredWith !== undefined)
      if (!isWorthWaiting && this.#unlisted.delete(watched)) this.#reconsider()
    }
    for await (const delta of this.#options.reflect(watched, failed, this.#signal))
      yield { kind: "delta", watched, delta }
  }

  async *#take(arrival: Arrival): AsyncGenerator<Batch> {
    switch (arrival.kind) {
      case "delta": {
        const { watched, delta } = arrival
        if (delta.synced) this.#unlisted.delete(watched)
        else if (watched.offeredWith !== undefined) this.#unlisted.add(watched)
        yield* this.#inTurns(watched.kind, delta.changes, (change) => this.#observed(watched, change))
        break
      }
      case "outcomes":
        yield* this.#inTurns(arrival.of, arrival.outcomes, (outcome) => this.#read(arrival.of, outcome))
        break
      case "reconsider":
        break
      default:
        return arrival satisfies never
    }
    // what was taken so far may name other objects than before
    const dropped = this.#nameAgain()
    const isSynced = this.#isSynced()
    if (dropped.length > 0 || isSynced !== this.#wasSynced) yield this.#batch(dropped, isSynced)
  }

  /** All but the last batch say that there is more to come; so does the last one when others may be named by it. */
  async *#inTurns<T>(
    kind: Kind,
    items: readonly T[],
    changesOf: (item: T) => readonly Change[],
  ): AsyncGenerator<Batch> {
    let changes: Change[] = []
    for (const item of items) {
      changes.push(...changesOf(item))
      if (!this.#turns.isOver()) continue
      yield this.#batch(changes, false)
      changes = []
      await this.#turns.next()
    }
    if (changes.length > 0) yield this.#batch(changes, !deciding.has(kind) && this.#isSynced())
  }

  #batch(changes: readonly Change[], synced: boolean): Batch {
    this.#wasSynced = synced
    return { changes, synced }
  }

  /** Whether everything is there that is of use, or has been waited for long enough. */
  #isSynced(): boolean {
    if (this.#unlisted.size > 0) return false
    const isMissingAny = [...this.#objects.values()].some((objects) => objects.isMissingAny)
    if (isMissingAny) return this.#hasBegun && this.#hasWaited()
    this.#hasBegun = true
    this.#patience = undefined
    return true
  }

  #hasWaited(): boolean {
    if (this.#patience) return this.#patience.isOver
    const patience = { isOver: false }
    this.#patience = patience
    void sleep(patienceMs, this.#signal).then(() => {
      patience.isOver = true
      this.#reconsider()
    })
    return false
  }

  #reconsider(): void {
    this.#reconsiderations.send({ kind: "reconsider" })
  }

  #nameAgain(): readonly Change[] {
    return [...this.#objects].flatMap(([kind, objects]) =>
      objects.name(this.#named(kind)).flatMap((change) => this.#changesOf(kind, change)),
    )
  }

  #observed({ kind }: Watched, change: ObjectChange): readonly Change[] {
    const { name } = change
    const isGone = change.kind === "deleted"
    const objects = isNamedKind(kind) ? this.#objects.get(kind) : undefined
    if (objects)
      return objects
        .announce(name, isGone ? undefined : change.version)
        .flatMap((change) => this.#changesOf(kind, change))
    this.#options.saw(kind, name, isGone ? undefined : change.object)
    return isGone ? this.#removed(kind, name) : this.#parsed(kind, name, change.object)
  }

  #read(kind: NamedKind, outcome: Outcome): readonly Change[] {
    const changes = this.#objects.get(kind)?.accept(outcome) ?? []
    return changes.flatMap((change) => this.#changesOf(kind, change))
  }

  #changesOf(kind: Kind, { name, content }: NamedChange): readonly Change[] {
    return content ? this.#parsed(kind, name, content.object) : this.#removed(kind, name)
  }

  #parsed(kind: Kind, name: string, object: unknown): readonly Change[] {
    const typed = { ...(isRecord(object) && object), ...typeOf(kind) }
    // the server says of every object when it was created
    const parsed = parseObject(typed, { firstSeenMs: () => 0, origin: "" })
    const problems = this.#problems(`${kind}/${name}`, parsed.problems)
    return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }, ...problems] : problems
  }

  #removed(kind: Kind, name: string): readonly Change[] {
    return [{ kind: "delete", key: keyOfName(kind, name) }, ...this.#problems(`${kind}/${name}`, [])]
  }

  /** What is well, and was before, is not worth a word. */
  #problems(origin: string, problems: readonly Problem[]): readonly Change[] {
    const wasTroubled = this.#troubled.delete(origin)
    if (problems.length > 0) this.#troubled.add(origin)
    return wasTroubled || problems.length > 0 ? [{ kind: "problems", origin, problems }] : []
  }
}

async function* outcomesOf(of: NamedKind, objects: NamedObjects): AsyncGenerator<Arrival> {
  for await (const outcomes of objects.outcomes()) yield { kind: "outcomes", of, outcomes }
}

function keyOfName(kind: Kind, qualified: string): ObjectKey {
  const [namespace = "", name] = qualified.split("/")
  return name === undefined ? { kind, namespace: "", name: namespace } : { kind, namespace, name }
}
