import type { LocationFields } from "../../../model/location.ts"
import type { Overrides } from "../../../model/overrides.ts"
import type { RouteVariables } from "../../../model/route.ts"
import { backendTlsAnnotations } from "../../annotations/backend-tls.ts"
import { readSingle } from "../../annotations/single.ts"
import type { AnnotationValues } from "../../annotations/values.ts"
import { firstPortRef } from "../../declared/backend-ref.ts"
import type { DeclaredBackendTls } from "../../declared/backend-tls.ts"
import type { ErrorPages, OtherBackend, Proxying, WantedName } from "../../declared/proxying.ts"
import type { Settings } from "../../options/settings.ts"
import type { CompiledLevel } from "../../snippets/compiled.ts"
import { backendTls } from "./backend-tls.ts"
import { customHeaders } from "./custom-headers.ts"
import { errorOverrides } from "./error-overrides.ts"
import { fastCgi } from "./fastcgi.ts"
import { annotationField, denied, type IngressContext } from "./ingress-context.ts"
import { mirroring } from "./mirroring.ts"
import { readCors } from "./read-cors.ts"
import { readLimits } from "./read-limits.ts"
import { isPassedThrough, overTls } from "./read-passthrough.ts"
import { readTracing } from "./read-tracing.ts"

/** @param snippet what is said in each location */
export function readProxying(
  said: AnnotationValues,
  snippet: Pick<CompiledLevel, "overrides" | "text">,
  context: IngressContext,
): Proxying {
  const { settings } = context
  const values = isPassedThrough(said.routing, context) ? { ...said, protocol: overTls(said.protocol) } : said
  const { errors } = values
  const tls = backendTls(values.tls, isOverTls(values.protocol), context)
  const name = endpointName(values, tls === denied ? undefined : tls, context)
  const fastcgi = fastCgi(values.fastcgi, context)
  const headers = customHeaders(values.responses.headers, context)
  const mirror = mirroring(values.mirror, context)
  const cors = readCors(values.cors)
  const limits = readLimits(values.limits, context)
  const tracing = readTracing(values.tracing, settings)
  const parts = {
    ...(fastcgi !== denied && fastcgi && { fastcgi }),
    ...(mirror.location && { mirror: mirror.location }),
    ...(snippet.text.length > 0 && { text: snippet.text }),
  }
  const fallback = errors.service === undefined ? undefined : fallbackTo(errors.service, context)
  return {
    locations: context.shared.locations.ofRoutes(fieldsOf(values, parts, settings), fallback !== undefined),
    overrides: {
      ...overridesOf(values.route, settings),
      ...errorOverrides(errors, settings),
      ...snippet.overrides,
    },
    variables: variablesOf(values, { ...name.variable, ...mirror.variables }),
    headers: headers === denied ? [] : headers,
    ...(cors && { cors }),
    ...(limits !== denied && limits && { limits }),
    ...(tracing && { tracing }),
    ...(tls !== denied && tls && isOverTls(values.protocol) && { backendTls: tls }),
    ...(name.wantsName && { wantsName: name.wantsName }),
    ...(fallback && { fallback }),
    ...(mirror.backend && { mirror: mirror.backend }),
    errorPages: errorPagesOf(errors.codes, settings),
    isDenied: [tls, fastcgi, headers, limits].includes(denied),
  }
}

/** @param others that had to be found out */
function variablesOf(
  { protocol: { vhost, connection }, logs }: AnnotationValues,
  others: RouteVariables,
): RouteVariables {
  return {
    ...(vhost !== undefined && { upstreamVhost: vhost }),
    ...(connection !== undefined && { connection }),
    ...others,
    ...(logs.isLogged === false && { accessLog: "0" }),
    ...(logs.sampleRate !== undefined && { accessLogSample: String(logs.sampleRate) }),
  }
}

/** What endpoints are called by TLS. */
interface EndpointName extends Pick<Proxying, "wantsName"> {
  readonly variable?: Pick<RouteVariables, "proxySslName">
}

/**
 * As the Ingress says, or else as the Service does, which is not known here. Where a name was refused no other takes its place: it could be that of
 * somebody whom the Ingress does not trust.
 */
function endpointName(
  { tls: said, protocol }: AnnotationValues,
  tls: DeclaredBackendTls | undefined,
  context: IngressContext,
): EndpointName {
  const verifies = tls?.authority !== undefined
  if (tls !== undefined && said.name !== undefined) return { variable: { proxySslName: said.name } }
  if (!isOverTls(protocol) || !(verifies || tls?.said.sendsName) || isNameRefused(context)) return {}
  if (protocol.vhost !== undefined) return { variable: { proxySslName: protocol.vhost } }
  return { wantsName: verifies ? toVerify : toSend }
}

const asker = 'annotation "proxy-ssl-name"'
const toVerify: WantedName = { purpose: "to-verify", asker }
const toSend: WantedName = { purpose: "to-send", asker }

function fallbackTo(service: string, context: IngressContext): OtherBackend {
  return {
    ref: firstPortRef(context.ingress.meta.namespace, service),
    field: annotationField(context, "default-backend"),
    asker: 'annotation "default-backend"',
  }
}

function isNameRefused({ ingress, options }: IngressContext): boolean {
  return readSingle(backendTlsAnnotations.name, ingress, options.annotationsPrefix)?.kind === "refused"
}

function overridesOf(said: Overrides, { retriesNonIdempotent }: Settings): Overrides {
  const words = said.proxyNextUpstream
  if (words === undefined || !retriesNonIdempotent || words.includes("non_idempotent")) return said
  return { ...said, proxyNextUpstream: `${words} non_idempotent` }
}

/** What the steps came to that end up in the location. */
type Parts = Pick<LocationFields, "fastcgi" | "mirror" | "text">

function fieldsOf(
  { protocol: said }: AnnotationValues,
  { fastcgi, mirror, text }: Parts,
  settings: Settings,
): LocationFields {
  const { protocol = "http", httpVersion = settings.proxyHttpVersion } = said
  const isHttp = protocol === "http" || protocol === "https" || protocol === "auto"
  return {
    ...(protocol !== "http" && { protocol }),
    ...(isHttp && httpVersion === "1.0" && { proxyHttpVersion: httpVersion }),
    ...(mirror && { mirror }),
    ...(text && { text }),
    ...(protocol === "fastcgi" && fastcgi && { fastcgi }),
  }
}

/** `auto` speaks to backends as clients speak to nginx. */
function isOverTls({ protocol }: AnnotationValues["protocol"]): boolean {
  return protocol === "https" || protocol === "auto" || protocol === "grpcs"
}

function errorPagesOf(own: readonly number[] | undefined, { errorCodes }: Settings): ErrorPages {
  if (own !== undefined) return "fallback"
  return errorCodes.length > 0 ? "default" : "none"
}
