import { reasonOf, systemCode } from "../../../support/failure.ts"
import { ApiFailure, type ApiRequest } from "../api.ts"
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
  DELETE: "delete",
}

const untrusted =
  "its certificate is of no authority that is trusted: the kubeconfig file or --certificate-authority has to name it"

/** What Node and OpenSSL say more briefly, or in words about Node. */
const sentences: Readonly<Record<string, string>> = {
  ECONNRESET: "the connection breaks",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
}

/** `…:error:0A00010B:SSL routines:function:reason:file in the sources of OpenSSL:…` */
const opensslError = /:error:[^:]*:[^:]*:[^:]*:([^:]+):/

/**
 * Whatever went wrong with a request, in words that lead on.
 *
 * @param signal of the request: if it is aborted, that is why
 */
export function failureOf(request: ApiRequest, error: unknown, signal: AbortSignal): ApiFailure {
  const { method, path, query } = request
  const verb = query?.watch === "true" ? "watch" : verbs[method]
  const message = `Cannot ${verb} ${path} of the API server: ${sentenceOf(error, signal)}`
  const refusal = error instanceof Refused ? error.refusal : { status: 0 }
  return new ApiFailure(message, refusal, { cause: error })
}

function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Refused || error instanceof Garbled) return error.message
  if (signal.aborted) return isTimeUp(signal.reason) ? "it does not answer" : "given up"
  const code = systemCode(error)
  const [, tlsReason] = opensslError.exec(reasonOf(error)) ?? []
  return sentences[code] ?? (tlsReason ? `TLS: ${tlsReason}` : reasonOf(error) || code)
}

function isTimeUp(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError"
}
