import type { Overrides } from "../../../model/overrides.ts"
import type { PolicyFields } from "../../../model/policy.ts"
import type { Header, RouteVariables } from "../../../model/route.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import type { AnnotationValues } from "../../annotations/values.ts"
import type { Settings } from "../../options/settings.ts"
import { isPassing, overTls } from "../passthrough/wish.ts"
import { backendTls } from "./backend-tls.ts"
import { type BackendRef, firstPortRef } from "./claim.ts"
import { customHeaders } from "./custom-headers.ts"
import { fastCgi } from "./fastcgi.ts"
import { missingGuards } from "./guards.ts"
import { annotationField, denied, type Inquiry } from "./inquiry.ts"
import { mirroring } from "./mirroring.ts"
import { type ClaimPolicies, defaultPolicies, policiesOf } from "./policies.ts"
import { type Rewrites, rewrites } from "./rewrites.ts"

/** How the routes of one Ingress pass requests on, and what becomes of the answers. */
export interface Proxying {
  readonly policies: ClaimPolicies
  readonly overrides: Overrides
  readonly variables: RouteVariables
  readonly headers: readonly Header[]
  /** what the policies name */
  readonly files: readonly SecretFile[]
  /** serves when a route's own backend has no endpoints, and may make the error pages */
  readonly standIn?: BackendRef
  /** where the Ingress says so, for Problems */
  readonly standInField?: string
  readonly errorPages: ErrorPages
  /** every request gets 503: an object that an annotation names cannot be used, or nothing would keep requests out as one asks */
  readonly isDenied: boolean
}

/** Who answers errors: nobody but who makes them, the default backend, or the stand-in and the default backend only without one. */
export type ErrorPages = "none" | "default" | "stand-in"

/** Where no Ingress has a say. */
export const plainProxying: Proxying = {
  policies: defaultPolicies,
  overrides: {},
  variables: {},
  headers: [],
  files: [],
  errorPages: "default",
  isDenied: false,
}

export function proxyingOf(said: AnnotationValues, inquiry: Inquiry): Proxying {
  const { settings } = inquiry.context
  const values = isPassing(said.routing, inquiry.context)
    ? { ...said, protocol: overTls(said.protocol) }
    : said
  const { errors } = values
  const tls = backendTls(values.tls, inquiry)
  const fastcgi = fastCgi(values.fastcgi, inquiry)
  const headers = customHeaders(values.responses.headers, inquiry)
  const mirror = mirroring(values.mirror, inquiry)
  const rewriting = rewrites(values.responses, inquiry)
  const parts = {
    ...(tls !== denied && tls && { tls: tls.tls }),
    ...(fastcgi !== denied && fastcgi && { fastcgi }),
    ...(mirror.policy && { mirror: mirror.policy }),
    rewriting,
  }
  const standIn = errors.service && firstPortRef(inquiry.ingress.meta.namespace, errors.service)
  return {
    policies: policiesOf(fieldsOf(values, parts, settings), standIn !== undefined),
    overrides: overridesOf(values.route, settings),
    variables: {
      ...(values.protocol.vhost !== undefined && { upstreamVhost: values.protocol.vhost }),
      ...(values.protocol.connection !== undefined && { connection: values.protocol.connection }),
      ...(tls !== denied && values.tls.name !== undefined && { proxySslName: values.tls.name }),
      ...rewriting.variables,
      ...mirror.variables,
      ...(values.logs.isLogged === false && { accessLog: "0" }),
    },
    headers: headers === denied ? [] : headers,
    files: tls === denied ? [] : (tls?.files ?? []),
    ...(standIn && { standIn, standInField: annotationField(inquiry, "default-backend") }),
    errorPages: errorPagesOf(errors.codes, settings),
    isDenied: [missingGuards(inquiry), tls, fastcgi, headers].includes(denied),
  }
}

function overridesOf(said: Overrides, { retriesNonIdempotent }: Settings): Overrides {
  const words = said.proxyNextUpstream
  if (words === undefined || !retriesNonIdempotent || words.includes("non_idempotent")) return said
  return { ...said, proxyNextUpstream: `${words} non_idempotent` }
}

/** What the steps came to that end up in the policy. */
interface Parts extends Pick<PolicyFields, "tls" | "fastcgi" | "mirror"> {
  readonly rewriting: Rewrites
}

function fieldsOf(
  { protocol: said, errors }: AnnotationValues,
  { tls, fastcgi, mirror, rewriting }: Parts,
  settings: Settings,
): PolicyFields {
  const { protocol = "http", httpVersion = settings.proxyHttpVersion } = said
  const isHttp = protocol === "http" || protocol === "https" || protocol === "auto"
  const isTls = protocol === "https" || protocol === "auto" || protocol === "grpcs"
  const hasErrorPages = errorPagesOf(errors.codes, settings) !== "none"
  return {
    ...(protocol !== "http" && { protocol }),
    ...(isHttp && httpVersion === "1.0" && { proxyHttpVersion: httpVersion }),
    ...(isHttp && rewriting.policy),
    ...(mirror && { mirror }),
    ...(errors.codes && { errorCodes: errors.codes }),
    ...(hasErrorPages && errors.passesErrors && { passesErrors: true }),
    ...(protocol === "fastcgi" && fastcgi && { fastcgi }),
    ...(isTls && tls && { tls }),
  }
}

function errorPagesOf(own: readonly number[] | undefined, { errorCodes }: Settings): ErrorPages {
  if (own !== undefined) return "stand-in"
  return errorCodes.length > 0 ? "default" : "none"
}
