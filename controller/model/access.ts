import type { SecretText } from "./secret-file.ts"

export type {
  Access,
  AccessRule,
  CacheDuration,
  ExternalAuth,
  Header as RequestHeader,
} from "./route-records.ts"

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

/** A hash is a text of a class of its own, which only that class compares. */
export function isSameUserList(a: UserList, b: UserList): boolean {
  return (
    a.id === b.id &&
    a.users.length === b.users.length &&
    a.users.every((user, at) => user.name === b.users[at]?.name && user.hash.equals(b.users[at].hash))
  )
}
