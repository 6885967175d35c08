import type { LocationFields } from "../../../model/location.ts"
import type { RouteVariables } from "../../../model/route.ts"
import type { Header, Level, Route, Script, Step } from "../../../model/route-records.ts"
import { escaped } from "../../../support/pattern.ts"
import { closedAccess, openAccess, type RouteAccess } from "../../declared/access.ts"
import { backendRef } from "../../declared/backend-ref.ts"
import { noFilters } from "../../declared/filters.ts"
import { type Proxying, plainProxying } from "../../declared/proxying.ts"
import type { CompiledLevel, CompiledLocation, Pass } from "../../snippets/compiled.ts"
import { withHeadersOfKept } from "../../snippets/kept-answers.ts"
import { withoutEmptyLists } from "../../snippets/levels.ts"
import { scriptWithin, withLevels } from "../../snippets/script-within.ts"
import { defaultBalancing } from "../parsed/balancing.ts"
import { type ParsedRoute, pathMatch } from "../parsed/parsed-route.ts"
import { accessBy, accessInside } from "../parsed/snippet-access.ts"
import type { IngressContext } from "./ingress-context.ts"
import type { Around } from "./shared-snippets.ts"

// Location blocks of snippets as routes of their own: what nginx would find a request in, in the place of an Ingress's path. Blocks in blocks come
// before those around them.

const matches = {
  "=": "exact",
  "": "string_prefix",
  "^~": "string_prefix_final",
  "~": "pattern",
  "~*": "pattern_any_case",
  "@": "exact",
} as const satisfies Readonly<Record<string, Route["match"]>>

/** Whose block it is. */
interface LocationContext extends Pick<IngressContext, "source" | "shared" | "settings"> {
  /** adds what the ConfigMap has look at requests; absent: it is not known, as no Ingress has the block */
  readonly guard?: (proxying: Proxying) => Proxying
}

/** Of a server: nothing of an Ingress's annotations holds there. @param around what holds outside of the server, too */
export function serverLocations(
  { locations }: Pick<CompiledLevel, "locations">,
  around: Around,
  field: string,
  context: LocationContext,
): readonly ParsedRoute[] {
  return flattened(locations).map((block) => {
    const { location } = block
    const { script: own, ...route } = routeOf(block, field, context, around.level)
    const within = scriptWithin(around.level, own)
    const script = withLevels(within, (level) => withoutEmptyLists(withUsualRedirect(level, location)))
    const access = accessBy({ ...around.access, ...location.access })(openAccess)
    const overrides = { ...around.overrides, ...location.overrides }
    return {
      ...route,
      ...(script && { script }),
      access: location.isClosed ? closedAccess : access,
      proxying: guarded({ ...route.proxying, overrides }, location, context),
    }
  })
}

/** What nginx does by itself where nothing is said. */
function withUsualRedirect(level: Level, { pass }: CompiledLocation): Level {
  const isSaid = level.redirects !== undefined || pass?.redirect === undefined
  return isSaid ? level : { ...level, redirects: [pass.redirect] }
}

/** ModSecurity that the ConfigMap switches on is on in all server blocks; an Ingress can switch it off for its own paths alone. */
function guarded(
  proxying: Proxying,
  { pass }: CompiledLocation,
  { settings, guard }: LocationContext,
): Proxying {
  if (pass === undefined || settings.enablesModsecurity === false) return proxying
  return guard === undefined ? { ...proxying, isDenied: true } : guard(proxying)
}

/** Inside of a path: who gets in is said by its annotations, too, but its redirects and its other path are none of a block's. */
export function nestedLocations(
  snippet: CompiledLevel,
  outside: ParsedRoute,
  field: string,
  context: LocationContext,
): readonly ParsedRoute[] {
  const { httpsRedirect } = outside.filters
  const { cors: _, ...rest } = outside.proxying
  const inside = flattened(snippet.locations).filter((block) => isInside(block, outside))
  return inside.map((block) => {
    const { location } = block
    const { script: own, ...route } = routeOf(block, field, context)
    const script = withLevels(own, (level) => rewritesInside(level, snippet, outside))
    return {
      ...route,
      ...(script && { script }),
      filters: httpsRedirect === undefined ? noFilters : { ...noFilters, httpsRedirect },
      access: location.isClosed ? closedAccess : nestedAccess(location, snippet, outside.access),
      proxying: {
        ...rest,
        locations: route.proxying.locations,
        overrides: { ...rest.overrides, ...location.overrides },
        variables: { ...rest.variables, ...route.proxying.variables },
      },
    }
  })
}

/** A pattern may be in any location; what begins like a path has to begin like the one around it. Source: nginx, ngx_http_core_location. */
function isInside({ location: { match, path }, within }: Block, outside: ParsedRoute): boolean {
  if (outside.match !== "prefix") return false
  if (within !== undefined || isPattern(match)) return true
  return !outside.filters.isPattern && path.startsWith(withSlash(outside.path))
}

/** nginx's location of a path has a slash at its end. */
function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`
}

export function isPattern(match: CompiledLocation["match"]): boolean {
  return match === "~" || match === "~*"
}

/** What a block has of the snippet around it, it has of the annotations, too: both stand in one location. */
function rewritesInside(level: Level, snippet: CompiledLevel, outside: ParsedRoute): Level {
  const [ofSnippet, around] = [snippet.script?.levels?.[0] ?? {}, outside.script?.levels?.[0] ?? {}]
  const taken = (["redirects", "cookieDomains", "cookiePaths"] as const).filter(
    (key) => level[key] === ofSnippet[key] && around[key] !== undefined,
  )
  return withoutEmptyLists({ ...level, ...Object.fromEntries(taken.map((key) => [key, around[key]])) })
}

/** What the snippet says outside of the block holds there already. */
function nestedAccess(
  { access }: CompiledLocation,
  snippet: CompiledLevel,
  outside: RouteAccess,
): RouteAccess {
  const { rules, ...others } = access ?? {}
  return accessInside(outside, {
    ...others,
    ...(rules && rules !== snippet.access?.rules && { rules }),
  })
}

/** A location block, and the block that it is in, as nginx names it. */
interface Block {
  readonly location: CompiledLocation
  readonly within?: string
}

function flattened(locations: readonly CompiledLocation[], within?: string): readonly Block[] {
  return locations.flatMap((location) => [
    ...flattened(location.locations, nameOf(location)),
    { location, ...(within !== undefined && { within }) },
  ])
}

function nameOf({ match, path }: CompiledLocation): string {
  return isPattern(match) ? `${match} ${path}` : path
}

function routeOf(
  { location, within }: Block,
  field: string,
  { source, shared }: LocationContext,
  around: Level = {},
): ParsedRoute {
  const { pass, overrides = {} } = location
  const level = scriptWithin(around, location.script)
  const text = withHeadersOfKept(location.text, level, shared.snippets.caches)
  // Of a named one its route has the name with the sign, as no path of a request begins.
  const path = location.match === "@" ? `@${location.path}` : location.path
  const match = matches[location.match]
  const levels = location.script?.levels ?? []
  const variables = ofConnection(levels[0]?.upstreamHeaders ?? [])
  const fields: LocationFields = {
    ...(pass && pass.scheme !== "http" && { protocol: pass.scheme }),
    ...(pass && !pass.keepsHeaders && { isBare: true }),
    ...(text.length > 0 && { text }),
  }
  const steps = [...(location.script?.steps ?? []), ...toOtherPath(location)]
  const script = scriptOf(steps, levels.map(withoutConnection))
  return {
    source,
    field,
    backendAt: "",
    ...pathMatch(path, match),
    ...(within !== undefined && { within }),
    ...(pass && { backend: backendRef(source.namespace, pass.service, pass.port) }),
    ...(pass === undefined && { status: 404, hasNoSlashRedirect: true }),
    ...(script && { script }),
    filters: noFilters,
    access: openAccess,
    proxying: { ...plainProxying, locations: shared.locations.ofRoutes(fields, false), overrides, variables },
    balancing: defaultBalancing,
  }
}

/** Two headers are the route's own, as nginx sends each of them once. No `if` has others. */
function ofConnection(headers: readonly Header[]): RouteVariables {
  const last = (name: string) => headers.findLast((header) => header.name.toLowerCase() === name)
  const [host, connection] = [last("host"), last("connection")]
  return {
    ...(host && { upstreamVhost: host.value }),
    ...(connection && { connection: connection.value }),
  }
}

function withoutConnection({ upstreamHeaders = [], ...others }: Level): Level {
  const headers = upstreamHeaders.filter(({ name }) => !/^(?:host|connection)$/i.test(name))
  return { ...others, ...(headers.length > 0 && { upstreamHeaders: headers }) }
}

function scriptOf(steps: readonly Step[], levels: readonly Level[]): Script | undefined {
  const isPlain = levels.every((level) => Object.keys(level).length === 0)
  if (steps.length === 0 && isPlain) return undefined
  return { ...(steps.length > 0 && { steps }), ...(!isPlain && { levels }) }
}

/** Of `proxy_pass` with a path, which takes the place of the block's own. */
function toOtherPath({ match, path, pass }: CompiledLocation): readonly Step[] {
  const uri = uriOf(pass)
  if (uri === undefined) return []
  const isWhole = match === "="
  return [
    {
      op: "rewrite",
      pattern: `(?s)^${escaped(path)}${isWhole ? "" : "(.*)"}$`,
      value: isWhole ? uri : `${uri}$1`,
      flag: "break",
    },
  ]
}

function uriOf(pass: Pass | undefined): string | undefined {
  return pass?.uri?.replaceAll("$", "$$$$")
}
