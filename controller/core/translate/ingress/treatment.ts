import type { Redirect } from "../../../model/route.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { RoutingValues } from "../../annotations/values.ts"
import type { Settings } from "../../options/settings.ts"
import type { Context } from "./context.ts"

// What an Ingress says about requests for its paths beside who serves them, in the words of the model: where they are sent on to, and under
// which path the backend sees them.

/** Of one path. */
export interface Treatment {
  /** the path is a pattern, and so are all others of its host */
  readonly isPattern: boolean
  readonly redirect?: Redirect
  readonly httpsRedirect?: HttpsRedirect
  /** of the host's `/` */
  readonly appRoot?: Redirect
  readonly rewrite?: Rewrite
  readonly overrides?: { readonly absoluteRedirect?: false; readonly portInRedirect?: true }
}

/** Of requests that came by plain HTTP. */
export interface HttpsRedirect {
  readonly redirect: Redirect
  /** only where a certificate is configured for the host */
  readonly needsCertificate: boolean
}

/** What takes the place of the path that was asked for. */
export interface Rewrite {
  /** template */
  readonly to: string
  readonly isLogged: boolean
  /** template */
  readonly forwardedPrefix?: string
}

/** What becomes of requests for the paths of one Ingress. */
export interface Treatments {
  of(path: string): Treatment
  /** of the `/` that its hosts have anyway, before the default backend: a target for other paths makes no pattern of it */
  readonly unclaimed: Treatment
}

/** That of a path about which nothing is said: one object for all of them. */
export const plainTreatment: Treatment = { isPattern: false }

const initial = new WeakMap<Context, Treatments>()

/** One object for all Ingresses that say nothing. */
export function treatmentsOf(values: RoutingValues, context: Context): Treatments {
  if (Object.keys(values).length > 0) return treatments(values, context)
  return getOrMake(initial, context, () => treatments({}, context))
}

function treatments(values: RoutingValues, context: Context): Treatments {
  const of = treatWith(values, context)
  return { of, unclaimed: { ...of("/"), isPattern: values.usesRegex === true } }
}

function treatWith(values: RoutingValues, { settings, options }: Context): Treatments["of"] {
  const appRoot = appRootOf(values)
  const overrides = overridesOf(values, settings)
  const toHttps = httpsRedirectOf(values, settings, options.ports.httpsPort)
  const treatment = (rewrite: Rewrite | undefined, httpsRedirect: HttpsRedirect | undefined): Treatment => {
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
  const [plain, exempt] = [treatment(undefined, toHttps), treatment(undefined, undefined)]
  return (path) => {
    const rewrite = rewriteOf(values, path)
    const isWithout = isExempt(path, settings)
    if (rewrite === undefined) return isWithout ? exempt : plain
    return treatment(rewrite, isWithout ? undefined : toHttps)
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
  const { rewriteTarget, logsRewrite, forwardedPrefix } = values
  if (rewriteTarget === undefined || rewriteTarget === path) return undefined
  return {
    to: rewriteTarget,
    isLogged: logsRewrite === true,
    ...(forwardedPrefix !== undefined && { forwardedPrefix }),
  }
}

/** nginx sends the client to a rewritten path that is a URL. Source: nginx, `rewrite`. */
function redirectByRewrite({ to }: Rewrite): Redirect | undefined {
  return /^(https?:\/\/|\$scheme)/.test(to) ? { code: 302, to: `${to}$is_args$args` } : undefined
}

function appRootOf({ appRoot }: RoutingValues): Redirect | undefined {
  return appRoot === undefined ? undefined : { code: 302, to: `$scheme://$http_host${appRoot}` }
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

function overridesOf(values: RoutingValues, settings: Settings): Treatment["overrides"] {
  const isRelative = values.relativeRedirects === true
  const hasPort = usesPort(values, settings)
  if (!isRelative && !hasPort) return undefined
  return { ...(isRelative && { absoluteRedirect: false }), ...(hasPort && { portInRedirect: true }) }
}

function usesPort(values: RoutingValues, settings: Settings): boolean {
  return values.usePortInRedirects ?? settings.usePortInRedirects
}
