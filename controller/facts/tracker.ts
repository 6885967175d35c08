import { isDeepStrictEqual } from "node:util"

// wanted → fetched → kept → due again: what names, OCSP responders and issuers' certificates have in common. Passes say what they want and take what is
// known; neither ever waits for the other.

/** What is known of a thing now, and when it is due. */
export interface Step<K> {
  readonly known: K
  /** milliseconds until it is fetched next, 0 for at once; absent: never again */
  readonly dueMs?: number
}

/** `W`: a thing that is wanted. `K`: what is known of it, with what only its fetching needs. `V`: what others are told of it. */
export interface TrackerOptions<W, K, V> {
  /** what is known of a thing at first. @param together how many are wanted anew with it, itself included */
  readonly begin: (wanted: W, together: number) => Step<K>
  /** finds out what is known now; never rejects */
  readonly fetch: (wanted: W, known: K) => Promise<Step<K>>
  /** absent: there is nothing to tell yet */
  readonly view: (known: K) => V | undefined
  /** a thing was fetched and is still wanted; others have been told */
  readonly fetched?: (id: string, known: K) => void
  readonly dropped?: (id: string, known: K) => void
  /** a view is another than before */
  readonly changed: () => void
  /** changes within so many milliseconds are told together; absent: each at once */
  readonly gatherMs?: number
  /** ends all fetching; what is known stays known */
  readonly signal: AbortSignal
}

interface Tracked<W, K, V> {
  readonly id: string
  readonly wanted: W
  known: K
  view: V | undefined
  cancelTimer: () => void
}

/** Knows what there is to know of the things that are wanted. A result that nobody wants any more when it comes is thrown away. */
export class Tracker<W, K, V> {
  readonly #options: TrackerOptions<W, K, V>
  readonly #tracked = new Map<string, Tracked<W, K, V>>()
  #views: ReadonlyMap<string, V> | undefined
  #announcement: NodeJS.Timeout | undefined

  constructor(options: TrackerOptions<W, K, V>) {
    this.#options = options
    options.signal.addEventListener("abort", () => this.#rest(), { once: true })
  }

  /** What is told of each thing, by id. The same object while nothing changes, and so is each view in it. */
  views(): ReadonlyMap<string, V> {
    this.#views ??= new Map(
      [...this.#tracked.values()].flatMap(({ id, view }) =>
        view === undefined ? [] : [[id, view] as const],
      ),
    )
    return this.#views
  }

  has(id: string): boolean {
    return this.#tracked.has(id)
  }

  view(id: string): V | undefined {
    return this.#tracked.get(id)?.view
  }

  /** Exactly these things are wanted from now on. @param things by id */
  want(things: ReadonlyMap<string, W>): void {
    this.keepOnly(things)
    const fresh = [...things].filter(([id]) => !this.#tracked.has(id))
    for (const [id, wanted] of fresh) this.track(id, wanted, fresh.length)
  }

  /** This one is wanted too. */
  track(id: string, wanted: W, together = 1): void {
    const { known, dueMs } = this.#options.begin(wanted, together)
    const tracked: Tracked<W, K, V> = {
      id,
      wanted,
      known,
      view: this.#options.view(known),
      cancelTimer: () => {},
    }
    this.#tracked.set(id, tracked)
    if (tracked.view !== undefined) this.#views = undefined
    this.#fetchIn(tracked, dueMs)
  }

  /** No others are wanted any more. */
  keepOnly(ids: Pick<ReadonlySet<string>, "has">): void {
    for (const tracked of this.#tracked.values()) if (!ids.has(tracked.id)) this.#drop(tracked)
  }

  /** All are due now. */
  refetch(): void {
    for (const tracked of this.#tracked.values()) this.#fetchIn(tracked, 0)
  }

  #drop(tracked: Tracked<W, K, V>): void {
    tracked.cancelTimer()
    this.#tracked.delete(tracked.id)
    if (tracked.view !== undefined) this.#views = undefined
    this.#options.dropped?.(tracked.id, tracked.known)
  }

  #rest(): void {
    clearTimeout(this.#announcement)
    for (const { cancelTimer } of this.#tracked.values()) cancelTimer()
  }

  #fetchIn(tracked: Tracked<W, K, V>, delayMs: number | undefined): void {
    tracked.cancelTimer()
    if (delayMs === undefined || this.#options.signal.aborted) return
    if (delayMs === 0) {
      void this.#fetch(tracked)
      return
    }
    const timer = setTimeout(() => void this.#fetch(tracked), delayMs)
    tracked.cancelTimer = () => clearTimeout(timer)
  }

  async #fetch(tracked: Tracked<W, K, V>): Promise<void> {
    const { known, dueMs } = await this.#options.fetch(tracked.wanted, tracked.known)
    if (this.#tracked.get(tracked.id) !== tracked) return
    tracked.known = known
    this.#fetchIn(tracked, dueMs)
    this.#tell(tracked, this.#options.view(known))
    this.#options.fetched?.(tracked.id, known)
  }

  #tell(tracked: Tracked<W, K, V>, view: V | undefined): void {
    if (isDeepStrictEqual(tracked.view, view)) return
    tracked.view = view
    this.#views = undefined
    const { gatherMs, changed } = this.#options
    if (gatherMs === undefined) {
      changed()
      return
    }
    this.#announcement ??= setTimeout(() => {
      this.#announcement = undefined
      changed()
    }, gatherMs)
  }
}
