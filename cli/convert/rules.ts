import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import { fieldPath } from "../../controller/model/field-path.ts"
import type { IngressPath } from "../../controller/model/objects/ingress.ts"
import type { ProblemCode } from "../../controller/model/problems/catalogue.ts"
import { backendRefOf } from "./backends.ts"
import { type Canary, type Shared, sharedWith } from "./canaries.ts"
import type { Json } from "./conversion.ts"
import type { Converting } from "./converting.ts"
import { at } from "./filters.ts"
import { grpcMatch } from "./grpc.ts"
import {
  type ConvertedPath,
  convertPath,
  isNarrower,
  keptPath,
  type PathMatch,
  type Unconverted,
} from "./paths.ts"
import { redirect, redirectTo } from "./redirects.ts"

/** Rules for one path of a host; none, with a remark, where it cannot be had. */
export function rulesForPath(
  path: IngressPath,
  host: string,
  field: string,
  converting: Converting,
): readonly Json[] {
  const { remarks, subject } = converting
  const refused = subject.problems.find((it) => refusals.has(it.code) && it.field.startsWith(field))
  if (refused !== undefined) {
    remarks.add("left-out", field, refused.message)
    return []
  }
  const found = pathFor(path, host, converting)
  if ("because" in found) {
    remarks.add("left-out", fieldPath(field, "path"), `${found.because}: the path was left out`)
    return []
  }
  remarkPath(path, host, found.match, fieldPath(field, "path"), converting)
  const match = { path: found.match }
  if (converting.isClosed) return [{ matches: [match] }]
  const elsewhere = converting.keepsAnnotations ? undefined : redirected(converting)
  if (elsewhere !== undefined) return elsewhere.length === 0 ? [] : [{ matches: [match], filters: elsewhere }]
  return rulesTo(path, host, found, field, converting)
}

/** For which the controller itself serves nothing. */
const refusals: ReadonlySet<ProblemCode> = new Set(["path-taken", "port-name-refused", "backend-is-canary"])

function pathFor(
  path: IngressPath,
  host: string,
  { values, hasPatterns, isClosed, keepsAnnotations }: Converting,
): ConvertedPath | Unconverted {
  if (keepsAnnotations) return keptPath(path, hasPatterns(host))
  return convertPath(path, hasPatterns(host), isClosed ? "" : (values.routing.rewriteTarget ?? ""))
}

function remarkPath(
  path: IngressPath,
  host: string,
  match: PathMatch,
  field: string,
  { hasPatterns, keepsAnnotations, remarks }: Converting,
): void {
  if (match.type === "RegularExpression" && !keepsAnnotations)
    remarks.addChange("patterns", field, "Which regular expressions there are is up to the implementation")
  if (isNarrower(path, match, hasPatterns(host)))
    remarks.addChange(
      "elements",
      field,
      `${match.value} was served for every path that begins so, such as ${match.value}-more: a PathPrefix has whole elements`,
    )
}

function rulesTo(
  path: IngressPath,
  host: string,
  { match, rewrite }: ConvertedPath,
  field: string,
  converting: Converting,
): readonly Json[] {
  const { values, remarks, subject, canaries, keepsAnnotations } = converting
  const { namespace } = subject.ingress.meta
  const backend = backendRefOf(path.backend, namespace, subject.around.objects.services)
  if ("because" in backend) {
    remarks.add("left-out", fieldPath(field, "backend"), `${backend.because}: the path was left out`)
    return []
  }
  const ofPath = canaries(namespace, host, path.path)
  const shared = sharedWith(backend, ofPath)
  if (keepsAnnotations && shared.backendRefs.length > 1) remarkSessions(ofPath, converting)
  return isGrpc(values) && !keepsAnnotations
    ? servedByGrpc(shared, match, field, converting)
    : served(shared, { path: match }, rewrite, converting)
}

/** Said of a path that is shared by weight, and of its canaries. */
function remarkSessions(canaries: readonly Canary[], { subject, remarks }: Converting): void {
  if (!subject.annotations.has("affinity")) return
  const what = "Sessions begin where a rule has one backend: a path with a canary has none"
  remarks.addChange("sessions", at(subject, "affinity"), what)
  for (const canary of canaries) canary.remarks.addChange("sessions", canary.field, what)
}

function served(
  shared: Shared,
  match: Json,
  rewrite: Json | undefined,
  { values, filters, vhost, keepsAnnotations }: Converting,
): readonly Json[] {
  const urlRewrite = { ...(vhost !== undefined && { hostname: vhost }), ...(rewrite && { path: rewrite }) }
  const isRewritten = Object.keys(urlRewrite).length > 0
  const all = isRewritten ? [...filters, { type: "URLRewrite", urlRewrite }] : filters
  const tries = keepsAnnotations ? undefined : values.route.proxyNextUpstreamTries
  const common = {
    ...(all.length > 0 && { filters: all }),
    ...(tries !== undefined && tries > 0 && { retry: { attempts: tries - 1 } }),
  }
  return rulesFor(match, common, shared)
}

function servedByGrpc(
  shared: Shared,
  { value }: PathMatch,
  field: string,
  { values, filters, vhost, remarks }: Converting,
): readonly Json[] {
  const match = grpcMatch(value)
  const isPlain = vhost === undefined && values.routing.rewriteTarget === undefined
  if (match === undefined || !isPlain || filters.some(({ type }) => type === "CORS")) {
    const what =
      "A GRPCRoute has services and methods, no other paths, no CORS and no rewrites: the path was left out"
    remarks.add("left-out", fieldPath(field, "path"), what)
    return []
  }
  const common = filters.length === 0 ? {} : { filters }
  return rulesFor(match, common, shared)
}

/** One for each canary that is asked for, and behind them that of all other requests. */
function rulesFor(match: Json, common: Json, { before, backendRefs }: Shared): readonly Json[] {
  return [
    ...before.map((it) => ({
      matches: [{ ...match, headers: it.headers }],
      ...common,
      backendRefs: it.backendRefs,
    })),
    { matches: [match], ...common, backendRefs },
  ]
}

/** What no path of a host matches, where its oldest Ingress has that redirected. */
export function redirectOfRest(converting: Converting): readonly Json[] {
  const matches = [{ path: everything }]
  if (converting.keepsAnnotations) return [{ matches }]
  const filters = redirected(converting) ?? []
  return filters.length === 0 ? [] : [{ matches, filters }]
}

export const everything: PathMatch = { type: "PathPrefix", value: "/" }

/** @returns undefined unless all paths lead elsewhere; empty when that cannot be said by a filter */
function redirected({ values, subject, remarks }: Converting): readonly Json[] | undefined {
  const {
    temporalRedirect,
    temporalRedirectCode = 302,
    permanentRedirect,
    permanentRedirectCode = 301,
  } = values.routing
  const [url, code, name] =
    temporalRedirect !== undefined
      ? [temporalRedirect, temporalRedirectCode, "temporal-redirect"]
      : [permanentRedirect, permanentRedirectCode, "permanent-redirect"]
  if (url === undefined) return undefined
  const found = redirectTo(url, code)
  if ("filter" in found) return [found.filter]
  remarks.add("left-out", at(subject, name), `${found.because}: its paths were left out`)
  return []
}

/** Where `/` of a host leads. */
export function appRootRule(path: string): Json {
  const to = redirect({ path: { type: "ReplaceFullPath", replaceFullPath: path }, statusCode: 302 })
  return { matches: [{ path: { type: "Exact", value: "/" } }], filters: [to] }
}

/** Its backends speak gRPC. */
export function isGrpc({ protocol: { protocol } }: AnnotationValues): boolean {
  return protocol === "grpc" || protocol === "grpcs"
}
