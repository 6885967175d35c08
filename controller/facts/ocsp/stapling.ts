import type { Certificate, Staple } from "../../model/certificate.ts"
import type { OcspState } from "../../model/ocsp-state.ts"
import { limit } from "../../support/lanes.ts"
import { Turns } from "../../support/turns.ts"
import type { Fetching } from "../fetch/fetching.ts"
import { retryMs } from "../fetch/retry.ts"
import { type Step, Tracker } from "../tracker.ts"
import type { Ocsp, OcspVerdict } from "../x509/ocsp.ts"
import { type Question, Questions } from "./question.ts"
import { firstMs, refreshMs } from "./request-delays.ts"

// Certificates that are served go in, what their responders say of them comes out and is kept fresh. Handshakes and passes take what is there and never
// wait. Nothing is known here of Secrets, hosts or nginx.

export interface StaplingOptions extends Fetching {
  /** what is needed as soon as somebody is asked */
  readonly ocsp: () => Promise<Ocsp>
  /** tests give their own */
  readonly turns?: Pick<Turns, "isOver" | "next">
}

interface Known {
  readonly state: OcspState
  /** attempts in a row that brought nothing */
  readonly failures: number
  /** when the first of them was, ISO 8601, and what it said */
  readonly outage?: { readonly since: string; readonly reason: string }
}

/** Longer than an answer is used in ingress-nginx none is used here. */
const maxValidMs = 3 * 86_400_000

/** With 10 s, 20 s between them: a restart of the responder is nobody's concern. */
const failuresUntilTrouble = 3

/** Staples that come one by one are one change of the configuration. */
const gatherMs = 500

const responseBytes = 16_384
const requestType = "application/ocsp-request"

/** Knows what may be stapled. */
export class Stapling {
  readonly #options: StaplingOptions
  readonly #tracker: Tracker<Certificate, Known, OcspState>
  readonly #questions = new Questions()
  readonly #turns: Pick<Turns, "isOver" | "next">
  /** one after the other */
  readonly #decoding = limit(1)
  /** from the cache, until it is known which certificates are wanted */
  #cached: ReadonlyMap<string, OcspState>
  #wanted: readonly Certificate[] | undefined

  constructor(options: StaplingOptions) {
    this.#options = options
    this.#turns = options.turns ?? new Turns()
    this.#cached = new Map([...options.cached].flatMap(([name, text]) => this.#stateIn(name, text)))
    const { changed, signal } = options
    this.#tracker = new Tracker<Certificate, Known, OcspState>({
      begin: (certificate, together) => this.#begin(certificate, together),
      fetch: (certificate, known) => this.#ask(certificate, known),
      view: ({ state }) => ((state.staple ?? state.trouble) ? state : undefined),
      dropped: (id, { state }) => {
        if (state.staple) this.#forget(id)
      },
      changed,
      gatherMs,
      signal,
    })
  }

  /** What is known so far, by `Certificate.id`. The same object while nothing changes, and so is each state in it. */
  states(): ReadonlyMap<string, OcspState> {
    return this.#wanted === undefined ? this.#cached : this.#tracker.views()
  }

  /** Exactly these certificates are asked about from now on. */
  want(certificates: readonly Certificate[]): void {
    if (certificates === this.#wanted) return
    this.#wanted = certificates
    this.#tracker.want(new Map(certificates.map((certificate) => [certificate.id, certificate])))
    for (const id of this.#cached.keys()) if (!this.#tracker.has(id)) this.#forget(id)
    this.#cached = new Map()
  }

  /** It was checked before it was cached. */
  #stateIn(name: string, text: string): [string, OcspState][] {
    const staple = stapleIn(text)
    if (staple?.certificate === name && staple.untilMs > Date.now()) return [[name, { staple }]]
    this.#forget(name)
    return []
  }

  #forget(id: string): void {
    void this.#options.cache.remove(id)
  }

  #begin({ id }: Certificate, together: number): Step<Known> {
    const state = this.#cached.get(id) ?? {}
    const random = this.#random()
    const dueMs = state.staple
      ? refreshMs(state.staple.untilMs - Date.now(), random)
      : firstMs(together, random)
    return { known: { state, failures: 0 }, dueMs }
  }

  async #ask(certificate: Certificate, known: Known): Promise<Step<Known>> {
    const question = await this.#inTurn((ocsp) => this.#questions.about(certificate, ocsp))
    switch (question.kind) {
      case "nobody":
        return { known }
      case "impossible":
        return { known: { ...known, state: { trouble: question } } }
      case "ask":
        return this.#stepAfter(certificate.id, known, question.responder, await this.#answer(question))
      default:
        return question satisfies never
    }
  }

  async #answer({ responder: url, query }: Extract<Question, { kind: "ask" }>): Promise<Answer> {
    const request = await this.#inTurn(({ requestFor }) => requestFor(query))
    const body = { type: requestType, bytes: request }
    const fetched = await this.#options.fetcher.fetch({ url, body, maxBytes: responseBytes })
    if (fetched.kind === "failed")
      return { bytes: noBytes, verdict: { kind: "unusable", reason: fetched.reason } }
    const { bytes } = fetched
    return {
      bytes,
      verdict: await this.#inTurn(({ judgeResponse }) => judgeResponse(query, bytes, Date.now())),
    }
  }

  /** Decoding takes a millisecond or two: that of thousands must not keep everything else waiting. */
  #inTurn<T>(decode: (ocsp: Ocsp) => T): Promise<T> {
    return this.#decoding(async () => {
      const ocsp = await this.#options.ocsp()
      if (this.#turns.isOver()) await this.#turns.next()
      return decode(ocsp)
    })
  }

  #stepAfter(id: string, known: Known, responder: string, { bytes, verdict }: Answer): Step<Known> {
    switch (verdict.kind) {
      case "good":
        return this.#good(id, bytes, verdict.untilMs)
      case "revoked":
        return this.#revoked(id, responder, new Date(verdict.sinceMs).toISOString())
      case "unusable":
        return this.#failed(known, responder, verdict.reason)
      default:
        return verdict satisfies never
    }
  }

  #good(id: string, bytes: Uint8Array, untilMs: number): Step<Known> {
    const staple: Staple = {
      certificate: id,
      response: Buffer.from(bytes).toString("base64"),
      untilMs: Math.min(untilMs, Date.now() + maxValidMs),
    }
    if (this.#tracker.has(id)) void this.#options.cache.put(id, JSON.stringify(staple))
    const dueMs = refreshMs(staple.untilMs - Date.now(), this.#random())
    return { known: { state: { staple }, failures: 0 }, dueMs }
  }

  /** No answer is better than this one, for those who are served; clients that care ask for themselves. As nginx and ingress-nginx. */
  #revoked(id: string, responder: string, since: string): Step<Known> {
    this.#forget(id)
    const dueMs = retryMs(Number.POSITIVE_INFINITY, this.#random())
    return { known: { state: { trouble: { kind: "revoked", responder, since } }, failures: 0 }, dueMs }
  }

  /** What was said before holds as long as it was to hold. */
  #failed({ state, failures: before, outage }: Known, responder: string, reason: string): Step<Known> {
    const failures = before + 1
    const begun = outage ?? { since: new Date().toISOString(), reason }
    const { staple, trouble } = state
    const isTrouble = failures >= failuresUntilTrouble && trouble?.kind !== "revoked"
    const troubleNow = isTrouble ? ({ kind: "failing", responder, ...begun } as const) : trouble
    const stateNow: OcspState = {
      ...(staple && staple.untilMs > Date.now() && { staple }),
      ...(troubleNow && { trouble: troubleNow }),
    }
    return {
      known: { state: stateNow, failures, outage: begun },
      dueMs: retryMs(failures, this.#random()),
    }
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

/** It was checked before it was cached; but the machine may have lost its power meanwhile. */
function stapleIn(text: string): Staple | undefined {
  try {
    const { certificate, response, untilMs } = JSON.parse(text)
    return { certificate: String(certificate), response: String(response), untilMs: Number(untilMs) }
  } catch {
    return undefined
  }
}
