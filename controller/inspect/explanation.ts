import { sharedServer } from "../model/listener.ts"
import type { RuleSetPart } from "../model/rule-set.ts"
import type { Concerned, StandingProblem } from "../model/standing-problem.ts"
import { candidatesFor } from "../support/host-name.ts"
import { type Checks, checksOf, type Lists } from "./access.ts"
import type { Client } from "./client-verdict.ts"
import { type Decision, decide, type Service } from "./decision.ts"
import { type Firewall, firewallOf } from "./firewall.ts"
import type { BackendInForce, ClientsInForce, HostInForce, RouteInForce } from "./in-force.ts"
import { type Limits, limitsOf } from "./limits.ts"
import { ingressOf } from "./notes.ts"
import type { Outcome } from "./outcome.ts"
import { type NotTaken, notTaken } from "./reasons.ts"
import type { Rehearsal, Rehearsed } from "./rehearse.ts"
import { answerOf, type StepsRun } from "./steps-run.ts"

/** What serves a request, and why nothing else does. This is what `wick explain --json` prints. */
export interface Explanation {
  readonly request: Rehearsal
  readonly outcome: Outcome
  /** what decided, where that is not the route itself */
  readonly because?: string
  /** what is wrong with what serves it, the worst first; absent: no controller says */
  readonly problems?: readonly StandingProblem[]
  /** absent: no route was found */
  readonly taken?: Taken
  /** of the host whose routes were looked through */
  readonly notTaken: readonly NotTaken[]
  /** other hosts whose routes would have been looked through otherwise, the best first */
  readonly otherHosts: readonly OtherHost[]
}

export interface Taken {
  /** as the record is called */
  readonly host: string
  readonly hostBecause: string
  /** decoded and normalised: what routes are compared with */
  readonly path: string
  readonly route: RouteInForce
  /** steps of the host, which come before its routes are looked at; absent: none */
  readonly hostScript?: NonNullable<HostInForce["script"]>
  /** which of them were gone through; absent: nginx does not say */
  readonly hostSteps?: StepsRun
  /** the same of the route's */
  readonly steps?: StepsRun
  /** of the host; absent: clients need no certificate */
  readonly clients?: ClientsInForce
  /** of the route; absent: everybody may request it */
  readonly checks?: Checks
  /** of the route; absent: any number of requests is served */
  readonly limits?: Limits
  /** of the route; absent: no rules look at its requests */
  readonly firewall?: Firewall
  /** absent: no authentication service is asked */
  readonly service?: Service
  /** absent: it is not in force, so requests get 503 */
  readonly backend?: BackendInForce
  /** of `backend`: those that may take its place */
  readonly canaries: readonly BackendInForce[]
}

interface OtherHost {
  readonly host: string
  readonly routes: number
  readonly why: string
}

/** What has to be asked of what runs. */
export interface Sources extends Lists {
  /** @param asksService has nginx ask the authentication service of the route, too */
  readonly rehearse: (request: Rehearsal, asksService?: boolean) => Promise<Rehearsed>
  readonly host: (name: string) => Promise<readonly HostInForce[]>
  readonly backend: (name: string) => Promise<BackendInForce | undefined>
  /** the parts of a rule set; undefined: it cannot be read */
  readonly ruleSet: (digest: string) => Promise<readonly RuleSetPart[] | undefined>
  /** Problems that have to do with it; undefined: nobody knows */
  readonly standing: (concerned: Concerned) => Promise<readonly StandingProblem[] | undefined>
}

/**
 * @param client address of the client; absent: its checks are only named
 * @param asksService has the authentication service asked
 */
export async function explain(
  request: Rehearsal,
  sources: Sources,
  client?: string,
  asksService = false,
): Promise<Explanation> {
  const { found, outcome, password, hostSteps, steps } = await rehearsed(request, sources)
  const records = await recordsFor(request.host, sources)
  const record = found && records.find(({ host, alias_of }) => [host, alias_of].includes(found.host))
  const route = found && record?.routes[found.index]
  const hosts = { record, records, requested: nameOf(request.host) }
  if (found === undefined || record === undefined || route === undefined)
    return withoutRoute(request, outcome, hosts, sources)
  const { host, path } = found
  const hostBecause = hostReason(record, host, hosts.requested)
  const taken = {
    host,
    hostBecause,
    path,
    route,
    ...(record.script && { hostScript: record.script }),
    ...(hostSteps && { hostSteps }),
    ...(steps && { steps }),
    ...(await guardsOf(record, route, { address: client, password }, sources)),
    ...(await serviceOf(request, route, sources, asksService && outcome.kind === "proxied")),
    ...(await backendsOf(route, sources)),
  }
  const problems = await sources.standing(concernedBy(route, host))
  return {
    request,
    ...(answered(hostSteps, steps) ??
      decide(outcome, {
        ...taken,
        backendName: route.backend,
        ...(route.status && { status: route.status }),
      })),
    ...(problems && { problems }),
    taken,
    notTaken: notTaken(record, route, path, problems),
    otherHosts: otherHosts(hosts),
  }
}

async function withoutRoute(
  request: Rehearsal,
  outcome: Outcome,
  hosts: Hosts,
  { standing }: Sources,
): Promise<Explanation> {
  const problems = await standing({ host: hosts.requested })
  return { request, outcome, ...(problems && { problems }), notTaken: [], otherHosts: otherHosts(hosts) }
}

/** What clients have to pass before a backend gets their requests, but an authentication service. */
async function guardsOf(
  { client_certificate: clients }: HostInForce,
  { access, limits: limited, waf }: RouteInForce,
  { address, password }: { readonly address: string | undefined; readonly password: Client["password"] },
  sources: Sources,
): Promise<Pick<Taken, "clients" | "checks" | "limits" | "firewall">> {
  const known = clientOf(address, access?.basic && password)
  const checks = access && (await checksOf(access, sources, known))
  const limits = limited && (await limitsOf(limited, sources.addresses, address))
  const firewall = waf && firewallOf(waf, await sources.ruleSet(waf.rules))
  return {
    ...(clients && { clients }),
    ...(checks && { checks }),
    ...(limits && { limits }),
    ...(firewall && { firewall }),
  }
}

/** Steps come before everything that may refuse a request but the host's certificates. */
function answered(hostSteps: StepsRun | undefined, steps: StepsRun | undefined): Decision | undefined {
  const ofHost = hostSteps && answerOf(hostSteps)
  if (ofHost !== undefined) return { outcome: ofHost, because: "the server's snippet answers" }
  const ofRoute = steps && answerOf(steps)
  return ofRoute && { outcome: ofRoute, because: "its snippet answers" }
}

/** nginx verifies the password of a request that would be passed on; without it says where to. */
async function rehearsed(
  request: Rehearsal,
  { rehearse }: Sources,
): Promise<Rehearsed & { readonly password?: Client["password"] }> {
  const asked = await rehearse(request)
  const { authorization, ...headers } = request.headers
  const user = userOf(authorization)
  if (user === undefined) return asked
  if (asked.outcome.kind === "proxied") return { ...asked, password: { user, isRight: true } }
  if (asked.outcome.kind !== "answered" || asked.outcome.status !== 401) return asked
  const without = await rehearse({ ...request, headers })
  return without.outcome.kind === "proxied" ? { ...without, password: { user, isRight: false } } : asked
}

/** Of Basic authentication (RFC 7617). */
function userOf(credentials = ""): string | undefined {
  const [, encoded] = /^basic +([a-z0-9+/]+=*) *$/i.exec(credentials) ?? []
  return encoded && Buffer.from(encoded, "base64").toString().replace(/:.*/s, "")
}

async function serviceOf(
  request: Rehearsal,
  { access }: RouteInForce,
  { backend, rehearse }: Sources,
  isAsked: boolean,
): Promise<Pick<Taken, "service">> {
  if (access?.external === undefined) return {}
  const found = await backend(access.external.backend)
  const isReachable = found !== undefined && found.endpoints.length > 0
  const said = isAsked && isReachable ? (await rehearse(request, true)).outcome : undefined
  return { service: { isReachable, ...(said && { said }) } }
}

function concernedBy(route: RouteInForce, host: string): Concerned {
  const { namespace = "", service_name: service = "" } = route
  return { ingress: ingressOf(route), service: service === "" ? "" : `${namespace}/${service}`, host }
}

function clientOf(address: string | undefined, password: Client["password"]): Client | undefined {
  if (address === undefined && password === undefined) return undefined
  return { ...(address !== undefined && { address }), ...(password && { password }) }
}

async function backendsOf(
  route: RouteInForce,
  { backend }: Sources,
): Promise<Pick<Taken, "backend" | "canaries">> {
  const found = await backend(route.backend)
  const canaries = await Promise.all((found?.alternativeBackends ?? []).map((name) => backend(name)))
  return { ...(found && { backend: found }), canaries: canaries.filter((canary) => canary !== undefined) }
}

/** The records in which a host is sought, the best first (docs/ingress-module.md); those that there are. */
async function recordsFor(host: string, sources: Sources): Promise<readonly HostInForce[]> {
  const names = candidatesFor(nameOf(host))
  const found = await Promise.all([...new Set(names)].map((candidate) => sources.host(candidate)))
  return found.flatMap((hosts) => hosts.filter(({ server }) => server === sharedServer))
}

interface Hosts {
  readonly record: HostInForce | undefined
  readonly records: readonly HostInForce[]
  readonly requested: string
}

function otherHosts({ record, records }: Hosts): OtherHost[] {
  return records
    .filter((other) => other !== record)
    .map(({ host, routes }) => ({
      host,
      routes: routes.length,
      why: record === undefined ? "no route of it fits" : `${record.host} has routes of its own`,
    }))
}

function hostReason({ alias_of }: HostInForce, host: string, requested: string): string {
  if (alias_of === host) return `"${requested}" is an alias of it`
  if (host === requested) return "the host itself"
  if (host === "_") return `no other host fits "${requested}"`
  return host.startsWith("**") ? "a wildcard for its first labels" : "a wildcard for its first label"
}

/** As nginx reads a Host header: lower-case, without port and without a dot at the end. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")
}
