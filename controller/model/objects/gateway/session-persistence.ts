import type { Reader } from "../reader.ts"
import { isToken, readDuration } from "./names.ts"

/** Requests of a client that go to one endpoint. */
export interface SessionPersistence {
  readonly type: "Cookie" | "Header"
  /** of the cookie or header; "": any that is free */
  readonly name: string
  /** absent: as long as nobody ends it */
  readonly absoluteTimeoutMs?: number
  readonly isPermanent: boolean
  /** of the cookie; "": every one */
  readonly path: string
}

export function readSessionPersistence(at: Reader): SessionPersistence | undefined {
  const type = at.oneOf("type", ["Cookie", "Header"], "Cookie")
  const timeoutMs = readDuration(at, "absoluteTimeout")
  const named = at.expected(type === "Cookie" ? "cookie" : "header", (part) =>
    part.accepted({
      name: part.text("name"),
      path: readCookiePath(part),
      isPermanent: part.oneOf("lifetimeType", ["Session", "Permanent"], "Session") === "Permanent",
    }),
  )
  const { name, path, isPermanent } = named ?? { name: "", path: "", isPermanent: false }
  if (name !== "" && !isToken(name))
    at.refuse("", "token-bad", "has a name that no cookie or header can have")
  return at.accepted({
    ...{ type, name, path, isPermanent },
    ...(timeoutMs !== undefined && { absoluteTimeoutMs: timeoutMs }),
  })
}

/** Nothing that would end the attribute of a cookie (RFC 6265, 4.1.1). */
function readCookiePath(at: Reader): string {
  const path = at.text("path")
  if (path !== "" && (path.length > 1024 || !/^\/[\x21-\x3a\x3c-\x7e]*$/.test(path)))
    at.refuse("path", "path-refused", 'has to begin with "/" and be without blanks and ";"')
  return path
}
