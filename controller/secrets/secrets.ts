import type { Secret } from "../objects/secret.ts"
import { expiryOf, nextLineMs } from "./expiry.ts"
import { readTlsSecret } from "./read.ts"
import type { TlsSecret, TlsSecretState } from "./tls-secret.ts"

// Secrets go in, what each of them brings for TLS comes out: read once for each version, the last good version kept when a newer one cannot
// be used. Nothing is known here of Ingresses or of nginx.

export interface SecretsOptions {
  /** milliseconds since 1970 */
  readonly now: () => number
  /** some certificate has come close to its end, or has come to it */
  readonly changed: () => void
  readonly signal: AbortSignal
}

interface Known {
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
  #known: ReadonlyMap<string, Known> = new Map()
  #secrets: ReadonlyMap<string, Secret> | undefined
  #untilMs = never
  #states: States = new Map()
  #cancelTimer = () => {}

  constructor(options: SecretsOptions) {
    this.#options = options
    options.signal.addEventListener("abort", () => this.#cancelTimer(), { once: true })
  }

  /**
   * What these Secrets bring now; the same object while nothing changes, and so is each state in it. What is no longer among them is
   * forgotten.
   */
  read(secrets: ReadonlyMap<string, Secret>): States {
    const nowMs = this.#options.now()
    if (secrets === this.#secrets && nowMs < this.#untilMs) return this.#states
    this.#secrets = secrets
    const before = this.#known
    const known = [...secrets].map(
      ([name, secret]) => [name, knownOf(secret, before.get(name), nowMs)] as const,
    )
    this.#known = new Map(known)
    this.#untilMs = known.reduce((least, [, { untilMs }]) => Math.min(least, untilMs), never)
    const isSame =
      known.length === before.size && known.every(([name, { state }]) => before.get(name)?.state === state)
    if (!isSame) this.#states = new Map(known.map(([name, { state }]) => [name, state]))
    this.#wait()
    return this.#states
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

function knownOf(version: Secret, before: Known | undefined, nowMs: number): Known {
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
    last.secret.pair?.certificate.id === fresh.secret.pair?.certificate.id &&
    last.secret.authority?.id === fresh.secret.authority?.id &&
    last.expiry === fresh.expiry &&
    last.stale === undefined
  return isSame ? last : fresh
}
