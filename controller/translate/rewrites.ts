import type { Replacement, ResponseValues } from "../annotations/values.ts"
import type { PolicyFields } from "../model/policy.ts"
import type { RouteVariables } from "../model/route.ts"
import { complainAbout, type Inquiry } from "./inquiry.ts"

/** What a policy and a route say about the headers that name hosts and paths in the backend's responses. */
export interface Rewrites {
  readonly policy: Pick<PolicyFields, "cookieDomain" | "cookiePath" | "redirect">
  readonly variables: RouteVariables
}

/** What `proxy_redirect default` looks for: the backend by the only name that nginx has for it. */
const upstream = "http://upstream_balancer/"

export function rewrites(values: ResponseValues, inquiry: Inquiry): Rewrites {
  const domain = texts(values.cookieDomain)
  const path = texts(values.cookiePath)
  const redirect = texts(redirectOf(values, inquiry))
  return {
    policy: {
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

/** Nothing is replaced unless an Ingress says so. */
function texts(replacement: Replacement | undefined): Exclude<Replacement, "off"> | undefined {
  return replacement === "off" ? undefined : replacement
}

function redirectOf({ redirectFrom: from, redirectTo: to }: ResponseValues, inquiry: Inquiry): Replacement {
  if (from === undefined || from === "off") return "off"
  if (from === "default") return { from: upstream, to: "/" }
  if (to !== undefined && to !== "off") return { from, to }
  const message = 'Annotation "proxy-redirect-from" needs annotation "proxy-redirect-to": it has no effect'
  complainAbout(inquiry, "proxy-redirect-from", "annotation-idle", message)
  return "off"
}
