import { isDeepStrictEqual } from "node:util"
import type { Certificate, Staple } from "../../model/certificate.ts"
import { retryMs } from "../../support/retry.ts"
import { Turns } from "../../support/turns.ts"
import { Lanes } from "../issuers/lanes.ts"
import type { Upkeep } from "../issuers/upkeep.ts"
import { judgeResponse, type OcspVerdict, requestFor } from "../x509/ocsp.ts"
import { type Question, Questions } from "./question.ts"
import { firstMs, refreshMs } from "./schedule.ts"
import type { OcspState } from "./state.ts"

// Certificates that are served go in, what their responders say of them comes out and is kept fresh. Handshakes and passes take what is there and never
// wait. Nothing is known here of Secrets, hosts or nginx.

export interface StaplingOptions extends Upkeep {
  /** tests give their own */
  readonly turns?: Pick<Turns, "isOver" | "next">
}

/** A certificate that is wanted. */
interface Tracked {
  readonly certificate: Certificate
  state: OcspState
  /** attempts in a row that brought nothing */
  failures: number
  /** when the first of them was, ISO 8601, and what it said */
  outage?: { readonly since: string; readonly reason: string }
  cancelTimer: () => void
}

/** Longer than an answer is used in ingress-nginx none is used here. */
const maxValidMs = 3 * 86_400_000

/** With 10 s, 20 s between them: a restart of the responder is nobody's concern. */
const failuresUntilTrouble = 3

/** Staples that come one by one are one change of the configuration. */
const gatheringMs = 500

const responseBytes = 16_384
const requestType = "application/ocsp-request"

/** Knows what may be stapled. */
export class Stapling {
  readonly #options: StaplingOptions
  readonly #questions = new Questions()
  readonly #turns: Pick<Turns, "isOver" | "next">
  /** one after the other */
  readonly #decoding = new Lanes(1, 1)
  readonly #tracked = new Map<string, Tracked>()
  /** of certificates that have not been wanted yet */
  readonly #kept = new Map<string, Staple>()
  #wanted: readonly Certificate[] | undefined
  #states: ReadonlyMap<string, OcspState> | undefined
  #announcement: NodeJS.Timeout | undefined

  constructor(options: StaplingOptions) {
    this.#options = options
    this.#turns = options.turns ?? new Turns()
    for (const [name, text] of options.kept) this.#takeKept(name, stapleIn(text))
    options.signal.addEventListener("abort", () => this.#rest(), { once: true })
  }

  /** What is known so far, by `Certificate.id`. The same object while nothing changes, and so is each state in it. */
  states(): ReadonlyMap<string, OcspState> {
    this.#states ??= new Map([...this.#keptStates(), ...this.#trackedStates()])
    return this.#states
  }

  /** Exactly these certificates are asked about from now on. */
  want(certificates: readonly Certificate[]): void {
    if (certificates === this.#wanted) return
    this.#wanted = certificates
    const ids = new Set(certificates.map(({ id }) => id))
    for (const id of this.#tracked.keys()) if (!ids.has(id)) this.#drop(id)
    const fresh = certificates.filter(({ id }) => !this.#tracked.has(id))
    for (const certificate of fresh) this.#track(certificate, fresh.length)
    for (const id of this.#kept.keys()) this.#drop(id)
  }

  #takeKept(name: string, staple: Staple | undefined): void {
    if (staple?.certificate === name && staple.untilMs > Date.now()) this.#kept.set(name, staple)
    else void this.#options.keeper.drop(name)
  }

  *#keptStates(): Iterable<[string, OcspState]> {
    for (const [id, staple] of this.#kept) yield [id, { staple }]
  }

  *#trackedStates(): Iterable<[string, OcspState]> {
    for (const [id, { state }] of this.#tracked) if (state.staple ?? state.trouble) yield [id, state]
  }

  /** @param together how many begin now */
  #track(certificate: Certificate, together: number): void {
    const staple = this.#kept.get(certificate.id)
    this.#kept.delete(certificate.id)
    const tracked: Tracked = {
      certificate,
      state: staple ? { staple } : {},
      failures: 0,
      cancelTimer: () => {},
    }
    this.#tracked.set(certificate.id, tracked)
    const random = this.#random()
    this.#askIn(tracked, staple ? refreshMs(staple.untilMs - Date.now(), random) : firstMs(together, random))
  }

  #drop(id: string): void {
    const tracked = this.#tracked.get(id)
    const staple = tracked?.state.staple ?? this.#kept.get(id)
    tracked?.cancelTimer()
    this.#tracked.delete(id)
    this.#kept.delete(id)
    this.#states = undefined
    if (staple) void this.#options.keeper.drop(id)
  }

  /** Nothing is asked any more; what is known stays known. */
  #rest(): void {
    clearTimeout(this.#announcement)
    for (const { cancelTimer } of this.#tracked.values()) cancelTimer()
  }

  #askIn(tracked: Tracked, delayMs: number): void {
    tracked.cancelTimer()
    if (this.#options.signal.aborted) return
    const timer = setTimeout(() => void this.#ask(tracked), delayMs)
    tracked.cancelTimer = () => clearTimeout(timer)
  }

  async #ask(tracked: Tracked): Promise<void> {
    const question = await this.#inTurn(() => this.#questions.about(tracked.certificate))
    if (!this.#isTracked(tracked)) return
    switch (question.kind) {
      case "nobody":
        break
      case "impossible":
        this.#tell(tracked, { trouble: question })
        break
      case "ask": {
        const answer = await this.#answer(question)
        if (this.#isTracked(tracked)) this.#take(tracked, question.responder, answer)
        break
      }
      default:
        question satisfies never
    }
  }

  async #answer({ responder: url, inquiry }: Extract<Question, { kind: "ask" }>): Promise<Answer> {
    const request = await this.#inTurn(() => requestFor(inquiry))
    const body = { type: requestType, bytes: request }
    const fetched = await this.#options.fetcher.fetch({ url, body, maxBytes: responseBytes })
    if (fetched.kind === "failed")
      return { bytes: noBytes, verdict: { kind: "unusable", reason: fetched.reason } }
    const { bytes } = fetched
    return { bytes, verdict: await this.#inTurn(() => judgeResponse(inquiry, bytes, Date.now())) }
  }

  /** Decoding takes a millisecond or two: that of thousands must not keep everything else waiting. */
  #inTurn<T>(decode: () => T): Promise<T> {
    return this.#decoding.run("", async () => {
      if (this.#turns.isOver()) await this.#turns.next()
      return decode()
    })
  }

  #isTracked(tracked: Tracked): boolean {
    return this.#tracked.get(tracked.certificate.id) === tracked
  }

  #take(tracked: Tracked, responder: string, { bytes, verdict }: Answer): void {
    switch (verdict.kind) {
      case "good":
        this.#good(tracked, bytes, verdict.untilMs)
        break
      case "revoked":
        this.#revoked(tracked, responder, new Date(verdict.sinceMs).toISOString())
        break
      case "unusable":
        this.#failed(tracked, responder, verdict.reason)
        break
      default:
        verdict satisfies never
    }
  }

  #good(tracked: Tracked, bytes: Uint8Array, untilMs: number): void {
    const staple: Staple = {
      certificate: tracked.certificate.id,
      response: Buffer.from(bytes).toString("base64"),
      untilMs: Math.min(untilMs, Date.now() + maxValidMs),
    }
    this.#recover(tracked)
    this.#tell(tracked, { staple })
    void this.#options.keeper.keep(staple.certificate, JSON.stringify(staple))
    this.#askIn(tracked, refreshMs(staple.untilMs - Date.now(), this.#random()))
  }

  /** No answer is better than this one, for those who are served; clients that care ask for themselves. As nginx and ingress-nginx. */
  #revoked(tracked: Tracked, responder: string, since: string): void {
    this.#recover(tracked)
    this.#tell(tracked, { trouble: { kind: "revoked", responder, since } })
    void this.#options.keeper.drop(tracked.certificate.id)
    this.#askIn(tracked, retryMs(Number.POSITIVE_INFINITY, this.#random()))
  }

  /** What was said before holds as long as it was to hold. */
  #failed(tracked: Tracked, responder: string, reason: string): void {
    tracked.failures += 1
    tracked.outage ??= { since: new Date().toISOString(), reason }
    const { staple, trouble } = tracked.state
    const isTrouble = tracked.failures >= failuresUntilTrouble && trouble?.kind !== "revoked"
    const troubleNow = isTrouble ? ({ kind: "failing", responder, ...tracked.outage } as const) : trouble
    this.#tell(tracked, {
      ...(staple && staple.untilMs > Date.now() && { staple }),
      ...(troubleNow && { trouble: troubleNow }),
    })
    this.#askIn(tracked, retryMs(tracked.failures, this.#random()))
  }

  #recover(tracked: Tracked): void {
    tracked.failures = 0
    delete tracked.outage
  }

  #tell(tracked: Tracked, state: OcspState): void {
    if (isDeepStrictEqual(tracked.state, state)) return
    tracked.state = state
    this.#states = undefined
    this.#announcement ??= setTimeout(() => {
      this.#announcement = undefined
      this.#options.changed()
    }, gatheringMs)
  }

  #random(): number {
    return (this.#options.random ?? Math.random)()
  }
}

interface Answer {
  readonly bytes: Uint8Array
  readonly verdict: OcspVerdict
}

const noBytes = new Uint8Array()

/** It was checked before it was kept; but the machine may have lost its power meanwhile. */
function stapleIn(text: string): Staple | undefined {
  try {
    const { certificate, response, untilMs } = JSON.parse(text)
    return { certificate: String(certificate), response: String(response), untilMs: Number(untilMs) }
  } catch {
    return undefined
  }
}
