/** What `GET /healthz` says. */
export type Verdict = { readonly kind: "healthy" } | { readonly kind: "unhealthy"; readonly reason: string }

/**
 * Whether this instance should get traffic: from the first complete sync on until shutdown begins, while nginx runs.
 * Source: ingress-nginx answers 500 likewise when it shuts down or the proxy's process is gone.
 */
export class Health {
  readonly #isNginxRunning: () => boolean
  #isSynced = false
  #isStopping = false

  constructor(isNginxRunning: () => boolean) {
    this.#isNginxRunning = isNginxRunning
  }

  /** nginx serves everything that was there at the start. */
  synced(): void {
    this.#isSynced = true
  }

  /** From now on no new traffic is wanted; there is no way back. */
  stopping(): void {
    this.#isStopping = true
  }

  verdict(): Verdict {
    if (this.#isStopping) return { kind: "unhealthy", reason: "the controller is shutting down" }
    if (!this.#isSynced) return { kind: "unhealthy", reason: "the first synchronisation is not complete" }
    if (!this.#isNginxRunning()) return { kind: "unhealthy", reason: "nginx does not run" }
    return { kind: "healthy" }
  }
}
