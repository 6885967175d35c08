import type { SecretText } from "./secret-file.ts"

// Who may request a path. Field meanings: docs/wire.md, ACCESS, ADDRESS_LIST, PASSWORD and USER_LIST.

/** Networks of clients. What has the same id is the same. */
export interface AddressList {
  readonly id: string
  /** `address/bits`, masked, each once, in byte order; at least one */
  readonly ranges: readonly string[]
}

/** Users with passwords. What has the same id is the same. */
export interface UserList {
  readonly id: string
  /** each name once, in byte order; at least one */
  readonly users: readonly User[]
}

export interface User {
  readonly name: string
  /** as of crypt(3) and nginx */
  readonly hash: SecretText
}

/** Whose passwords let a request in. */
interface PasswordCheck {
  /** `UserList.id` */
  readonly users: string
  /** shown by clients that ask for the password; literal, without control characters */
  readonly realm: string
}

/** The checks of a route; at least one. */
export interface Access {
  /** `AddressList.id` */
  readonly allow?: string
  /** `AddressList.id` */
  readonly deny?: string
  /** absent: every kind of check has to let a request in */
  readonly satisfy?: "any"
  /** by Basic authentication (RFC 7617) */
  readonly basic?: PasswordCheck
  /** the hashes of its users are HA1 of the realm */
  readonly digest?: PasswordCheck
  readonly external?: ExternalAuth
}

/** A service that is asked whether a request gets in. Templates are those of routes. */
export interface ExternalAuth {
  /** named location that passes the question on */
  readonly policy: string
  /** `Backend.name` */
  readonly backend: string
  /** template: path and query */
  readonly target: string
  /** template: Host header, and the server's name in TLS */
  readonly host: string
  /** absent: GET */
  readonly method?: string
  /** sent with the question; in the place of the client's of that name */
  readonly headers?: readonly RequestHeader[]
  /** names of the answer's headers that the backend gets */
  readonly responseHeaders?: readonly string[]
  /** template: where a 401 leads to */
  readonly signin?: string
  /** template; absent: `$request_uri` */
  readonly requestRedirect?: string
  /** false: cookies of the answer go with successful responses and redirects only */
  readonly alwaysSetsCookie: boolean
  /** template; absent: no answer is kept */
  readonly cacheKey?: string
  readonly cacheDurations?: readonly CacheDuration[]
}

export interface CacheDuration {
  /** 0: every other */
  readonly status: number
  readonly seconds: number
}

export interface RequestHeader {
  readonly name: string
  /** template */
  readonly value: string
}

/** A hash is a text of a class of its own, which only that class compares. */
export function isSameUserList(a: UserList, b: UserList): boolean {
  return (
    a.id === b.id &&
    a.users.length === b.users.length &&
    a.users.every((user, at) => user.name === b.users[at]?.name && user.hash.equals(b.users[at].hash))
  )
}
