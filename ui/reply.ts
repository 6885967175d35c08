import type { IncomingMessage, ServerResponse } from "node:http"
import type { Refusal } from "./api.ts"

/** What is answered. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Scripts and styles are files of ours, nothing else is loaded, asked or framed. Source: CSP level 3. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

const always = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
}

export function json(status: number, value: unknown): Reply {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }
  return { status, headers, body: JSON.stringify(value) }
}

/** @param error a sentence without its dot */
export function refusal(status: number, error: string, headers: Reply["headers"] = {}): Reply {
  const reply = json(status, { error } satisfies Refusal)
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/** To another path here. */
export function redirect(location: string, headers: Reply["headers"] = {}): Reply {
  return { status: 303, headers: { location, "cache-control": "no-store", ...headers }, body: "" }
}

export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const hasBody = request.method !== "HEAD" && reply.status !== 304
  const length = reply.status === 304 ? {} : { "content-length": String(Buffer.byteLength(reply.body)) }
  response.writeHead(reply.status, { ...always, ...reply.headers, ...length })
  response.end(hasBody ? reply.body : undefined)
}
