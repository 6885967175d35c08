import type { PostedAccess } from "../output/control/posted.ts"
import { isInRange } from "../support/address-range.ts"
import { missingNote, networks } from "./networks.ts"

/** Who may request a route: its checks, with the lists that they go by. */
export interface Checks {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly satisfy: "all" | "any"
  /** ids of lists that are not in force: then nobody gets in */
  readonly missing: readonly string[]
  /** absent: nobody was asked about */
  readonly client?: Verdict
}

/** What the checks say about one client. */
interface Verdict {
  readonly address: string
  /** absent: it gets in */
  readonly status?: 403 | 503
  readonly because: string
}

type RangesOf = (id: string) => Promise<readonly string[] | undefined>

/** @param client its address */
export async function checksOf(access: PostedAccess, rangesOf: RangesOf, client?: string): Promise<Checks> {
  const { allow: allowId, deny: denyId, satisfy = "all" } = access
  const [allow, deny] = await Promise.all(
    [allowId, denyId].map((id) => (id === undefined ? undefined : rangesOf(id))),
  )
  const missing = [allow ? undefined : allowId, deny ? undefined : denyId].filter((id) => id !== undefined)
  const lists = { ...(allow && { allow }), ...(deny && { deny }), satisfy, missing }
  return client === undefined ? lists : { ...lists, client: verdictOn(client, lists) }
}

/** As nginx/access has it: who is denied stays out although allowed. */
function verdictOn(address: string, { allow, deny, missing }: Omit<Checks, "client">): Verdict {
  if (missing.length > 0)
    return { address, status: 503, because: `address list ${missing[0]} is not in force` }
  const denied = deny?.find((range) => isInRange(address, range))
  if (denied !== undefined) return { address, status: 403, because: `${denied} is denied` }
  if (allow === undefined) return { address, because: "it is in no denied network" }
  const allowed = allow.find((range) => isInRange(address, range))
  return allowed === undefined
    ? { address, status: 403, because: "it is in no allowed network" }
    : { address, because: `${allowed} is allowed` }
}

export function checkNotes({ allow, deny, satisfy, missing, client }: Checks): string[] {
  return [
    ...missing.map(missingNote),
    ...(deny === undefined ? [] : [`not for ${networks(deny)}`]),
    ...(allow === undefined ? [] : [`only for ${networks(allow)}`]),
    ...(satisfy === "any" ? ["one kind of check is enough"] : []),
    ...(client === undefined ? [] : [clientNote(client)]),
  ]
}

function clientNote({ address, status, because }: Verdict): string {
  return status === undefined ? `${address} gets in: ${because}` : `${address} gets ${status}: ${because}`
}
