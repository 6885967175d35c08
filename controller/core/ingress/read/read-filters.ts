import type { Redirect } from "../../../model/route.ts"
import type { RoutingValues } from "../../annotations/values.ts"
import type { HttpsRedirect, Rewrite, RouteFilters } from "../../declared/filters.ts"
import type { Context } from "../../options/context.ts"
import type { Settings } from "../../options/settings.ts"

// What an Ingress says about requests for its paths beside who serves them: where they are redirected to, and under which path the backend sees
// them.

/** Those of the paths of one Ingress. */
export interface PathFilters {
  of(path: string): RouteFilters
  /** of the `/` that its hosts have anyway, before the default backend: a target for other paths makes no pattern of it */
  readonly implicit: RouteFilters
}

/** @param usual of an Ingress that says nothing: one object for all of those */
export function readFilters(values: RoutingValues, context: Context, usual: PathFilters): PathFilters {
  return Object.keys(values).length > 0 ? filtersOf(values, context) : usual
}

export function filtersOf(values: RoutingValues, context: Context): PathFilters {
  const of = filtersWith(values, context)
  return { of, implicit: { ...of("/"), isPattern: values.usesRegex === true } }
}

function filtersWith(values: RoutingValues, { settings, options }: Context): PathFilters["of"] {
  const appRoot = appRootOf(values)
  const overrides = overridesOf(values, settings)
  const toHttps = httpsRedirectOf(values, settings, options.ports.httpsPort)
  const filters = (rewrite: Rewrite | undefined, httpsRedirect: HttpsRedirect | undefined): RouteFilters => {
    const redirect = redirectOf(values) ?? (rewrite && redirectByRewrite(rewrite))
    return {
      isPattern: values.usesRegex === true || rewrite !== undefined,
      ...(redirect !== undefined && { redirect }),
      ...(httpsRedirect !== undefined && { httpsRedirect }),
      ...(appRoot !== undefined && { appRoot }),
      ...(rewrite !== undefined && redirect === undefined && { rewrite }),
      ...(overrides !== undefined && { overrides }),
    }
  }
  const [plain, exempt] = [filters(undefined, toHttps), filters(undefined, undefined)]
  return (path) => {
    const rewrite = rewriteOf(values, path)
    const isWithout = isExempt(path, settings)
    if (rewrite === undefined) return isWithout ? exempt : plain
    return filters(rewrite, isWithout ? undefined : toHttps)
  }
}

function redirectOf(values: RoutingValues): Redirect | undefined {
  const { temporalRedirect, temporalRedirectCode, permanentRedirect, permanentRedirectCode } = values
  if (temporalRedirect !== undefined) return { code: temporalRedirectCode ?? 302, to: temporalRedirect }
  if (permanentRedirect === undefined) return undefined
  return { code: permanentRedirectCode ?? 301, to: permanentRedirect }
}

/** A target that is the path itself changes nothing. */
function rewriteOf(values: RoutingValues, path: string): Rewrite | undefined {
  const { rewriteTarget, logsRewrite, rewritesRaw, forwardedPrefix } = values
  if (rewriteTarget === undefined || rewriteTarget === path) return undefined
  return {
    to: rewriteTarget,
    isLogged: logsRewrite === true,
    isRaw: rewritesRaw === true,
    ...(forwardedPrefix !== undefined && { forwardedPrefix }),
  }
}

/** nginx sends the client to a rewritten path that is a URL. Source: nginx, `rewrite`. */
function redirectByRewrite({ to }: Rewrite): Redirect | undefined {
  return /^(https?:\/\/|\$scheme)/.test(to) ? { code: 302, to: `${to}$is_args$args` } : undefined
}

function appRootOf({ appRoot }: RoutingValues): Redirect | undefined {
  return appRoot === undefined
    ? undefined
    : { code: 302, to: `$pass_access_scheme://$best_http_host${appRoot}` }
}

function httpsRedirectOf(
  values: RoutingValues,
  settings: Settings,
  httpsPort: number,
): HttpsRedirect | undefined {
  const isForced = values.forceSslRedirect ?? settings.forceSslRedirect
  if (!isForced && !(values.sslRedirect ?? settings.sslRedirect)) return undefined
  const port = usesPort(values, settings) ? `:${httpsPort}` : ""
  const keepsSlash = values.preserveTrailingSlash ?? settings.preserveTrailingSlash
  const uri = keepsSlash ? "$request_uri" : "$redirect_uri"
  const redirect = { code: settings.httpRedirectCode, to: `https://$redirect_host${port}${uri}` }
  return { redirect, needsCertificate: !isForced }
}

/** By the path of the Ingress, not by that of the request. */
function isExempt(path: string, { noTlsRedirectLocations }: Settings): boolean {
  return noTlsRedirectLocations.some((beginning) => path.startsWith(beginning))
}

function overridesOf(values: RoutingValues, settings: Settings): RouteFilters["overrides"] {
  const isRelative = values.relativeRedirects === true
  const hasPort = usesPort(values, settings)
  if (!isRelative && !hasPort) return undefined
  return { ...(isRelative && { absoluteRedirect: false }), ...(hasPort && { portInRedirect: true }) }
}

function usesPort(values: RoutingValues, settings: Settings): boolean {
  return values.usePortInRedirects ?? settings.usePortInRedirects
}
