import type { UserList } from "./access-lists.ts"
import type { Access } from "./route-records.ts"

export type { AddressList, User, UserList } from "./access-lists.ts"
export type {
  Access,
  AccessRule,
  CacheDuration,
  ExternalAuth,
  Header as RequestHeader,
} from "./route-records.ts"

// Who may request a path. Field meanings: docs/wire.md, ACCESS, ADDRESS_LIST, PASSWORD and USER_LIST.

/** Countries and autonomous systems where clients have to be, or must not. */
export type GeoLists = Pick<Access, "allowCountries" | "denyCountries" | "allowAsns" | "denyAsns">

/** A hash is a text of a class of its own, which only that class compares. */
export function isSameUserList(a: UserList, b: UserList): boolean {
  return (
    a.id === b.id &&
    a.users.length === b.users.length &&
    a.users.every((user, at) => user.name === b.users[at]?.name && user.hash.equals(b.users[at].hash))
  )
}
