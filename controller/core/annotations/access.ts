import { type Family, planned } from "./entry.ts"
import { trueByDefault } from "./syntax.ts"

const effective = { section: "Access control", since: "0.1.0" } as const
const low = { scope: "location", risk: "low" } as const
const medium = { scope: "location", risk: "medium" } as const
const high = { scope: "location", risk: "high" } as const

/** Who may come in: by address, by password, or by asking somebody else. */
export const accessAnnotations = {
  allowlistSourceRange: planned("allowlist-source-range", "access-control", {
    ...medium,
    aliases: ["whitelist-source-range"],
    isGuard: true,
  }),
  denylistSourceRange: planned("denylist-source-range", "access-control", { ...medium, isGuard: true }),
  satisfy: planned("satisfy", "access-control", low),
  authType: planned("auth-type", "access-control", { ...low, isGuard: true }),
  authRealm: planned("auth-realm", "access-control", medium),
  authSecret: planned("auth-secret", "access-control", medium),
  authSecretType: planned("auth-secret-type", "access-control", low),
  usesGlobalAuth: {
    ...effective,
    ...low,
    name: "enable-global-auth",
    ...trueByDefault,
    description: "whether `global-auth-url` of the ConfigMap protects the paths",
  },
  authUrl: planned("auth-url", "access-control", { ...high, isGuard: true }),
  authMethod: planned("auth-method", "access-control", low),
  authSignin: planned("auth-signin", "access-control", high),
  authSigninRedirectParam: planned("auth-signin-redirect-param", "access-control", medium),
  authSnippet: planned("auth-snippet", "snippets-and-waf", { ...low, risk: "critical" }),
  authResponseHeaders: planned("auth-response-headers", "access-control", medium),
  authProxySetHeaders: planned("auth-proxy-set-headers", "access-control", medium),
  authRequestRedirect: planned("auth-request-redirect", "access-control", medium),
  authAlwaysSetCookie: planned("auth-always-set-cookie", "access-control", low),
  authCacheKey: planned("auth-cache-key", "access-control", medium),
  authCacheDuration: planned("auth-cache-duration", "access-control", medium),
  authKeepalive: planned("auth-keepalive", "access-control", low),
  authKeepaliveRequests: planned("auth-keepalive-requests", "access-control", low),
  authKeepaliveTimeout: planned("auth-keepalive-timeout", "access-control", low),
  authKeepaliveShareVars: planned("auth-keepalive-share-vars", "access-control", low),
} satisfies Family
