import type { ObjectName } from "../../../controller/model/problem.ts"

export type Scheme = "http" | "https"

/** A request that both sides get. */
export interface DiffRequest {
  readonly scheme: Scheme
  /** of the Host header, and in TLS the server's name; lower-case */
  readonly host: string
  /** path and arguments, as they are sent */
  readonly target: string
  readonly method: string
  /** besides Host; names in lower case */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** it goes with the user name and password that are known for its host, if there are any */
  readonly hasCredentials?: true
  /** what it is to show, for people */
  readonly about: string
  /** whose path it was made for; absent: it comes from a log */
  readonly ingress?: ObjectName
}

/** Two requests with the same key are the same, whatever they are about. */
export function keyOf(request: DiffRequest): string {
  const { scheme, host, target, method, headers, body = "", hasCredentials = false } = request
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([scheme, host, target, method, sorted, body, hasCredentials])
}

/** Methods that change nothing on a server (RFC 9110, 9.2.1). */
export function isReadOnly(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS"
}

/** Whether it can be sent as it is: visible ASCII, nothing that would end a line, and no tunnel. */
export function isSendable({ host, target, method, headers }: DiffRequest): boolean {
  return (
    /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])$/.test(host) &&
    /^(?:\/[\x21-\x7e]{0,8191}|\*)$/.test(target) &&
    /^(?!CONNECT$)[A-Z]{1,20}$/.test(method) &&
    Object.entries(headers).every(
      ([name, value]) => /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) && /^[\t\x20-\x7e]{0,16384}$/.test(value),
    )
  )
}
