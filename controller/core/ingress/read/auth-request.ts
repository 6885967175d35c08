import type { CacheDuration, ExternalAuth, RequestHeader } from "../../../model/access.ts"
import { type ExternalAuthValues, unusable } from "../../annotations/values.ts"
import type { DeclaredBackendTls } from "../../declared/backend-tls.ts"
import type { AuthUrl } from "../../options/external-auth/auth-url.ts"
import { usualDurations } from "../../options/external-auth/cache.ts"
import { withRedirectParameter } from "../../options/external-auth/sign-in.ts"
import type { Settings } from "../../options/settings.ts"
import { authTls } from "./auth-tls.ts"
import { denied, type IngressContext } from "./ingress-context.ts"
import { authHeaders } from "./read-auth-headers.ts"

/** What is asked, as an Ingress or the ConfigMap says it. */
export interface AuthRequest {
  readonly url: AuthUrl
  readonly details: Omit<ExternalAuth, "location" | "backend" | "target" | "host" | "backendTls">
  /** absent: the service's certificate is not verified */
  readonly tls?: DeclaredBackendTls
}

/** It cannot be asked as somebody wants it: nobody gets in. */
export const closed = Symbol("closed")
export type Closed = typeof closed

/** What an Ingress asks for itself: all of it, or nobody gets in. Absent: nothing. */
export function ownRequest(
  said: ExternalAuthValues,
  further: readonly RequestHeader[],
  context: IngressContext,
): AuthRequest | Closed | undefined {
  const values = usable(said)
  if (values === undefined) return closed
  const { url, headers: named, tlsSecret, ...wording } = values
  if (url === undefined) return undefined
  const headers = named === undefined ? [] : authHeaders(named, context)
  const tls = tlsSecret === undefined ? undefined : authTls(tlsSecret, url, context)
  if (headers === denied || tls === denied) return closed
  return { url, details: detailsOf({ ...wording, headers: [...headers, ...further] }), ...(tls && { tls }) }
}

type Usable = {
  readonly [Field in keyof ExternalAuthValues]: Exclude<ExternalAuthValues[Field], typeof unusable>
}

function usable(said: ExternalAuthValues): Usable | undefined {
  return Object.values(said).includes(unusable) ? undefined : (said as Usable)
}

/**
 * What the ConfigMap asks for Ingresses that name no service.
 *
 * @param headers that go with the question
 */
export function globalRequest(
  settings: Settings,
  headers: readonly RequestHeader[],
): AuthRequest | Closed | undefined {
  const { globalAuthUrl: url, globalAuthMethod: method, globalAuthSignIn: signIn } = settings
  const { globalAuthRedirectParameter: redirectParameter, globalAuthRequestRedirect: requestRedirect } =
    settings
  const { globalAuthResponseHeaders: responseHeaders, globalAuthAlwaysSetsCookie: alwaysSetsCookie } =
    settings
  const { globalAuthCacheKey: cacheKey, globalAuthCacheDurations: cacheDurations } = settings
  if (url === undefined) return undefined
  const wording = {
    method,
    signIn,
    redirectParameter,
    responseHeaders,
    requestRedirect,
    cacheKey,
    cacheDurations,
  }
  if (url === null || Object.values(wording).includes(null)) return closed
  return { url, details: detailsOf({ ...(wording as Wording), headers, alwaysSetsCookie }) }
}

/** What annotations and keys have in common. */
interface Wording {
  readonly method?: string | undefined
  readonly signIn?: string | undefined
  readonly redirectParameter?: string | undefined
  readonly responseHeaders?: readonly string[] | undefined
  readonly headers?: readonly RequestHeader[] | undefined
  readonly requestRedirect?: string | undefined
  readonly alwaysSetsCookie?: boolean | undefined
  readonly cacheKey?: string | undefined
  readonly cacheDurations?: readonly CacheDuration[] | undefined
}

function detailsOf(said: Wording): AuthRequest["details"] {
  const { method, signIn, redirectParameter = "rd", requestRedirect, alwaysSetsCookie = false } = said
  const { headers = [], responseHeaders = [], cacheKey, cacheDurations = usualDurations } = said
  return {
    ...(method !== undefined && { method }),
    ...(headers.length > 0 && { headers }),
    ...(responseHeaders.length > 0 && { responseHeaders }),
    ...(signIn !== undefined && { signin: withRedirectParameter(signIn, redirectParameter) }),
    ...(requestRedirect !== undefined && { requestRedirect }),
    alwaysSetsCookie,
    ...(cacheKey !== undefined && cacheDurations.length > 0 && { cacheKey, cacheDurations }),
  }
}
