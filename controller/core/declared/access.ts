import type { AccessRule, AddressList, GeoLists, UserList } from "../../model/access.ts"
import type { DeclaredAuth } from "./external-auth.ts"

/** Who may request a path. */
export interface RouteAccess {
  /** nobody: every request gets 503 */
  readonly isClosed: boolean
  /** absent: everybody */
  readonly allow?: AddressList
  /** also of those that are allowed */
  readonly deny?: AddressList
  /** of those whom the lists leave: the first that fits decides; absent: nobody else is refused */
  readonly rules?: readonly AccessRule[]
  /** where clients have to be; absent: anywhere */
  readonly geo?: GeoLists
  /** one kind of check that lets a request in is enough */
  readonly needsOneOnly?: true
  /** whose passwords are asked for; absent: nobody's */
  readonly basic?: RoutePassword
  /** who has to prove to know a password; absent: nobody */
  readonly digest?: RoutePassword
  /** a service that is asked */
  readonly external?: DeclaredAuth
}

export interface RoutePassword {
  readonly users: UserList
  readonly realm: string
}

export function passwordsOf({ basic, digest }: RouteAccess): readonly RoutePassword[] {
  return [basic, digest].filter((password) => password !== undefined)
}

/** Of a path that everybody may request: one object for all of them. */
export const openAccess: RouteAccess = { isClosed: false }
export const closedAccess: RouteAccess = { isClosed: true }

/** The lists of addresses that it goes by. */
export function listsOf({ allow, deny }: Pick<RouteAccess, "allow" | "deny">): readonly AddressList[] {
  return [allow, deny].filter((list) => list !== undefined)
}
