// Printed by `npm run wire` from wire/: change it there.

import type { SecretText } from "./secret-file.ts"

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

/** One of them. */
export interface User {
  readonly name: string
  /** as of crypt(3) and nginx */
  readonly hash: SecretText
}
