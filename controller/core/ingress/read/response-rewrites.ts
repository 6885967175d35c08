import type { LocationFields } from "../../../model/location.ts"
import type { RouteVariables } from "../../../model/route.ts"
import type { ResponseValues } from "../../annotations/values.ts"
import type { Replacement } from "../../options/replacements.ts"
import { complainAbout, type IngressContext } from "./ingress-context.ts"

/** What a location and a route say about the headers that name hosts and paths in the backend's responses. */
export interface Rewrites {
  readonly location: Pick<LocationFields, "cookieDomain" | "cookiePath" | "redirect">
  readonly variables: RouteVariables
}

/** What `proxy_redirect default` looks for: the backend by the only name that nginx has for it. */
const upstream = "http://upstream_balancer/"

export function rewrites(values: ResponseValues, context: IngressContext): Rewrites {
  const { settings } = context
  const domain = texts(values.cookieDomain ?? settings.cookieDomain)
  const path = texts(values.cookiePath ?? settings.cookiePath)
  const redirect = texts(redirectOf(values, context))
  return {
    location: {
      ...(domain && { cookieDomain: true }),
      ...(path && { cookiePath: true }),
      ...(redirect && { redirect: true }),
    },
    variables: {
      ...(domain && { cookieDomainFrom: domain.from, cookieDomainTo: domain.to }),
      ...(path && { cookiePathFrom: path.from, cookiePathTo: path.to }),
      ...(redirect && { redirectFrom: redirect.from, redirectTo: redirect.to }),
    },
  }
}

function texts(replacement: Replacement): Exclude<Replacement, "off"> | undefined {
  return replacement === "off" ? undefined : replacement
}

/** Each half may be the Ingress's or the ConfigMap's. */
function redirectOf(values: ResponseValues, context: IngressContext): Replacement {
  const { settings } = context
  const { redirectFrom: from = settings.redirectFrom, redirectTo: to = settings.redirectTo } = values
  if (from === "default") return { from: upstream, to: "/" }
  if (from !== "off" && to !== "off") return { from, to }
  if (from === "off" && values.redirectFrom === undefined && (values.redirectTo ?? "off") !== "off")
    return idle(context, "proxy-redirect-to", "proxy-redirect-from")
  return values.redirectFrom === undefined || from === "off"
    ? "off"
    : idle(context, "proxy-redirect-from", "proxy-redirect-to")
}

function idle(context: IngressContext, name: string, needed: string): Replacement {
  const message = `Annotation "${name}" needs annotation "${needed}": it has no effect`
  complainAbout(context, name, "annotation-idle", message)
  return "off"
}
