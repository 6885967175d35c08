import type { PostedAccess } from "../output/control/posted.ts"
import { isInRange } from "../support/address-range.ts"
import { missingNote, networks } from "./networks.ts"

/** Who may request a route: its checks, with the lists that they go by. */
export interface Checks {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** a password is asked for, by Basic or by Digest authentication */
  readonly basic?: Users
  readonly digest?: Users
  /** an authentication service is asked */
  readonly external?: { readonly host: string; readonly target: string; readonly backend: string }
  readonly satisfy: "all" | "any"
  /** ids of lists that are not in force: then nobody gets in */
  readonly missing: readonly Missing[]
  /** absent: nobody was asked about */
  readonly client?: Verdict
}

interface Users {
  readonly realm: string
  /** their names */
  readonly users: readonly string[]
}

interface Missing {
  readonly kind: "address" | "user"
  readonly id: string
}

/** What the checks say about one client. */
interface Verdict {
  readonly address: string
  /** absent: it gets in, or `needs` decides */
  readonly status?: 403 | 503
  /** what else a request has to bring, or one of it that is enough */
  readonly needs: readonly string[]
  readonly because: string
}

/** What has to be asked of what runs: `undefined` for a list that is not in force. */
export interface Lists {
  /** the networks of an address list */
  readonly addresses: (id: string) => Promise<readonly string[] | undefined>
  /** the names of a user list */
  readonly users: (id: string) => Promise<readonly string[] | undefined>
}

/** @param client its address */
export async function checksOf(posted: PostedAccess, lists: Lists, client?: string): Promise<Checks> {
  const { allow: allowId, deny: denyId, satisfy = "all", basic, digest, external } = posted
  const [allow, deny] = await Promise.all(
    [allowId, denyId].map((id) => (id === undefined ? undefined : lists.addresses(id))),
  )
  const [basicUsers, digestUsers] = await Promise.all(
    [basic, digest].map((password) => password && lists.users(password.users)),
  )
  const missing = [
    ...missingOf("address", allowId, allow),
    ...missingOf("address", denyId, deny),
    ...missingOf("user", basic?.users, basicUsers),
    ...missingOf("user", digest?.users, digestUsers),
  ]
  const checks = {
    ...(allow && { allow }),
    ...(deny && { deny }),
    ...(basic && basicUsers && { basic: { realm: basic.realm, users: basicUsers } }),
    ...(digest && digestUsers && { digest: { realm: digest.realm, users: digestUsers } }),
    ...(external && {
      external: { host: external.host, target: external.target, backend: external.backend },
    }),
    satisfy,
    missing,
  }
  return client === undefined ? checks : { ...checks, client: verdictOn(client, checks) }
}

function missingOf(kind: Missing["kind"], id: string | undefined, list: unknown): readonly Missing[] {
  return id === undefined || list !== undefined ? [] : [{ kind, id }]
}

/** As nginx/access combines them: addresses first, and then what the address has not settled. */
function verdictOn(address: string, checks: Omit<Checks, "client">): Verdict {
  const [missing] = checks.missing
  if (missing !== undefined)
    return { address, status: 503, needs: [], because: `${missing.kind} list ${missing.id} is not in force` }
  const { says, because } = addressSays(address, checks)
  const others = [
    ...(checks.basic || checks.digest ? ["a password"] : []),
    ...(checks.external ? ["the authentication service"] : []),
  ]
  const isSettled = checks.satisfy === "any" ? says === "granted" : says === "refused"
  const needs = isSettled ? [] : others
  return says === "refused" && needs.length === 0
    ? { address, status: 403, needs, because }
    : { address, needs, because }
}

/** Who is denied stays out although allowed. */
function addressSays(address: string, { allow, deny }: Pick<Checks, "allow" | "deny">) {
  const denied = deny?.find((range) => isInRange(address, range))
  if (denied !== undefined) return { says: "refused", because: `${denied} is denied` } as const
  if (allow === undefined)
    return {
      says: "nothing",
      because: deny ? "it is in no denied network" : "addresses do not matter",
    } as const
  const allowed = allow.find((range) => isInRange(address, range))
  return allowed === undefined
    ? ({ says: "refused", because: "it is in no allowed network" } as const)
    : ({ says: "granted", because: `${allowed} is allowed` } as const)
}

export function checkNotes(checks: Checks): string[] {
  const { allow, deny, basic, digest, external, satisfy, missing, client } = checks
  return [
    ...missing.map(({ kind, id }) => missingNote(kind, id)),
    ...(deny === undefined ? [] : [`not for ${networks(deny)}`]),
    ...(allow === undefined ? [] : [`only for ${networks(allow)}`]),
    ...(basic === undefined ? [] : [`password of ${usersText(basic)}`]),
    ...(digest === undefined ? [] : [`password of ${usersText(digest)}, by Digest`]),
    ...(external === undefined
      ? []
      : [`${external.host}${external.target} is asked, backend ${external.backend}`]),
    ...(satisfy === "any" ? ["one kind of check is enough"] : []),
    ...(client === undefined ? [] : [clientNote(client, satisfy)]),
  ]
}

function usersText({ users, realm }: Users): string {
  return `${users.length === 1 ? `user ${users[0]}` : `one of ${users.length} users`}, realm "${realm}"`
}

function clientNote({ address, status, needs, because }: Verdict, satisfy: Checks["satisfy"]): string {
  if (status !== undefined) return `${address} gets ${status}: ${because}`
  if (needs.length === 0) return `${address} gets in: ${because}`
  return `${address} gets in by ${needs.join(satisfy === "any" ? " or " : " and ")}: ${because}`
}
