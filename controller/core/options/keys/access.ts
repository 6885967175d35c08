import { family, key, planned } from "../key.ts"
import { pathBeginnings } from "./texts.ts"

/** Authentication where an Ingress says nothing. */
export const access = family("Access control", {
  enableAuthAccessLog: planned("enable-auth-access-log", "access-control"),
  globalAuthAlwaysSetCookie: planned("global-auth-always-set-cookie", "access-control"),
  globalAuthCacheDuration: planned("global-auth-cache-duration", "access-control"),
  globalAuthCacheKey: planned("global-auth-cache-key", "access-control"),
  globalAuthMethod: planned("global-auth-method", "access-control"),
  globalAuthRequestRedirect: planned("global-auth-request-redirect", "access-control"),
  globalAuthResponseHeaders: planned("global-auth-response-headers", "access-control"),
  globalAuthSignin: planned("global-auth-signin", "access-control"),
  globalAuthSigninRedirectParam: planned("global-auth-signin-redirect-param", "access-control"),
  globalAuthSnippet: planned("global-auth-snippet", "access-control"),
  globalAuthUrl: planned("global-auth-url", "access-control", { isGuard: true }),
  /** paths of Ingresses that begin with one of these need no authentication */
  noAuthLocations: key("no-auth-locations", pathBeginnings, "/.well-known/acme-challenge", {
    example: "/health",
    description: "paths that `global-auth-url` does not protect",
  }),
  limitConnZoneVariable: planned("limit-conn-zone-variable", "access-control"),
})
