import type { IncomingHttpHeaders } from "node:http"
import { isRecord } from "../../../model/objects/reader.ts"
import { shown } from "../../../model/shown.ts"

/** Why the API server did not do what it was asked, as ApiFailure has it. */
export interface Refusal {
  readonly status: number
  readonly reason: string
  readonly retryAfterMs?: number
  /** fits behind a colon */
  readonly sentence: string
}

/** Longer ones repeat large parts of an object. */
const maxCharacters = 500

/** Reads the answer of a request that was refused: a Status object, or what something in between says. */
export function readRefusal(status: number, headers: IncomingHttpHeaders, body: string): Refusal {
  const { reason, message, details } = statusObject(body)
  const retryAfterMs =
    waitOf(headers["retry-after"]) ?? waitOf(isRecord(details) ? details.retryAfterSeconds : undefined)
  const text = typeof message === "string" && message !== "" ? message.slice(0, maxCharacters) : shown(body)
  return {
    status,
    reason: typeof reason === "string" ? reason : "",
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    sentence: `it answers ${status}: ${text}`,
  }
}

function statusObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) && value.kind === "Status" ? value : {}
  } catch {
    return {}
  }
}

/** Whole seconds: API servers send no dates. */
function waitOf(value: unknown): number | undefined {
  const seconds = Number(value)
  return value !== undefined && Number.isInteger(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
