import { createHash } from "node:crypto"
import { type IncomingMessage, type RequestOptions, request as requestByHttp } from "node:http"
import { request as requestByTls } from "node:https"
import { isIP } from "node:net"
import { systemCode } from "../../../controller/support/failure.ts"
import type { Netrc } from "../netrc.ts"
import type { DiffRequest } from "../requests/request.ts"
import type { Address } from "../sides.ts"
import type { Answer, Failed } from "./answer.ts"

export interface SendOptions {
  /** for all of an exchange */
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** certificates need not be trusted */
  readonly isInsecure: boolean
  /** PEM of all that are trusted; none: the usual ones */
  readonly authorities: readonly string[]
  readonly credentials: Netrc
}

/** Sends a request to an address that need not be the one of its host, on a connection of its own. Never rejects. */
export function send(request: DiffRequest, address: Address, options: SendOptions): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const start = request.scheme === "https" ? requestByTls : requestByHttp
  const sent = start(optionsFor(request, address, options))
  const failed = (error: Error) => resolve({ kind: "failed", why: reasonFor(error) })
  const timer = setTimeout(() => sent.destroy(new Slow()), options.timeoutMs)
  let sentMs = performance.now()
  sent.once("finish", () => {
    sentMs = performance.now()
  })
  // of a connection that is let go of, too
  sent.on("error", failed)
  sent.once("response", (response) => {
    const waitMs = performance.now() - sentMs
    received(response, options.maxBodyBytes, waitMs).then(resolve, failed)
  })
  // what would change the connection is no answer to this request
  sent.once("upgrade", (response, socket) => {
    socket.on("error", () => {}).destroy()
    resolve(head(response, performance.now() - sentMs))
  })
  sent.end(request.body)
  return promise.finally(() => {
    clearTimeout(timer)
    sent.destroy()
  })
}

class Slow extends Error {}

function optionsFor(request: DiffRequest, { host, port }: Address, options: SendOptions): RequestOptions {
  const { host: name, method, target, headers, body, hasCredentials } = request
  const authorization = hasCredentials ? options.credentials.authorizationFor(name) : undefined
  const common: RequestOptions = {
    host,
    port,
    method,
    path: target,
    agent: false,
    setHost: false,
    headers: {
      host: name,
      "user-agent": "wick-diff",
      accept: "*/*",
      ...headers,
      ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
      ...(authorization !== undefined && { authorization }),
    },
  }
  return request.scheme === "https" ? { ...common, ...tlsOptions(name, options) } : common
}

/** No address goes as a server's name (RFC 6066, section 3). */
export function tlsOptions(name: string, { isInsecure, authorities }: SendOptions) {
  return {
    servername: isIP(name.replace(/^\[|\]$/g, "")) === 0 ? name : "",
    rejectUnauthorized: !isInsecure,
    ...(authorities.length > 0 && { ca: [...authorities] }),
  }
}

async function received(response: IncomingMessage, maxBytes: number, waitMs: number): Promise<Answer> {
  const hash = createHash("sha256")
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, maxBytes - bytes)
    hash.update(part)
    bytes += part.length
    if (part.length < chunk.length)
      return { ...head(response, waitMs), body: { sha256: hash.digest("hex"), bytes, isCut: true } }
  }
  return { ...head(response, waitMs), body: { sha256: hash.digest("hex"), bytes, isCut: false } }
}

function head({ statusCode: status = 0, rawHeaders }: IncomingMessage, waitMs: number) {
  const headers = new Map<string, string[]>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ""
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[at + 1] ?? ""])
  }
  const body = { sha256: "", bytes: 0, isCut: false }
  return { kind: "received", status, headers, body, waitMs } as const
}

const unreachable = /^(?:EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|ENETDOWN|EACCES)$/
const untrusted = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|INVALID_CA|HOSTNAME_MISMATCH)/

export function reasonFor(error: Error): Failed["why"] {
  const code = systemCode(error)
  if (error instanceof Slow || code === "ETIMEDOUT") return "slow"
  if (code === "ECONNREFUSED") return "refused"
  if (unreachable.test(code)) return "unreachable"
  if (untrusted.test(code)) return "untrusted"
  if (code.startsWith("ERR_SSL") || code === "EPROTO" || code.startsWith("ERR_TLS")) return "handshake"
  return code.startsWith("HPE_") ? "unreadable" : "reset"
}
