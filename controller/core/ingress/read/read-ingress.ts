import { fieldPath } from "../../../model/field-path.ts"
import type { Ingress, IngressRule } from "../../../model/objects/ingress.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { ObjectName, Problem } from "../../../model/problem.ts"
import { compact } from "../../../support/compact.ts"
import { readAnnotations } from "../../annotations/read.ts"
import type { AnnotationValues, RoutingValues } from "../../annotations/values.ts"
import { noFilters } from "../../declared/filters.ts"
import { complaint } from "../../declared/problems.ts"
import type { Proxying } from "../../declared/proxying.ts"
import type { Context } from "../../options/context.ts"
import type { TranslateOptions } from "../../options/translation.ts"
import { withHeadersOfKept } from "../../snippets/kept-answers.ts"
import type { HostAliases, ParsedIngress } from "../parsed/parsed-ingress.ts"
import { type ParsedRoute, pathMatch } from "../parsed/parsed-route.ts"
import { closedBy } from "./closed-by.ts"
import { annotationField, type Complain, complainAbout, type IngressContext } from "./ingress-context.ts"
import { Lookups, type Referable } from "./lookups.ts"
import { type Permitted, permitted } from "./permitted.ts"
import { type PathAccess, readAccess } from "./read-access.ts"
import { readBalancing } from "./read-balancing.ts"
import { readClientValidation } from "./read-client-validation.ts"
import { type PathFilters, readFilters } from "./read-filters.ts"
import { readPassthrough } from "./read-passthrough.ts"
import { readProxying } from "./read-proxying.ts"
import { defaultBackendField, readBackend, readRule } from "./read-rules.ts"
import { nestedIn, readSnippets, type Snippets } from "./read-snippets.ts"
import { readTls } from "./read-tls.ts"
import { readWaf, withWaf } from "./read-waf.ts"
import { withRewrites } from "./response-rewrites.ts"
import type { SharedParts } from "./shared-parts.ts"

/** A parsed Ingress, and what was looked up for it. */
export interface Reading {
  readonly parsed: ParsedIngress
  /** what its annotations say of paths, those that it has and others */
  readonly filters: PathFilters
  /** the objects that its annotations name */
  readonly lookups: Lookups
}

/**
 * Reads one Ingress. Refused parts are left out, each with a Problem.
 *
 * @param hosts of its rules, as written
 */
export function readIngress(
  ingress: Ingress,
  context: Context,
  objects: Referable,
  shared: SharedParts,
  hosts: readonly string[] = ingress.rules.map(({ host }) => host),
): Reading {
  const lookups = new Lookups(objects)
  const { parsed, filters } = read(ingress, { ...context, lookups, shared, hosts })
  lookups.finish()
  return { parsed, filters, lookups }
}

function read(
  written: Ingress,
  context: Omit<IngressContext, "ingress" | "source" | "complain">,
): Pick<Reading, "parsed" | "filters"> {
  const { options, lookups } = context
  const problems: Problem[] = []
  const { namespace, name } = written.meta
  const source: ObjectName = { kind: "Ingress", namespace, name }
  const complain: Complain = (...what) => {
    problems.push(complaint(source, ...what))
  }
  const rest = permitted(written, context, complain)
  const { ingress } = rest
  const { values, problems: ofAnnotations } = readAnnotations(ingress, options.annotationsPrefix)
  problems.push(...ofAnnotations)
  const own: IngressContext = { ...context, ingress, source, complain }
  const snippets = readSnippets(values, own)
  const filters = readFilters(rawIsPossible(values, own), own, own.shared.filters)
  const access = readAccess(values, closedBy(snippets.closes, values, own), snippets, own)
  const parts = { snippets, filters, access, rest }
  const base = baseOf(values, parts, own)
  const routes =
    isForbidden(ingress, options, complain) || rest.isLeftOut
      ? { root: base, isCatchAll: false, rules: [] }
      : routesFrom(ingress, { ...parts, base, nested: nestedIn(snippets.paths, own) }, complain)
  const ofHosts = saidOfHosts(values, { ...parts, base }, own)
  const parsed: ParsedIngress = {
    name: qualifiedName(source),
    createdMs: ingress.meta.createdMs,
    ...routes,
    names: namesOf(values.routing, context, rest),
    tls: readTls(ingress, values.handshake, own),
    ...ofHosts,
    secrets: compact(lookups.tlsSecrets()),
    problems: compact(problems),
  }
  return { parsed, filters }
}

/** What is read once for all routes of an Ingress. */
interface Parts {
  readonly snippets: Snippets
  readonly filters: PathFilters
  readonly access: PathAccess
  readonly rest: Permitted
}

/** What all routes of an Ingress begin with. */
function baseOf(
  values: AnnotationValues,
  { snippets: { paths }, filters, access, rest }: Parts,
  own: IngressContext,
): ParsedRoute {
  const balancing = readBalancing(values, own)
  const script = withRewrites(paths.script, values, own)
  const waf = readWaf(values.modsecurity, paths.firewall ?? {}, own)
  const text = withHeadersOfKept(paths.text, script, own.shared.snippets.caches)
  const proxying = withWaf(readProxying(values, { ...paths, text }, own), waf)
  return {
    source: own.source,
    field: defaultBackendField,
    backendAt: "service",
    ...pathMatch("/", "prefix"),
    filters: filters.implicit,
    access: access.of("/", undefined),
    ...(script && { script }),
    proxying: shared(rest.isDenied ? { ...proxying, isDenied: true } : proxying, own),
    balancing,
    ...(balancing.affinity && { beginsSessions: true as const }),
  }
}

/** What is about hosts as a whole. */
function saidOfHosts(
  values: AnnotationValues,
  { snippets, base, rest }: Pick<Parts, "snippets" | "rest"> & { readonly base: ParsedRoute },
  own: IngressContext,
): Pick<ParsedIngress, "clients" | "passthrough" | "server" | "closesHosts"> {
  const clients = readClientValidation(values.clients, own)
  // A canary has no server, and what a server answers comes before what closes its paths.
  const hasServer = base.balancing.canary === undefined && !own.settings.closedByKeys.includes("all")
  const passthrough = rest.isDenied ? undefined : readPassthrough(values, own)
  return {
    ...(clients !== undefined && { clients }),
    ...(passthrough !== undefined && { passthrough }),
    ...(hasServer && snippets.server && { server: snippets.server }),
    ...(snippets.closes.has("hosts") && { closesHosts: true as const }),
  }
}

/** One object for all Ingresses that say the same; keys and long texts of rules are looked for by nobody. */
function shared(proxying: Proxying, { shared }: IngressContext): Proxying {
  const isOwn = proxying.backendTls !== undefined || proxying.ruleSet !== undefined
  return isOwn ? proxying : shared.proxying.of(proxying)
}

/** What all routes begin with, and how they differ. */
interface Base extends Omit<Parts, "snippets"> {
  readonly base: ParsedRoute
  readonly nested: (route: ParsedRoute) => ParsedRoute
}

/** Redirects and rewriting are not for every other host (behaviour of ingress-nginx). */
function routesFrom(
  { defaultBackend, rules }: Ingress,
  { base, filters, access, nested, rest: { withheld } }: Base,
  complain: Complain,
): Pick<ParsedIngress, "root" | "isCatchAll" | "rules"> {
  const isWithheld = withheld.some(({ by }) => by === "default-backend")
  const foreign = new Set(withheld.map(({ rule }) => rule))
  const backend =
    defaultBackend && !isWithheld
      ? readBackend(defaultBackend, base.field, base.source.namespace, complain)
      : undefined
  const isCatchAll = rules.length === 0 && backend !== undefined
  const ofRoot = isCatchAll ? noFilters : filters.of("/")
  const root = backend === undefined ? base : nested({ ...base, backend, filters: ofRoot })
  const ofPaths = { root: base, filters, access, nested }
  const ruleAt = (rule: IngressRule, at: number) =>
    readRule(rule, fieldPath("spec", "rules", at), ofPaths, complain)
  return {
    root,
    isCatchAll,
    rules: compact(rules.flatMap((rule, at) => (foreign.has(at) ? [] : (ruleAt(rule, at) ?? [])))),
  }
}

const noNames: HostAliases = {}

function namesOf(
  { aliases = [], redirectsWww }: RoutingValues,
  context: Context,
  { withheld }: Permitted,
): HostAliases {
  const foreign = new Set(withheld.flatMap(({ by, host }) => (by === "alias" ? [host] : [])))
  const names = aliases.filter((name) => !foreign.has(name))
  const redirects = redirectsWww === true && !withheld.some(({ by }) => by === "www-redirect")
  if (names.length === 0 && !redirects) return noNames
  return {
    ...(names.length > 0 && { aliases: { names, field: annotationField(context, "server-alias") } }),
    ...(redirects && {
      www: {
        code: context.settings.httpRedirectCode,
        field: annotationField(context, "from-to-www-redirect"),
      },
    }),
  }
}

function isForbidden({ defaultBackend }: Ingress, options: TranslateOptions, complain: Complain): boolean {
  if (!options.disableCatchAll || defaultBackend === undefined) return false
  const message = "Cannot use the Ingress: --disable-catch-all leaves out all that have a default backend"
  complain(defaultBackendField, "catch-all-disabled", message)
  return true
}

/** nginx escapes the paths of gRPC anew, and FastCGI has none with escapes. */
function rawIsPossible(
  { routing, protocol: { protocol } }: AnnotationValues,
  context: IngressContext,
): RoutingValues {
  const isPossible = protocol !== "grpc" && protocol !== "grpcs" && protocol !== "fastcgi"
  if (isPossible || routing.rewritesRaw !== true) return routing
  const message = 'Annotation "rewrite-raw" needs a backend of HTTP or HTTPS: it has no effect'
  complainAbout(context, "rewrite-raw", "annotation-idle", message)
  return { ...routing, rewritesRaw: false }
}
