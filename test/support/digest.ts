// What a client of Digest authentication sends (RFC 7616), and lines of files of its users.
import { createHash } from "node:crypto"

export type Algorithm = "MD5" | "SHA-256"

export function hash(algorithm: Algorithm, ...parts: readonly string[]): string {
  return createHash(algorithm === "MD5" ? "md5" : "sha256")
    .update(parts.join(":"))
    .digest("hex")
}

export interface User {
  readonly user: string
  readonly password: string
  readonly algorithm: Algorithm
  readonly realm: string
}

export function userLine({ user, password, algorithm, realm }: User): string {
  return `${user}:${realm}:${hash(algorithm, user, realm, password)}`
}

export interface Proof extends Partial<Omit<User, "realm">>, Pick<User, "realm"> {
  readonly nonce: string
  readonly path?: string
  readonly method?: string
  readonly count?: number
}

/** Latin-1, as HTTP/1.1 headers go. */
export function proof({
  user = "ada",
  password = "sesame",
  algorithm = "MD5",
  path = "/",
  realm,
  nonce,
  ...more
}: Proof): string {
  const nc = (more.count ?? 1).toString(16).padStart(8, "0")
  const a1 = hash(algorithm, user, realm, password)
  const a2 = hash(algorithm, more.method ?? "GET", path)
  const response = hash(algorithm, a1, nonce, nc, "c", "auth", a2)
  const quoted = Buffer.from(realm).toString("latin1").replace(/["\\]/g, "\\$&")
  return `Digest username="${user}", realm="${quoted}", nonce="${nonce}", uri="${path}", algorithm=${algorithm}, qop=auth, nc=${nc}, cnonce="c", response="${response}"`
}
