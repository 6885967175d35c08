import type { EventSink, ObjectEvent, ObjectReference } from "../../input/provider/event.ts"
import type { Leadership } from "../../input/provider/leadership.ts"
import type { Problem } from "../../model/problem.ts"
import { changeEvents, nothingSeen, type Seen } from "./changes.ts"
import { messageOf } from "./message.ts"
import { type Objects, problemEvents } from "./problems.ts"

// In comes what passes saw and what became of nginx, out go the Events that users find with `kubectl describe`. Which Events there are is
// computed from two states of the objects (changes.ts) and from Problems (problems.ts); the recorder knows whose task it is to tell them. It
// knows nothing of how Events are written, nor how often the same one may be.

export interface RecorderOptions {
  readonly sink: EventSink
  /** only the leader tells what all replicas see alike */
  readonly leadership: Leadership
  /** the Pod that this controller is; undefined outside of a cluster: then nobody is told of reloads */
  readonly pod: ObjectReference | undefined
  /** `namespace/name` of the ConfigMaps whose changes are told */
  readonly configMaps: readonly string[]
  /** `--disable-sync-events`: nothing is told but reloads */
  readonly isQuiet: boolean
  /** Events go where Problems are told anyway, and where a line for each Ingress that was there before is of use to nobody */
  readonly isLog: boolean
  /** a clock in milliseconds that never goes back */
  readonly now?: () => number
}

/** Who leads so soon after its first pass has not followed: nobody else told of the Ingresses that it found. */
const startMs = 60_000

interface Pass {
  readonly objects: Objects & Seen
  readonly problems: readonly Problem[]
}

/** Tells what happens to objects by Events on them. */
export class Recorder {
  readonly #with: RecorderOptions
  readonly #now: () => number
  #last: Pass | undefined
  #firstMs: number | undefined
  /** the term whose beginning has been told */
  #term: AbortSignal | undefined

  constructor(options: RecorderOptions) {
    this.#with = options
    this.#now = options.now ?? (() => performance.now())
    options.leadership.onChange(() => {
      if (this.#last !== undefined && this.#isNewTerm()) this.#begin(this.#last)
    })
  }

  /** A pass has ended, well or not. @param appeared those of the Problems that did not stand before */
  passed(objects: Pass["objects"], problems: readonly Problem[], appeared: readonly Problem[]): void {
    if (this.#with.isQuiet) return
    const before = this.#last
    this.#last = { objects, problems }
    this.#firstMs ??= this.#now()
    if (this.#isNewTerm()) this.#begin(this.#last)
    else if (before !== undefined && this.#with.leadership.isLeader) {
      this.#tell(this.#changes(before.objects, objects))
      this.#tellProblems(objects, appeared)
    }
  }

  /** nginx runs with another configuration. */
  reloaded(): void {
    this.#tellPod("Normal", "Reload of nginx triggered by a change of its configuration")
  }

  /** nginx did not take a configuration, or could not be told of it. @param reason nginx's words, where it has some */
  reloadFailed(reason: string): void {
    this.#tellPod("Warning", messageOf(reason))
  }

  #isNewTerm(): boolean {
    const { isLeader, term } = this.#with.leadership
    return isLeader && term !== this.#term
  }

  /** Standing Problems are told again: the former leader may have stopped before it told them. */
  #begin({ objects, problems }: Pass): void {
    const isFirst = this.#term === undefined
    this.#term = this.#with.leadership.term
    const isStart = isFirst && this.#now() - (this.#firstMs ?? 0) < startMs
    if (isStart && !this.#with.isLog) this.#tell(this.#changes(nothingSeen, objects))
    this.#tellProblems(objects, problems)
  }

  #changes(before: Seen, after: Seen): readonly ObjectEvent[] {
    return changeEvents(before, after, this.#with.configMaps)
  }

  #tellProblems(objects: Objects, problems: readonly Problem[]): void {
    if (!this.#with.isLog) this.#tell(problemEvents(problems, objects))
  }

  #tell(events: readonly ObjectEvent[]): void {
    const { sink, leadership } = this.#with
    for (const event of events) sink.write(event, leadership.term)
  }

  /** Each replica has a Pod of its own. */
  #tellPod(type: ObjectEvent["type"], message: string): void {
    const { pod: object, sink } = this.#with
    if (object !== undefined) sink.write({ object, type, reason: "RELOAD", message })
  }
}
