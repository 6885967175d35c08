import { reasonOf, systemCode } from "../../support/failure.ts"
import { ApiFailure, type ApiRequest } from "../api.ts"
import type { Patience } from "./patience.ts"
import type { Refusal } from "./refusal.ts"

/** An answer that cannot be used as it is; the message fits behind a colon. */
export class Garbled extends Error {}

/** The server's answer to a request that it does not carry out. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.sentence)
    this.refusal = refusal
  }
}

const verbs: Readonly<Record<ApiRequest["method"], string>> = {
  GET: "read",
  POST: "create",
  PUT: "write",
  PATCH: "change",
}

/** Whatever went wrong with a request, in words of which everybody needs the same few. */
export function failureOf(request: ApiRequest, error: unknown, patience: Patience): ApiFailure {
  const { method, path, query } = request
  const verb = query?.watch === "true" ? "watch" : verbs[method]
  const message = `Cannot ${verb} ${path} of the API server: ${sentenceOf(error, patience)}`
  const refusal = error instanceof Refused ? error.refusal : { status: 0 }
  return new ApiFailure(message, refusal, { cause: error })
}

function sentenceOf(error: unknown, { ranOut, signal }: Patience): string {
  if (error instanceof Refused || error instanceof Garbled) return error.message
  if (ranOut) return "it does not answer"
  if (signal.aborted) return "given up"
  if (systemCode(error) === "ECONNRESET") return "the connection breaks"
  return reasonOf(error) || systemCode(error)
}
