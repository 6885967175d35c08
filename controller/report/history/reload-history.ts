export interface Reload {
  readonly atMs: number
  /** how long nginx took to go on with it; absent: it was not measured */
  readonly ms?: number
  /** `failed`: what was in force stayed. `died`: nginx itself; a start follows */
  readonly kind: "start" | "reload" | "failed" | "died"
  /** what differed; none at a start */
  readonly reasons: readonly string[]
  /** of the configuration that it led to */
  readonly hash?: string
  /** why it failed, or how it died */
  readonly error?: string
}

/** Of a controller that reloads every minute, the last hours. */
const maxKept = 100

/** What made nginx go on with another configuration, and what it did not take; since the controller was started. */
export class ReloadHistory {
  #kept: readonly Reload[] = []
  #total = 0

  /** The newest first. */
  get kept(): readonly Reload[] {
    return this.#kept
  }

  /** How many came through. */
  get total(): number {
    return this.#total
  }

  /** @param reasons none at a start */
  reloaded(reasons: readonly string[], facts: Pick<Reload, "ms" | "hash"> = {}, nowMs = Date.now()): void {
    this.#total += 1
    this.#add({ atMs: nowMs, kind: reasons.length === 0 ? "start" : "reload", reasons, ...facts })
  }

  /** @param error why: a sentence. The same one again, as every retry has it, is kept once */
  failed(reasons: readonly string[], error: string, nowMs = Date.now()): void {
    const [last, ...others] = this.#kept
    if (last?.kind === "failed" && last.error === error) this.#kept = others
    this.#add({ atMs: nowMs, kind: "failed", reasons, error })
  }

  died(how: string, nowMs = Date.now()): void {
    this.#add({ atMs: nowMs, kind: "died", reasons: [], error: how })
  }

  #add(reload: Reload): void {
    this.#kept = [reload, ...this.#kept].slice(0, maxKept)
  }
}
