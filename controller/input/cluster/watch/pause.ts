import { type Backoff, backoffMs, type Jitter, jitteredMs } from "../../../support/backoff.ts"
import type { Failure } from "../../../support/failure.ts"
import { ApiFailure } from "../api.ts"
import type { Cause } from "./observer.ts"

/** Every kind has a watch of its own, and many controllers lose the same API server at once. */
const jitter: Jitter = [0.5, 1.5]

/** Traffic may wait for what is missed meanwhile, so even after an outage of hours the server is noticed within 15 s. */
const usual: Backoff = { firstMs: 200, maxMs: 10_000, jitter }

/** Rights are given by people; but an API server that has just started knows of none yet, for a moment, and answers 403 to everybody. */
const denied: Backoff = { firstMs: 200, maxMs: 40_000, jitter }

/** A server that wants to be left alone for longer is wrong, or is no longer the one that said so. */
const maxRetryAfterMs = 300_000
const retryAfterJitter: Jitter = [1, 1.2]

/** @param hasAnswered whether the server had begun to answer with status 200 */
export function causeOf(failure: Failure, hasAnswered: boolean): Cause {
  if (!(failure instanceof ApiFailure)) return "malformed"
  const { status, reason } = failure
  if (status === 0) return hasAnswered ? "cut" : "unreachable"
  if (status === 410 || reason === "Expired" || reason === "Gone") return "expired"
  if (status === 401 || status === 403) return "denied"
  if (status === 429) return "throttled"
  return status >= 500 ? "server" : "refused"
}

/**
 * Milliseconds to wait after `failures` attempts, at least 1, that failed for the same cause.
 *
 * @param random 0 ≤ value < 1
 * @param retryAfterMs what the server asks for, if anything
 */
export function pauseMs(cause: Cause, failures: number, random: number, retryAfterMs = 0): number {
  const ownMs = backoffMs(cause === "denied" ? denied : usual, failures, random)
  return Math.max(ownMs, jitteredMs(Math.min(retryAfterMs, maxRetryAfterMs), retryAfterJitter, random))
}
