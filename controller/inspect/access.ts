import type { AccessRule, GeoLists } from "../model/access.ts"
import type { PostedAccess } from "../output/control/posted.ts"
import { type Client, ruleText, type Verdict, verdictOn } from "./client-verdict.ts"
import { geoListsOf, geoNotes, neededPlace } from "./geo-notes.ts"
import { missingNote, networks } from "./networks.ts"

/** The access checks of a route, with the lists that they go by. */
export interface Checks {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** of those whom the lists do not refuse: the first that fits decides */
  readonly rules?: readonly AccessRule[]
  /** where clients have to be */
  readonly geo?: GeoLists
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

/** What has to be asked of what runs: `undefined` for a list that is not in force. */
export interface Lists {
  /** the networks of an address list */
  readonly addresses: (id: string) => Promise<readonly string[] | undefined>
  /** the names of a user list */
  readonly users: (id: string) => Promise<readonly string[] | undefined>
}

/** @param client absent: the checks are only named */
export async function checksOf(posted: PostedAccess, lists: Lists, client?: Client): Promise<Checks> {
  const { allow: allowId, deny: denyId, satisfy = "all", basic, digest, external, rules } = posted
  const geo = geoListsOf(posted)
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
    ...(rules && { rules }),
    ...(geo && { geo }),
    ...(basic && basicUsers && { basic: { realm: basic.realm, users: basicUsers } }),
    ...(digest && digestUsers && { digest: { realm: digest.realm, users: digestUsers } }),
    ...(external && {
      external: { host: external.host, target: external.target, backend: external.backend },
    }),
    satisfy,
    missing,
  }
  return client === undefined ? checks : { ...checks, client: decide(client, checks) }
}

function missingOf(kind: Missing["kind"], id: string | undefined, list: unknown): readonly Missing[] {
  return id === undefined || list !== undefined ? [] : [{ kind, id }]
}

/** What a request has to bring of which nothing is known. */
export function needsOf(checks: Omit<Checks, "client">): readonly string[] {
  return decide({}, checks).needs
}

function decide(client: Client, checks: Omit<Checks, "client">): Verdict {
  const { geo, basic, digest, external, missing } = checks
  const [first] = missing
  if (first !== undefined) {
    const because = `${first.kind} list ${first.id} is not in force`
    return { ...client, status: 503, needs: [], because }
  }
  const asksForPassword = basic !== undefined || digest !== undefined
  const whereabouts = geo === undefined ? [] : [neededPlace(geo)]
  return verdictOn(client, { ...checks, whereabouts, asksForPassword, asksService: external !== undefined })
}

export function checkNotes(checks: Checks): string[] {
  const { allow, deny, rules, geo, basic, digest, external, satisfy, missing, client } = checks
  return [
    ...missing.map(({ kind, id }) => missingNote(kind, id)),
    ...(deny === undefined ? [] : [`not for ${networks(deny)}`]),
    ...(allow === undefined ? [] : [`only for ${networks(allow)}`]),
    ...(rules === undefined ? [] : [rulesText(rules)]),
    ...(geo === undefined ? [] : geoNotes(geo)),
    ...(basic === undefined ? [] : [`password of ${usersText(basic)}`]),
    ...(digest === undefined ? [] : [`password of ${usersText(digest)}, by Digest`]),
    ...(external === undefined
      ? []
      : [`${external.host}${external.target} is asked, backend ${external.backend}`]),
    ...(satisfy === "any" ? ["one kind of check is enough"] : []),
    ...(client === undefined ? [] : [clientNote(client, satisfy)]),
  ]
}

function rulesText(rules: readonly AccessRule[]): string {
  return `by the first rule that fits: ${networks(rules.map(ruleText))}`
}

function usersText({ users, realm }: Users): string {
  return `${users.length === 1 ? `user ${users[0]}` : `one of ${users.length} users`}, realm "${realm}"`
}

function clientNote(
  { address, password, status, needs, because }: Verdict,
  satisfy: Checks["satisfy"],
): string {
  const who = [address, password?.user].filter((name) => name !== undefined).join(" as ")
  if (status !== undefined) return `${who} gets ${status}: ${because}`
  if (needs.length === 0) return `${who} gets in: ${because}`
  return `${who} gets in by ${needs.join(satisfy === "any" ? " or " : " and ")}: ${because}`
}
