import type { CookieAffinity } from "../../../model/backend.ts"
import { fieldPath } from "../../../model/field-path.ts"
import type { RouteFilter } from "../../../model/objects/gateway/filters.ts"
import type { HttpBackendRef } from "../../../model/objects/gateway/http-route.ts"
import type { BackendRef as ObjectBackend } from "../../../model/objects/gateway/references.ts"
import { nameOf, qualifiedName } from "../../../model/objects/object.ts"
import type { Service } from "../../../model/objects/service.ts"
import type { ObjectName, Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { KeyPair } from "../../../model/tls-secret.ts"
import { compact } from "../../../support/compact.ts"
import type { RouteAccess } from "../../declared/access.ts"
import type { OwnWay, RuleActions, RuleMirror } from "../../declared/actions.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import { noFilters, type RouteFilters } from "../../declared/filters.ts"
import type { Proxying } from "../../declared/proxying.ts"
import type { Rule, WeightedBackendRef } from "../../declared/rule.ts"
import type { Said } from "../../declared/said.ts"
import { type Finding, problemOf } from "../finding.ts"
import type { Grants } from "../grants.ts"
import type { ReadPolicy } from "../tls/policies.ts"
import { actionsOf, type ClientSide, limitsOf, redirectOf } from "./actions.ts"
import { gatewayBackend, othersOf } from "./backend-keys.ts"
import { corsOf } from "./cors.ts"
import { askedBy, withService } from "./external-auth.ts"
import { overruled, replacesPath } from "./overruled.ts"
import type { Ranked } from "./precedence.ts"
import type { ReadMatch } from "./read-match.ts"
import { type RouteRule, rulesOf, type WebRoute } from "./read-route.ts"
import { resolveBackend } from "./resolve-backend.ts"
import { affinityOf } from "./sessions.ts"
import { unsupportedIn } from "./unsupported-rule.ts"
import type { Way, Ways } from "./ways.ts"

/** What a route is built with. */
export interface RouteWorld {
  readonly grants: Grants
  /** by `namespace/name`; notes who was asked for */
  readonly service: (name: string) => Service | undefined
  /** of a Service, by the name of a port; notes it, too */
  readonly policy: (service: string, portName: string) => ReadPolicy | undefined
  readonly ways: Ways
  /** what its annotations say */
  readonly annotated: Said
  /** what backends are shown that ask for a certificate */
  readonly pair?: KeyPair
}

/** A rule of one match. */
export interface BuiltRule extends Ranked {
  /** on a listener: redirects depend on it */
  readonly on: (side: ClientSide) => Rule
}

/** A route without its listeners. */
export interface BuiltRoute {
  readonly route: WebRoute
  readonly rules: readonly BuiltRule[]
  /** why rules of it are answered 500, one for each */
  readonly refused: readonly Finding[]
  /** that is so of all of them */
  readonly isRefused: boolean
  /** of references that are not resolved */
  readonly findings: readonly Finding[]
  /** of its annotations */
  readonly problems: readonly Problem[]
  /** `namespace/name` of Services that it names, whether it may or not */
  readonly services: readonly string[]
  /** that its rules use, each once */
  readonly backends: readonly DeclaredBackend[]
}

export function buildRoute(route: WebRoute, world: RouteWorld): BuiltRoute {
  const builder = new RouteBuilder(route, world)
  const rules = rulesOf(route).flatMap((rule) => builder.rulesOf(rule))
  const { findings, refused, backends } = builder
  return {
    route,
    rules: rules.map((rule, at) => ({ ...rule, at })),
    ...{ refused: compact(refused), isRefused: refused.length > 0 && refused.length === route.rules.length },
    findings: compact(findings),
    problems: compact([
      ...world.annotated.problems,
      ...overruled(route, world.annotated).map((it) => problemOf(nameOf(route), it)),
    ]),
    services: compact([...builder.services]),
    backends: compact([...backends.values(), ...othersOf(world.annotated)]),
  }
}

/** Reads the rules of one route. */
class RouteBuilder {
  readonly findings: Finding[] = []
  readonly refused: Finding[] = []
  readonly services = new Set<string>()
  readonly backends = new Map<string, DeclaredBackend>()
  readonly #route: WebRoute
  readonly #world: RouteWorld
  readonly #source: ObjectName

  constructor(route: WebRoute, world: RouteWorld) {
    this.#route = route
    this.#world = world
    this.#source = nameOf(route)
  }

  rulesOf(rule: RouteRule): readonly Omit<BuiltRule, "at">[] {
    const refused = unsupportedIn(rule, this.#world.annotated)
    if (refused === undefined) return this.#served(rule)
    this.refused.push(refused)
    return this.#closed(rule)
  }

  #closed(closed: RouteRule): readonly Omit<BuiltRule, "at">[] {
    const { access, proxying } = this.#world.annotated
    return closed.matches.map((match) => {
      const rule: Rule = {
        ...{ source: this.#source, ...placeOf(closed), backendAt: "backendRefs", status: 500 },
        ...pathOf(match),
        ...{ filters: noFilters, access, proxying },
      }
      return { match, route: this.#route, on: always(rule) }
    })
  }

  #served(rule: RouteRule): readonly Omit<BuiltRule, "at">[] {
    const { field, matches, filters } = rule
    const { annotated, ways } = this.#world
    const access = this.#accessOf(rule)
    if (access === undefined) return this.#closed(rule)
    const affinity = affinityOf(rule, this.#route) ?? annotated.affinity
    const isAlone = rule.backends.length === 1 && rule.backends[0]?.filters.length === 0
    const shares = rule.backends.map((backend, at) =>
      this.#share(backend, field, at, isAlone ? affinity : undefined),
    )
    const served = this.#servingOf(shares)
    const isSplit = served.split !== undefined
    const said = isSplit ? withoutFallback(annotated.proxying) : annotated.proxying
    const proxying = ways.proxying(
      said,
      shares.map(({ way }) => way),
      corsOf(filters),
    )
    const actions: RuleActions = {
      ...actionsOf(filters, this.#mirrors(filters, field, "")),
      ...limitsOf(rule.timeouts, rule.retry),
    }
    return matches.map((match) => ({
      ...{ match, route: this.#route },
      on: sided(filters, (redirect) => {
        const all = redirect === undefined ? actions : { ...actions, redirect }
        return {
          ...{ source: this.#source, ...placeOf(rule) },
          ...pathOf(match),
          ...(redirect === undefined ? served : { backendAt: "backendRefs" }),
          ...(Object.keys(all).length > 0 && { actions: all }),
          ...{ filters: filtersFor(match.path, rule, annotated), access, proxying },
          ...(annotated.script && { script: annotated.script }),
          ...(affinity && served.backend && { beginsSessions: true }),
          statusOfFault: 500,
        }
      }),
    }))
  }

  /** undefined: the service that is to be asked cannot be, so nobody gets in. */
  #accessOf(rule: RouteRule): RouteAccess | undefined {
    const { access } = this.#world.annotated
    const asked = askedBy(rule)
    if (asked === undefined) return access
    const place = fieldPath(asked.field, "externalAuth", "backendRef")
    const { ref, way, isRefused } = this.#backend(asked.auth.backend, place, { isAsked: true })
    return isRefused ? undefined : withService(access, asked, { ref, way }, this.#source)
  }

  #share(backend: HttpBackendRef, field: string, at: number, affinity: CookieAffinity | undefined): Share {
    const backendAt = fieldPath("backendRefs", at)
    const place = fieldPath(field, backendAt)
    const { ref, way, isRefused } = this.#backend(backend, place, { affinity })
    const actions = actionsOf(backend.filters, this.#mirrors(backend.filters, place, backendAt))
    return {
      ref,
      way,
      weight: backend.weight,
      backendAt,
      ...(isRefused && { status: 500 }),
      ...(Object.keys(actions).length > 0 && { actions }),
    }
  }

  #mirrors(filters: readonly RouteFilter[], field: string, at: string): readonly RuleMirror[] {
    return filters.flatMap((filter, index) => {
      if (filter.type !== "RequestMirror") return []
      const { backend, numerator, denominator } = filter.mirror
      const backendAt = fieldPath(at, "filters", index, "requestMirror", "backendRef")
      const place = fieldPath(field, "filters", index, "requestMirror", "backendRef")
      const { ref, way, isRefused } = this.#backend(backend, place)
      if (isRefused) return []
      const part = numerator === denominator ? {} : { part: { numerator, denominator } }
      return [{ ref, backendAt, ...this.#ownWayOf(way), ...part }]
    })
  }

  /** What serves a rule: one backend, several by weight, or an error where none may be used. */
  #servingOf(shares: readonly Share[]): Pick<Rule, "backend" | "split" | "status" | "backendAt"> {
    const backendAt = "backendRefs"
    const usable = shares.filter(({ status, weight }) => status === undefined && weight > 0)
    if (usable.length === 0) return { backendAt, status: 500 }
    const [only] = shares
    if (only !== undefined && shares.length === 1 && only.actions === undefined)
      return { backendAt: only.backendAt, backend: only.ref }
    const first = shares[0]?.way
    return {
      backendAt,
      split: shares.map(({ way, ...share }) =>
        way === first ? share : { ...share, ...this.#ownWayOf(way) },
      ),
    }
  }

  #ownWayOf(way: Way): OwnWay {
    const { annotated, ways } = this.#world
    const { variables, backendTls = annotated.proxying.backendTls } = way
    return {
      location: ways.over(annotated.proxying, way),
      ...(variables && { variables }),
      ...(backendTls && { backendTls }),
    }
  }

  #backend(backend: Omit<ObjectBackend, "weight">, field: string, { affinity, isAsked }: Use = {}) {
    const { kind, meta } = this.#route
    const { grants, service, policy, ways, pair } = this.#world
    const found = service(qualifiedName(backend))
    const namer = { kind, namespace: meta.namespace }
    const { port, finding, isRefused } = resolveBackend(backend, field, namer, found, grants)
    const name = qualifiedName(backend)
    this.services.add(name)
    const known = { port, policy: policy(name, port?.name ?? "") }
    const { way, fault } = isAsked ? ways.toAsked(known, pair) : ways.to(known, kind, pair)
    const { ref, declared } = gatewayBackend(backend, this.#world.annotated, {
      affinity,
      askedName: isAsked ? way.variables?.proxySslName : undefined,
    })
    if (finding !== undefined) this.findings.push(finding)
    else if (fault !== undefined) this.findings.push(unreachable(name, fault, field))
    const isClosed = isRefused || fault !== undefined
    if (!isClosed) this.backends.set(ref.key, declared)
    return { ref, way, isRefused: isClosed }
  }
}

/** What annotations say of a path, as far as the rule itself does not. */
function filtersFor(path: string, rule: RouteRule, annotated: Said): RouteFilters {
  const said = annotated.filters(path)
  if (said.rewrite === undefined || !replacesPath(rule)) return said
  const { rewrite: _, ...others } = said
  return others
}

/** What a backend is for. */
interface Use {
  /** sessions with it; absent: none */
  readonly affinity?: CookieAffinity | undefined
  /** about requests, and does not get them */
  readonly isAsked?: true
}

interface Share extends WeightedBackendRef {
  readonly way: Way
}

/** Where several backends serve, none takes the place of one without endpoints. */
function withoutFallback(said: Proxying): Proxying {
  if (said.fallback === undefined) return said
  const { fallback: _, ...rest } = said
  return rest
}

function placeOf({ field, name }: RouteRule): Pick<Rule, "field" | "name"> {
  return { field, ...(name !== "" && { name }) }
}

function pathOf({ path, match, conditions }: ReadMatch): Pick<Rule, "path" | "match" | "conditions"> {
  return { path, match, ...(conditions.length > 0 && { conditions }) }
}

/** One object for all listeners, or where it depends on them one for each scheme and port. */
function sided(
  filters: readonly RouteFilter[],
  make: (redirect: ReturnType<typeof redirectOf>) => Rule,
): (side: ClientSide) => Rule {
  if (!filters.some(({ type }) => type === "RequestRedirect")) return always(make(undefined))
  const known = new Map<string, Rule>()
  return (side) => {
    const key = `${side.scheme}:${side.port}`
    const rule = known.get(key) ?? make(redirectOf(filters, side))
    known.set(key, rule)
    return rule
  }
}

/** It keeps the rule alone, and not all that the rule was made of. */
function always(rule: Rule): () => Rule {
  return () => rule
}

function unreachable(service: string, fault: string, field: string): Finding {
  const message = `Cannot pass requests to Service ${shown(service)}: ${fault}`
  return { reason: "UnsupportedProtocol", code: "backend-protocol", field, message }
}
