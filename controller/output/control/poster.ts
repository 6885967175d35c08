import { emptyLive, type Live } from "../../model/model.ts"
import { Failure } from "../../support/failure.ts"
import type { PlaneEvents } from "../plane/plane.ts"
import type { Answer, ControlClient } from "./client.ts"
import { HeldBack } from "./held-back.ts"
import type { Refusal } from "./refusal.ts"
import { bodyBytes, bodyOf, type Item, partsOf } from "./wire.ts"

/** Hears how each part of a change ended. */
export type PostEvents = Pick<PlaneEvents, "posted">

type Verdict =
  | { readonly kind: "applied" }
  | { readonly kind: "out-of-step" }
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }

/** Of what names a certificate or list that was refused. */
export const itWaits = { status: 424, reason: "a certificate or list that it names was refused" }

/** When a zone is full, so many single items are tried in hope of a smaller one that fits, then no more of a refused part. */
const maxTriesWithoutRoom = 16

/** All generations are equally long: a full zone takes one in the place of the one before. */
const generationDigits = 10

/** Posts parts of changes, each building on the one before. Finds the items that are refused, so that all others take effect. */
export class Poster {
  readonly #client: ControlClient
  readonly #events: PostEvents
  readonly #instance: string
  #count = 0
  #generation: string | undefined
  #withoutRoom = 0
  #heldBack = new HeldBack(emptyLive)
  #postedBytes = 0

  /** @param instance makes generations of different controllers different */
  constructor(client: ControlClient, events: PostEvents, instance: string) {
    this.#client = client
    this.#events = events
    this.#instance = instance
  }

  /** False as long as it is not known what the zones hold: the next part builds on whatever is there. */
  get isInStep(): boolean {
    return this.#generation !== undefined
  }

  forget(): void {
    this.#generation = undefined
  }

  /** All that was posted so far. */
  get postedBytes(): number {
    return this.#postedBytes
  }

  /** A new change begins: the zones may have room again. @param running what is in force */
  begin(running: Live): void {
    this.#withoutRoom = 0
    this.#heldBack = new HeldBack(running)
  }

  /**
   * Posts one part; when it is refused, halves of it, down to single items.
   *
   * @returns the items that were refused or have to wait for one that was, or that the zones are at another generation than the last post left
   * @throws Failure when nothing is known about the outcome; `isInStep` is false then
   */
  async post(part: readonly Item[]): Promise<readonly Refusal[] | "out-of-step"> {
    const waiting = this.#heldBack.waiting(part)
    if (waiting.length === 0) return this.#post(part)
    const others = part.filter((item) => !waiting.includes(item))
    const refusals = others.length === 0 ? [] : await this.#post(others)
    return refusals === "out-of-step" ? refusals : [...refuse(waiting, itWaits), ...refusals]
  }

  /** Posts any number of items, in parts; returns and throws as `post`. */
  async postAll(items: Iterable<Item>): Promise<readonly Refusal[] | "out-of-step"> {
    const refusals: Refusal[] = []
    for (const part of partsOf(items)) {
      const refused = await this.post(part)
      if (refused === "out-of-step") return refused
      refusals.push(...refused)
    }
    return refusals
  }

  async #post(part: readonly Item[]): Promise<readonly Refusal[] | "out-of-step"> {
    const verdict = await this.#verdict(part)
    switch (verdict.kind) {
      case "applied":
        return []
      case "out-of-step":
        return "out-of-step"
      case "refused":
        return this.#isHopeless(verdict.status, part.length)
          ? this.#giveUp(part, verdict)
          : this.#halves(part)
      default:
        return verdict satisfies never
    }
  }

  async #halves(part: readonly Item[]): Promise<readonly Refusal[] | "out-of-step"> {
    const middle = part.length >> 1
    const first = await this.post(part.slice(0, middle))
    if (first === "out-of-step") return first
    const second = await this.post(part.slice(middle))
    return second === "out-of-step" ? second : [...first, ...second]
  }

  /** What is removed needs no room, and is not given up with the rest. */
  async #giveUp(
    part: readonly Item[],
    verdict: { status: number; reason: string },
  ): Promise<readonly Refusal[] | "out-of-step"> {
    const removals = part.length === 1 ? [] : part.filter(({ verb }) => verb === "remove")
    const refusals = this.#refuse(
      part.filter((item) => !removals.includes(item)),
      verdict,
    )
    if (removals.length === 0) return refusals
    const more = await this.post(removals)
    return more === "out-of-step" ? more : [...refusals, ...more]
  }

  #refuse(part: readonly Item[], verdict: { status: number; reason: string }): Refusal[] {
    this.#heldBack.note(part)
    return refuse(part, verdict)
  }

  #isHopeless(status: number, items: number): boolean {
    if (items <= 1 && status === 507) this.#withoutRoom += 1
    return items <= 1 || (status === 507 && this.#withoutRoom > maxTriesWithoutRoom)
  }

  async #verdict(part: readonly Item[]): Promise<Verdict> {
    const generation = `${this.#instance}-${String(this.#count++).padStart(generationDigits, "0")}`
    const body = bodyOf(this.#generation ?? null, generation, part)
    if (Buffer.byteLength(body) > bodyBytes) {
      return { kind: "refused", status: 413, reason: `its record is larger than ${bodyBytes / 1024} KiB` }
    }
    this.#postedBytes += Buffer.byteLength(body)
    const startMs = performance.now()
    const verdict = await this.#send(body, generation, startMs)
    this.#events.posted(verdict.kind === "applied" ? "applied" : "refused", secondsSince(startMs))
    this.#generation = nextGeneration(verdict, generation, this.#generation)
    return verdict
  }

  async #send(body: string, generation: string, startMs: number): Promise<Verdict> {
    try {
      return verdictOf(await this.#postTwice(body), generation)
    } catch (error) {
      this.#events.posted("failed", secondsSince(startMs))
      this.forget()
      throw error
    }
  }

  /** A worker that ends takes its connections along. Sending again is safe: a change that did take effect answers with its own generation. */
  #postTwice(body: string): Promise<Answer> {
    const post = () => this.#client.post("/configuration/changes", body)
    return post().catch(post)
  }
}

function nextGeneration(verdict: Verdict, posted: string, before: string | undefined): string | undefined {
  if (verdict.kind === "applied") return posted
  return verdict.kind === "refused" ? before : undefined
}

function verdictOf({ status, body }: Answer, generation: string): Verdict {
  if (status === 201) return { kind: "applied" }
  if (status === 409)
    return read(body).generation === generation ? { kind: "applied" } : { kind: "out-of-step" }
  if (status === 400 || status === 413 || status === 507)
    return { kind: "refused", status, reason: reasonIn(body) }
  throw new Failure("control-failed", `Cannot post changes: nginx answered ${status}`)
}

function refuse(part: readonly Item[], { status, reason }: { status: number; reason: string }): Refusal[] {
  return part.map((item) => ({ item, status, reason }))
}

function reasonIn(body: string): string {
  const { error } = read(body)
  return typeof error === "string" ? error : "the data plane gave no reason"
}

function read(body: string): { readonly error?: unknown; readonly generation?: unknown } {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {} // an error page of nginx itself
  }
}

function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1000
}
