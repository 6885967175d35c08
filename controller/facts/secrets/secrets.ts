import { isSameCertificate } from "../../model/certificate.ts"
import type { Secret } from "../../model/objects/secret.ts"
import type { TlsSecret, TlsSecretState } from "../../model/tls-secret.ts"
import { isSameById } from "../../support/content-name.ts"
import { Turns } from "../../support/turns.ts"
import { expiryOf, nextLineMs } from "./expiry.ts"
import { readTlsSecret } from "./read.ts"

// Secrets go in, what each of them brings for TLS comes out: read once for each version, the last good version kept when a newer one cannot
// be used. Nothing is known here of Ingresses or of nginx.

export interface SecretsOptions {
  /** milliseconds since 1970 */
  readonly now: () => number
  /** some certificate has come close to its end, or has come to it */
  readonly changed: () => void
  readonly signal: AbortSignal
}

/** A version of a Secret that has been read. */
export interface Known {
  readonly version: Secret
  readonly state: TlsSecretState
  /** when time alone makes another state of it */
  readonly untilMs: number
}

type States = ReadonlyMap<string, TlsSecretState>

/** A timer cannot wait longer. Source: Node.js, setTimeout. */
const longestTimerMs = 2 ** 31 - 1

const never = Number.POSITIVE_INFINITY

/** Knows what the Secrets that are in use bring for TLS. */
export class Secrets {
  readonly #options: SecretsOptions
  readonly #known = new Map<string, Known>()
  #secrets: ReadonlyMap<string, Secret> | undefined
  #untilMs = never
  #states: States = new Map()
  #cancelTimer = () => {}

  constructor(options: SecretsOptions) {
    this.#options = options
    options.signal.addEventListener("abort", () => this.#cancelTimer(), { once: true })
  }

  /** What the Secrets that were read last bring. The same object while nothing changes, and so is each state in it. */
  states(): States {
    return this.#states
  }

  /**
   * Reads these Secrets, as far as they are other versions than before; what is no longer among them is forgotten. Others have their turn while
   * that takes long. Must not be called again before it has ended.
   */
  async read(secrets: ReadonlyMap<string, Secret>): Promise<void> {
    const nowMs = this.#options.now()
    if (secrets === this.#secrets && nowMs < this.#untilMs) return
    const turns = new Turns()
    for (const [name, secret] of secrets) {
      const before = this.#known.get(name)
      if (before?.version === secret && nowMs < before.untilMs) continue
      if (turns.isOver()) await turns.next()
      this.#known.set(name, knownOf(secret, before, nowMs))
    }
    for (const name of this.#known.keys()) if (!secrets.has(name)) this.#known.delete(name)
    this.#secrets = secrets
    this.#note()
    this.#wait()
  }

  #note(): void {
    const states = new Map(this.#states)
    let isSame = true
    this.#untilMs = never
    for (const [name, { state, untilMs }] of this.#known) {
      this.#untilMs = Math.min(this.#untilMs, untilMs)
      if (states.get(name) === state) continue
      states.set(name, state)
      isSame = false
    }
    if (isSame && states.size === this.#known.size) return
    for (const name of states.keys()) if (!this.#known.has(name)) states.delete(name)
    this.#states = states
  }

  #wait(): void {
    this.#cancelTimer()
    const { now, changed, signal } = this.#options
    if (signal.aborted || this.#untilMs === never) return
    const ring = () => (now() < this.#untilMs ? this.#wait() : changed())
    const timer = setTimeout(ring, Math.min(this.#untilMs - now(), longestTimerMs))
    timer.unref()
    this.#cancelTimer = () => clearTimeout(timer)
  }
}

/**
 * What is known of a Secret now.
 *
 * @param before what was known of it
 */
export function knownOf(version: Secret, before: Known | undefined, nowMs: number): Known {
  if (before?.version === version && nowMs < before.untilMs) return before
  const state = stateOf(version, before, nowMs)
  return { version, state, untilMs: nextLineMs(state.kind === "usable" ? state.secret : {}, nowMs) }
}

function stateOf(version: Secret, before: Known | undefined, nowMs: number): TlsSecretState {
  const last = before?.state
  if (before?.version === version && last?.kind === "usable") return usable(last.secret, nowMs, last.stale)
  const reading = readTlsSecret(version)
  if (reading.kind === "read") return sameAs(last, usable(reading.secret, nowMs))
  if (last?.kind === "usable") return usable(last.secret, nowMs, { reason: reading.reason })
  return reading
}

function usable(
  secret: TlsSecret,
  nowMs: number,
  stale?: { readonly reason: string },
): Extract<TlsSecretState, { kind: "usable" }> {
  const expiry = expiryOf(secret, nowMs)
  return { kind: "usable", secret, ...(expiry && { expiry }), ...(stale && { stale }) }
}

/** A Secret may be written anew with what it had. */
function sameAs(last: TlsSecretState | undefined, fresh: TlsSecretState): TlsSecretState {
  if (last?.kind !== "usable" || fresh.kind !== "usable") return fresh
  const isSame =
    isSameThing(last.secret.pair?.certificate, fresh.secret.pair?.certificate, isSameCertificate) &&
    isSameThing(last.secret.authority, fresh.secret.authority) &&
    last.expiry === fresh.expiry &&
    last.stale === undefined
  return isSame ? last : fresh
}

function isSameThing<T extends { readonly id: string }>(
  a: T | undefined,
  b: T | undefined,
  isSame?: (a: T, b: T) => boolean,
): boolean {
  return a === undefined || b === undefined ? a === b : isSameById(a, b, isSame)
}
