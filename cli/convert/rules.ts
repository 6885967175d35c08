import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import { fieldPath } from "../../controller/model/field-path.ts"
import type { IngressPath } from "../../controller/model/objects/ingress.ts"
import { backendRefOf } from "./backends.ts"
import { type Shared, sharedWith } from "./canaries.ts"
import type { Json } from "./conversion.ts"
import type { Converting } from "./converting.ts"
import { at } from "./filters.ts"
import { grpcMatch } from "./grpc.ts"
import { convertPath, type PathMatch } from "./paths.ts"
import { redirect, redirectTo } from "./redirects.ts"

/** Rules for one path of a host; none, with a remark, where it cannot be had. */
export function rulesForPath(
  path: IngressPath,
  host: string,
  field: string,
  converting: Converting,
): readonly Json[] {
  const { values, remarks, subject, canaries } = converting
  const { namespace } = subject.ingress.meta
  const taken = subject.problems.find((it) => it.code === "path-taken" && it.field === field)
  if (taken !== undefined) {
    remarks.add("left-out", field, taken.message)
    return []
  }
  const target = converting.isClosed ? "" : (values.routing.rewriteTarget ?? "")
  const found = convertPath(path, converting.hasPatterns(host), target)
  if ("because" in found) {
    remarks.add("left-out", fieldPath(field, "path"), `${found.because}: the path was left out`)
    return []
  }
  if (found.match.type === "RegularExpression")
    remarks.add(
      "changed",
      fieldPath(field, "path"),
      "Which regular expressions there are is up to the implementation",
    )
  const match = { path: found.match }
  if (converting.isClosed) return [{ matches: [match] }]
  const elsewhere = redirected(converting)
  if (elsewhere !== undefined) return elsewhere.length === 0 ? [] : [{ matches: [match], filters: elsewhere }]
  const backend = backendRefOf(path.backend, namespace, subject.around.objects.services)
  if ("because" in backend) {
    remarks.add("left-out", fieldPath(field, "backend"), `${backend.because}: the path was left out`)
    return []
  }
  const shared = sharedWith(backend, canaries(namespace, host, path.path))
  return isGrpc(values)
    ? servedByGrpc(shared, found.match, field, converting)
    : served(shared, match, found.rewrite, converting)
}

function served(
  shared: Shared,
  match: Json,
  rewrite: Json | undefined,
  { values, filters, vhost }: Converting,
): readonly Json[] {
  const urlRewrite = { ...(vhost !== undefined && { hostname: vhost }), ...(rewrite && { path: rewrite }) }
  const isRewritten = Object.keys(urlRewrite).length > 0
  const all = isRewritten ? [...filters, { type: "URLRewrite", urlRewrite }] : filters
  const tries = values.route.proxyNextUpstreamTries
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
