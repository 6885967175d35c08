import type { Declare } from "../support/declare.ts"

/** How reloads went. The names of the first ones mean what they mean in ingress-nginx. */
export interface ReloadMetrics {
  /** A reload is in force. @param hash any number below 2^53 that tells configurations apart @param atMs milliseconds since 1970 */
  reloaded(hash: number, atMs: number): void
  /** @param reasons parts of the configuration, and other words that are not beyond number */
  reloadedFor(reasons: readonly string[]): void
  reloadFailed(): void
  /** After a failure the wanted configuration is the one in force again. */
  reloadNotNeeded(hash: number): void
}

export function reloadMetrics(declare: Declare): ReloadMetrics {
  const configHash = declare.gauge(
    "nginx_ingress_controller_config_hash",
    "Hash of the configuration in force",
  )
  const isReloaded = declare.gauge(
    "nginx_ingress_controller_config_last_reload_successful",
    "1 when the last reload worked",
  )
  const reloadedAt = declare.gauge(
    "nginx_ingress_controller_config_last_reload_successful_timestamp_seconds",
    "Time of the last reload that worked",
  )
  const successes = declare.counter("nginx_ingress_controller_success", "Reloads that worked")
  const errors = declare.counter("nginx_ingress_controller_errors", "Reloads that failed")
  const reloads = declare.counter(
    "wick_reloads_total",
    "Reloads that worked, by what made each of them necessary: one with several reasons counts for each",
    ["reason"],
  )
  return {
    reloaded(hash, atMs) {
      configHash.set(hash)
      isReloaded.set(1)
      reloadedAt.set(atMs / 1000)
      successes.inc()
    },
    reloadedFor(reasons) {
      for (const reason of new Set(reasons)) reloads.inc({ reason })
    },
    reloadFailed() {
      configHash.set(0)
      isReloaded.set(0)
      errors.inc()
    },
    reloadNotNeeded(hash) {
      configHash.set(hash)
      isReloaded.set(1)
    },
  }
}
