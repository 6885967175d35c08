import type { Reader } from "../reader.ts"
import { readToken, readValue } from "./names.ts"

/** What a request has to be, all of it. */
export interface HttpMatch {
  readonly path: PathMatch
  readonly headers: readonly ValueMatch[]
  readonly query: readonly ValueMatch[]
  /** "": any */
  readonly method: string
}

export interface PathMatch {
  readonly type: "Exact" | "PathPrefix" | "RegularExpression"
  readonly value: string
}

/** Of a header or a query parameter. */
export interface ValueMatch {
  readonly type: "Exact" | "RegularExpression"
  readonly name: string
  readonly value: string
}

/** Of a rule that says nothing of matches: every request. */
export const anyRequest: HttpMatch = {
  path: { type: "PathPrefix", value: "/" },
  headers: [],
  query: [],
  method: "",
}

export const methods = [
  ...["GET", "HEAD", "POST", "PUT", "DELETE"],
  ...["CONNECT", "OPTIONS", "TRACE", "PATCH"],
]

const pathTypes = ["Exact", "PathPrefix", "RegularExpression"] as const
export const valueTypes = ["Exact", "RegularExpression"] as const

const plainPath = /^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+$/
const unclear = /\/\/|\/\.\.?\/|\/\.\.?$|%2f/i

export function readHttpMatch(at: Reader): HttpMatch | undefined {
  const path = at.has("path") ? at.required("path", readPath) : anyRequest.path
  const method = at.text("method")
  if (method !== "" && !methods.includes(method))
    at.refuse("method", "type-wrong", `has to be ${methods.join(" or ")}`)
  const headers = at.every("headers", readValueMatch)
  const query = at.every("queryParams", readValueMatch)
  return path && at.accepted({ path, headers, query, method })
}

function readPath(at: Reader): PathMatch | undefined {
  const type = at.oneOf("type", pathTypes, "PathPrefix")
  const value = at.text("value", "/")
  if (type !== "RegularExpression" && !isPath(value))
    at.refuse(
      "value",
      "path-refused",
      'has to begin with "/" and be a path as clients write it, without "//", "/./", "/../" and "%2F"',
    )
  if (value.length > 1024) at.refuse("value", "path-refused", "has to be at most 1024 characters")
  return at.accepted({ type, value })
}

function isPath(value: string): boolean {
  return value.startsWith("/") && plainPath.test(value) && !unclear.test(value)
}

export function readValueMatch(at: Reader): ValueMatch | undefined {
  return at.accepted({
    type: at.oneOf("type", valueTypes, "Exact"),
    name: readToken(at, "name"),
    value: readValue(at, "value"),
  })
}
