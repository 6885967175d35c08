import { type Api, ApiFailure, type ApiRequest } from "../../../../../controller/input/cluster/api.ts"
import { aborted, sleep } from "../../../../../controller/support/abort.ts"
import { fakeNow } from "../../../../support/clock.ts"

/** What goes wrong with one request. */
export type Fault =
  /** no connection */
  | { readonly kind: "unreachable" }
  | { readonly kind: "status"; readonly status: number; readonly retryAfterMs?: number }
  /** after so many lines of a watch there are no more, or no sense: lists fail without an answer */
  | { readonly kind: "cut"; readonly lines: number }
  | { readonly kind: "garbage"; readonly lines: number }
  | { readonly kind: "error"; readonly lines: number; readonly status: number }
  /** the watch ends in order after so many lines */
  | { readonly kind: "end"; readonly lines: number }
  /** each line is told twice */
  | { readonly kind: "twice" }

/** How lists are streamed: as they should be, refused, ignored as by servers before 1.27, or never brought to an end. */
export const streamings = ["told", "refused", "ignored", "endless"] as const

interface Happened {
  readonly version: number
  readonly type: "ADDED" | "MODIFIED" | "DELETED"
  readonly name: string
}

const answerMs = 5
const bookmarkMs = 60_000

/** An API server with one kind, as an Api: versions, history, compaction, pages of two, bookmarks; and faults. In the time of the tests' timers. */
export class ModelServer implements Api {
  readonly objects = new Map<string, number>()
  readonly requests: ApiRequest[] = []
  /** the next requests have these, one each */
  readonly faults: Fault[] = []
  /** every request has this */
  fault: Fault | undefined
  streams: (typeof streamings)[number] = "told"
  /** watches under way */
  open = 0
  /** when the last list began, in pages or as a stream */
  listVersion = 0
  #version = 10
  #compacted = 0
  readonly #history: Happened[] = []
  #snapshots = new Map<string, readonly (readonly [string, number])[]>()
  #moved = Promise.withResolvers<void>()
  #breaking = new AbortController()

  get version(): number {
    return this.#version
  }

  /** Names of what has been there, the same, since a version, and that a state does not have. */
  missing(state: ReadonlyMap<string, number>, since: number): readonly string[] {
    return [...this.objects].filter(([name, at]) => at <= since && !state.has(name)).map(([name]) => name)
  }

  removedSince(name: string, since: number): boolean {
    return this.#history.some((past) => past.type === "DELETED" && past.name === name && past.version > since)
  }

  put(name: string): void {
    this.#happen(this.objects.has(name) ? "MODIFIED" : "ADDED", name)
    this.objects.set(name, this.#version)
  }

  remove(name: string): void {
    if (this.objects.delete(name)) this.#happen("DELETED", name)
  }

  /** Something happens to another kind. */
  putElsewhere(): void {
    this.#version += 1
  }

  /** What was until now can no longer be asked for. */
  compact(): void {
    this.#compacted = this.#version
    this.#snapshots.clear()
  }

  /** All connections are reset. */
  cutAll(): void {
    this.#breaking.abort()
    this.#breaking = new AbortController()
  }

  /** An earlier state is there again, and its version. */
  restore(objects: ReadonlyMap<string, number>, version: number): void {
    this.objects.clear()
    for (const [name, at] of objects) this.objects.set(name, at)
    this.#version = version
    this.#history.splice(0, this.#history.length, ...this.#history.filter((past) => past.version <= version))
    this.cutAll()
  }

  async send(request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    const fault = await this.#answer(request, signal)
    if (fault && fault.kind !== "twice") throw new ApiFailure("cut", { status: 0 })
    const [id, offset] = this.#place(request.query?.continue)
    const snapshot = this.#snapshots.get(id)
    if (!snapshot) throw new ApiFailure("continue is too old", { status: 410, reason: "Expired" })
    const items = snapshot.slice(offset, offset + 2).map(([name, version]) => objectOf(name, version))
    const isLast = offset + 2 >= snapshot.length
    return { metadata: { resourceVersion: id, ...(!isLast && { continue: `${id}/${offset + 2}` }) }, items }
  }

  async *watch(request: ApiRequest, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
    const fault = await this.#answer(request, signal)
    const broken = this.#breaking.signal
    this.open += 1
    try {
      yield []
      let lines = fault && "lines" in fault ? fault.lines : Number.POSITIVE_INFINITY
      for await (const group of this.#lines(request, AbortSignal.any([signal, broken]))) {
        const told = group.slice(0, lines)
        lines -= told.length
        if (told.length > 0) yield fault?.kind === "twice" ? told.flatMap((line) => [line, line]) : told
        if (lines <= 0 && fault) break
      }
      if (signal.aborted || broken.aborted) throw new ApiFailure("reset", { status: 0 })
      yield* lastOf(fault)
    } finally {
      this.open -= 1
    }
  }

  /** In groups, until the time that was asked for is over. */
  async *#lines(request: ApiRequest, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
    const { sendInitialEvents, resourceVersion, timeoutSeconds } = request.query ?? {}
    const endMs = fakeNow() + Number(timeoutSeconds) * 1000
    let told = Number(resourceVersion ?? this.#version)
    if (resourceVersion === undefined) {
      for (const [name, version] of [...this.objects]) yield [line("ADDED", objectOf(name, version))]
      const isEnded = sendInitialEvents === "true" && this.streams === "told"
      if (this.streams !== "endless") yield [line("BOOKMARK", bookmark(told, isEnded))]
    }
    let markMs = fakeNow() + bookmarkMs
    while (!signal.aborted && fakeNow() < endMs) {
      const news = this.#history.filter(({ version }) => version > told)
      if (news.length > 0) yield news.map(({ type, name, version }) => line(type, objectOf(name, version)))
      told = news.at(-1)?.version ?? told
      if (fakeNow() >= markMs) {
        // One that would go back is not told: so does the real server.
        if (this.#version >= told) yield [line("BOOKMARK", bookmark(this.#version, false))]
        markMs = fakeNow() + bookmarkMs
      }
      await this.#until(Math.min(markMs, endMs), signal)
    }
  }

  async #until(ms: number, signal: AbortSignal): Promise<void> {
    const timer = new AbortController()
    const either = AbortSignal.any([timer.signal, signal])
    await Promise.race([sleep(Math.max(1, ms - fakeNow()), either), this.#moved.promise, aborted(signal)])
    timer.abort()
  }

  async #answer(request: ApiRequest, signal: AbortSignal): Promise<Fault | undefined> {
    this.requests.push(request)
    await sleep(answerMs, signal)
    if (signal.aborted) throw new ApiFailure("aborted", { status: 0 })
    if (request.query?.resourceVersion === undefined && request.query?.continue === undefined)
      this.listVersion = this.#version
    const fault = this.fault ?? this.faults.shift()
    if (fault?.kind === "unreachable") throw new ApiFailure("connection refused", { status: 0 })
    if (fault?.kind === "status") throw new ApiFailure(`status ${fault.status}`, fault)
    const { sendInitialEvents, resourceVersion } = request.query ?? {}
    if (sendInitialEvents === "true" && this.streams === "refused")
      throw new ApiFailure("sendInitialEvents is forbidden", { status: 422, reason: "Invalid" })
    if (resourceVersion !== undefined && Number(resourceVersion) < this.#compacted)
      throw new ApiFailure("too old resource version", { status: 410, reason: "Expired" })
    return fault
  }

  #place(token: string | undefined): readonly [string, number] {
    if (token !== undefined) {
      const [id = "", offset] = token.split("/")
      return [id, Number(offset)]
    }
    this.#snapshots.set(String(this.#version), [...this.objects])
    return [String(this.#version), 0]
  }

  #happen(type: Happened["type"], name: string): void {
    this.#version += 1
    this.#history.push({ version: this.#version, type, name })
    this.#moved.resolve()
    this.#moved = Promise.withResolvers()
  }
}

function* lastOf(fault: Fault | undefined): Generator<readonly unknown[]> {
  if (fault?.kind === "cut") throw new ApiFailure("cut", { status: 0 })
  if (fault?.kind === "garbage") yield [{ type: "ADDED", object: { spec: {} } }]
  if (fault?.kind === "error")
    yield [line("ERROR", { kind: "Status", code: fault.status, message: `error ${fault.status}` })]
}

function objectOf(name: string, version: number) {
  return { metadata: { namespace: "shop", name, resourceVersion: String(version) } }
}

function bookmark(version: number, endsInitialEvents: boolean) {
  const annotations = endsInitialEvents ? { "k8s.io/initial-events-end": "true" } : {}
  return { metadata: { resourceVersion: String(version), annotations } }
}

function line(type: string, object: unknown) {
  return { type, object }
}
