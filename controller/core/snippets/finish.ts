import type { Overrides } from "../../model/overrides.ts"
import type { Header, Level, Script, Step } from "../../model/route-records.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import { cachesApart } from "./cache-keys.ts"
import type { CompiledAccess, CompiledLevel, CompiledLocation, CompileOptions, Pass } from "./compiled.ts"
import { refererSteps } from "./effects/referers.ts"
import { inherit, inheritText, withoutEmptyLists } from "./levels.ts"
import { numbersAround, textAround } from "./of-locations.ts"
import type { Protocol, Scope } from "./scope.ts"
import { mayStandIn } from "./table.ts"

// Scopes become what is handed on: each with what it has of the scopes around it.

/** What a scope has of those around it. */
interface Outer {
  readonly level: Level
  readonly headers: Readonly<Record<Protocol, readonly Header[]>>
  readonly access: CompiledAccess
  readonly overrides: Overrides
  readonly text: readonly TypedDirective[]
  /** words of `valid_referers` of a location around; those of a server block have set their variable before */
  readonly referers: readonly string[]
  readonly isInternal: boolean
  /** what may keep requests out is not in force around */
  readonly isClosed: boolean
}

const nothing: Outer = {
  level: {},
  headers: { http: [], grpc: [], fastcgi: [] },
  access: {},
  overrides: {},
  text: [],
  referers: [],
  isInternal: false,
  isClosed: false,
}

/** The scope that is around all. */
export function finish(scope: Scope): CompiledLevel {
  const { place, options } = scope.session
  const own = merged(scope, nothing)
  const isAround = place === "server" || place === "http"
  return {
    ...levelOf(scope, own, own.headers[options.protocol ?? "http"]),
    ...overridesOf(isAround ? numbersAround(scope.overrides) : scope.overrides),
    text: cachesApart(isAround ? textAround(scope.text) : scope.text, scope.session),
    locations: scope.inner.map((inner) => location(inner, inside(isAround ? { ...own, referers: [] } : own))),
    ...(scope.firewall && { firewall: scope.firewall }),
  }
}

/** What a location has of the level around it: nothing that no location can say. */
function inside(outer: Outer): Outer {
  return { ...outer, text: outer.text.filter((directive) => mayStandIn("location", directive)) }
}

function location(scope: Scope, outer: Outer): CompiledLocation {
  const own = merged(scope, outer)
  const { match, path } = scope.location ?? { match: "", path: "/" }
  return {
    match,
    path,
    ...(own.isClosed && { isClosed: true }),
    ...(scope.pass && { pass: { ...scope.pass, ...keepsHeaders(scope, outer) } }),
    ...levelOf(scope, own, headersFor(scope, own)),
    ...overridesOf(own.overrides),
    text: cachesApart(own.text, scope.session),
    locations: scope.inner.map((inner) => location(inner, inside(own))),
  }
}

/** In a location of an Ingress one inside has the headers that go to the backend, unless it names any itself. */
function keepsHeaders(scope: Scope, outer: Outer): { keepsHeaders?: true } {
  const protocol = protocolOf(scope.pass, scope.session.options)
  const isBare = scope.session.place !== "location" || scope.headers[protocol].length > 0
  return isBare || outer === nothing ? {} : { keepsHeaders: true }
}

/** What nginx's proxy module would send by itself, and what is written. Source: nginx, ngx_http_proxy_headers. */
function headersFor(scope: Scope, own: Outer): readonly Header[] {
  const protocol = protocolOf(scope.pass, scope.session.options)
  const written = own.headers[protocol]
  const { pass } = scope
  if (pass === undefined || protocol !== "http") return written
  if (scope.session.place === "location" && scope.headers.http.length === 0) return written
  const names = new Set(written.map(({ name }) => name.toLowerCase()))
  const standard: readonly Header[] = [
    { name: "Host", value: scope.passHost },
    { name: "Connection", value: "close" },
  ]
  return [...standard.filter(({ name }) => !names.has(name.toLowerCase())), ...written]
}

function protocolOf(pass: Pass | undefined, options: CompileOptions): Protocol {
  if (pass === undefined) return options.protocol ?? "http"
  return pass.scheme === "grpc" || pass.scheme === "grpcs" ? "grpc" : "http"
}

function merged(scope: Scope, outer: Outer): Outer {
  const headers = (it: Protocol) => (scope.headers[it].length > 0 ? scope.headers[it] : outer.headers[it])
  return {
    level: inherit(outer.level, scope.level),
    headers: { http: headers("http"), grpc: headers("grpc"), fastcgi: headers("fastcgi") },
    access: { ...outer.access, ...scope.access },
    overrides: { ...outer.overrides, ...scope.overrides },
    text: inheritText(outer.text, scope.text),
    referers: scope.referers.length > 0 ? scope.referers : outer.referers,
    isInternal: scope.isInternal || outer.isInternal,
    isClosed: scope.isClosed || outer.isClosed,
  }
}

function levelOf(
  scope: Scope,
  { level, access, referers, isInternal }: Outer,
  upstreamHeaders: readonly Header[],
): Pick<CompiledLevel, "script" | "access"> {
  const isWhole = scope.session.place === "location" && scope.location === undefined
  const own = isWhole ? { ...withoutEmptyLists(level), ...keptOff(level) } : level
  const base = { ...own, ...(upstreamHeaders.length > 0 && { upstreamHeaders }) }
  const before = isInternal ? internalSteps(scope) : []
  const script = scriptOf(scope, base, [...before, ...scope.first, ...refererStepsOf(referers)])
  return {
    ...(script && { script }),
    ...(Object.keys(access).length > 0 && { access }),
  }
}

/** A server block may have flags for cookies, as the reference's locations say nothing of them. */
function keptOff({ cookieFlags }: Level): Level {
  return cookieFlags?.length === 0 ? { cookieFlags } : {}
}

function overridesOf(overrides: Overrides): { overrides?: Overrides } {
  return Object.keys(overrides).length > 0 ? { overrides } : {}
}

/**
 * An `if` that holds puts its own level in the place of the location's, also where it says nothing: what an `if` before it has set is lost then. Where
 * none before it has set anything, that is the level that is in force.
 * Source: nginx, ngx_http_script_if_code.
 */
function scriptOf(scope: Scope, base: Level, first: readonly Step[]): Script | undefined {
  const steps = [...first]
  const offset = steps.length
  steps.push(...scope.steps)
  const levels: Level[] = [base]
  const firstOwn = scope.ifs.findIndex(({ scope: { level } }) => Object.keys(level).length > 0)
  for (const { scope: inner, step } of firstOwn < 0 ? [] : scope.ifs.slice(firstOwn)) {
    const level = indexOf(levels, inherit(base, inner.level))
    steps[offset + step] = { ...(steps[offset + step] as Step), level }
  }
  const isEmpty = levels.length === 1 && Object.keys(base).length === 0
  if (steps.length === 0 && isEmpty) return undefined
  return { ...(steps.length > 0 && { steps }), ...(!isEmpty && { levels }) }
}

/** Never 0: what is in force from the beginning is no level of an `if`. */
function indexOf(levels: Level[], level: Level): number {
  const text = JSON.stringify(level)
  const found = levels.findIndex((it, nth) => nth > 0 && JSON.stringify(it) === text)
  return found > 0 ? found : levels.push(level) - 1
}

/** A request from outside gets 404, and no other location, before anything else is asked. Source: nginx, ngx_http_core_find_config_phase. */
function internalSteps({ location }: Scope): readonly Step[] {
  const unlessLed: Step = { op: "if", value: "$status", test: "match", pattern: "^00", skip: 1 }
  return [...(location === undefined ? [] : [unlessLed]), { op: "return", code: 404 }]
}

function refererStepsOf(referers: readonly string[]): readonly Step[] {
  const steps = referers.length === 0 ? [] : refererSteps(referers)
  return typeof steps === "string" ? [] : steps
}
