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
  /** of the cookie; "": that of the route */
  readonly path: string
}

export function readSessionPersistence(at: Reader): SessionPersistence | undefined {
  const type = at.oneOf("type", ["Cookie", "Header"], "Cookie")
  const timeoutMs = readDuration(at, "absoluteTimeout")
  const named = at.expected(type === "Cookie" ? "cookie" : "header", (part) =>
    part.accepted({
      name: part.text("name"),
      path: part.text("path"),
      isPermanent: part.oneOf("lifetimeType", ["Session", "Permanent"], "Session") === "Permanent",
    }),
  )
  const { name, path, isPermanent } = named ?? { name: at.text("sessionName"), path: "", isPermanent: false }
  if (name !== "" && !isToken(name))
    at.refuse("", "token-bad", "has a name that no cookie or header can have")
  return at.accepted({
    ...{ type, name, path, isPermanent },
    ...(timeoutMs !== undefined && { absoluteTimeoutMs: timeoutMs }),
  })
}
