import type { AccessRule } from "../model/access.ts"
import { isInRange } from "../support/address-range.ts"

/** The lists and passwords of a route, as far as they decide about a client. */
export interface Deciding {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** of those whom the lists do not refuse */
  readonly rules?: readonly AccessRule[]
  /** where clients have to be, of which nothing is known here */
  readonly whereabouts: readonly string[]
  readonly asksForPassword: boolean
  readonly asksService: boolean
  readonly satisfy: "all" | "any"
}

/** What is known of the client of a request. */
export interface Client {
  /** absent: nothing is said about its address */
  readonly address?: string
  /** absent: it sends none, or nginx has not looked at it */
  readonly password?: { readonly user: string; readonly isRight: boolean }
}

/** What the checks of a route say about one client. */
export interface Verdict extends Client {
  /** absent: it gets in, or `needs` decides */
  readonly status?: 401 | 403 | 503
  /** what else a request has to bring, or one of it that is enough */
  readonly needs: readonly string[]
  readonly because: string
}

/** What a request has to convince where one is asked. */
export const theService = "the authentication service"

type Said =
  | { readonly says: "granted" | "nothing"; readonly because: string }
  | { readonly says: "refused"; readonly because: string; readonly status: 401 | 403 }
  | { readonly says: "unknown"; readonly needs: string }

/** As nginx/access combines them: addresses first, then where they are, then passwords, then the service. */
export function verdictOn(client: Client, deciding: Deciding): Verdict {
  const said = [...addressSays(client, deciding)]
  for (const needs of deciding.whereabouts) said.push({ says: "unknown", needs })
  said.push(...passwordSays(client, deciding))
  if (deciding.asksService) said.push({ says: "unknown", needs: theService })
  return { ...client, ...(deciding.satisfy === "all" ? all(said) : any(said)) }
}

function all(said: readonly Said[]): Omit<Verdict, keyof Client> {
  const refused = said.find(({ says }) => says === "refused")
  if (refused?.says === "refused") return { status: refused.status, needs: [], because: refused.because }
  return { needs: needsOf(said), because: reasons(said) }
}

/** A client that may say who it is, is asked to. */
function any(said: readonly Said[]): Omit<Verdict, keyof Client> {
  const granted = said.find(({ says }) => says === "granted")
  if (granted?.says === "granted") return { needs: [], because: granted.because }
  const needs = needsOf(said)
  const statuses = said.flatMap((one) => (one.says === "refused" ? [one.status] : []))
  if (needs.length > 0 || statuses.length === 0) return { needs, because: reasons(said) }
  return { status: statuses.includes(401) ? 401 : 403, needs, because: reasons(said) }
}

function needsOf(said: readonly Said[]): string[] {
  return said.flatMap((one) => (one.says === "unknown" ? [one.needs] : []))
}

function reasons(said: readonly Said[]): string {
  return said.flatMap((one) => (one.says === "unknown" ? [] : [one.because])).join("; ")
}

/** Who is denied stays out although allowed; rules come last, and the first that fits decides. */
function addressSays({ address }: Client, { allow, deny, rules }: Deciding): Said[] {
  if (address === undefined) {
    return allow || deny || rules ? [{ says: "unknown", needs: "its address" }] : []
  }
  const denied = deny?.find((range) => isInRange(address, range))
  if (denied !== undefined) return [{ says: "refused", because: `${denied} is denied`, status: 403 }]
  if (allow === undefined && rules !== undefined) return [ruleSays(address, rules)]
  if (allow === undefined)
    return [{ says: "nothing", because: deny ? "it is in no denied network" : "addresses do not matter" }]
  const allowed = allow.find((range) => isInRange(address, range))
  return allowed === undefined
    ? [{ says: "refused", because: "it is in no allowed network", status: 403 }]
    : [{ says: "granted", because: `${allowed} is allowed` }]
}

function ruleSays(address: string, rules: readonly AccessRule[]): Said {
  const rule = rules.find(({ from }) => from === "all" || (from !== "unix:" && isInRange(address, from)))
  if (rule === undefined) return { says: "nothing", because: "no rule is about it" }
  const because = `the rule "${ruleText(rule)}" is the first about it`
  return rule.action === "allow" ? { says: "granted", because } : { says: "refused", because, status: 403 }
}

/** As nginx's directive is written. */
export function ruleText({ action, from }: AccessRule): string {
  return `${action} ${from}`
}

function passwordSays({ password }: Client, { asksForPassword }: Deciding): Said[] {
  if (!asksForPassword) return []
  if (password === undefined) return [{ says: "unknown", needs: "a password" }]
  const { user, isRight } = password
  return isRight
    ? [{ says: "granted", because: `the password of ${user} is right` }]
    : [{ says: "refused", because: `that is no password of a user ${user}`, status: 401 }]
}
