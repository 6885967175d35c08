import { responseHeaders } from "../options/external-auth/auth-headers.ts"
import { authUrl } from "../options/external-auth/auth-url.ts"
import { cacheDurations, cacheKey, usualDurationsText } from "../options/external-auth/cache.ts"
import { authMethod } from "../options/external-auth/method.ts"
import { redirectParameter, signInUrl } from "../options/external-auth/sign-in.ts"
import { urlTemplate } from "../options/external-auth/template.ts"
import { none, values } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { blankless } from "./parse.ts"
import { anySeconds, count, falseByDefault, trueOrFalse } from "./syntax.ts"
import { basicText } from "./texts.ts"

const effective = { section: "Access control", scope: "location", since: "0.1.0" } as const
const closing = { ...effective, whenRefused: "requests get 503" } as const
const low = { risk: "low" } as const
const medium = { risk: "medium" } as const
const high = { risk: "high" } as const

const example = { annotations: { "auth-url": "http://auth.shop.svc/verify" } }
/** What says nothing without a service to ask. */
const detail = { ...closing, needs: "auth-url", exampleWith: example } as const
const kept = { ...effective, ...low, needs: "auth-url", exampleWith: example } as const

/** Whom to ask about every request, and what becomes of the answer. */
export const externalAuthAnnotations = {
  url: {
    ...closing,
    ...high,
    ...authUrl,
    name: "auth-url",
    default: "`global-auth-url` of the ConfigMap",
    example: "http://auth.shop.svc/verify",
    description:
      "a service that is asked about every request: 2xx lets it in, 401 and 403 are passed on, anything else is 500",
  },
  method: {
    ...detail,
    ...low,
    ...authMethod,
    name: "auth-method",
    default: "`GET`, whatever the request's is",
    example: "POST",
    description: "method that the service is asked with, always without a body",
  },
  signIn: {
    ...detail,
    ...high,
    ...signInUrl,
    name: "auth-signin",
    default: none,
    example: "https://auth.shop.test/start",
    description: "where clients are sent (302) that the service answers 401",
  },
  redirectParameter: {
    ...detail,
    ...medium,
    ...redirectParameter,
    name: "auth-signin-redirect-param",
    default: "`rd`",
    example: "return_to",
    description:
      "parameter that is added to the URL of `auth-signin`: the URL that the client requested. Nothing is added where it is there already",
  },
  responseHeaders: {
    ...detail,
    ...medium,
    ...responseHeaders,
    name: "auth-response-headers",
    default: none,
    example: "X-User, X-Groups",
    description:
      "headers of the service's answer that the backend gets, in the place of what the client sent under these names",
  },
  headers: {
    ...detail,
    ...medium,
    name: "auth-proxy-set-headers",
    parse: blankless(basicText),
    values: values.configMap,
    refersTo: "ConfigMap",
    default: none,
    example: "shop/auth-headers",
    description: "headers that the service gets, with variables in their values",
  },
  requestRedirect: {
    ...detail,
    ...medium,
    name: "auth-request-redirect",
    parse: blankless(urlTemplate),
    values: "a URL or a path, with variables",
    default: "`$request_uri`",
    example: "https://shop.test/",
    description: "`X-Auth-Request-Redirect` of requests to the service",
  },
  alwaysSetsCookie: {
    ...trueOrFalse,
    ...detail,
    ...low,
    name: "auth-always-set-cookie",
    default: "`false`: with 2xx and redirects",
    example: "true",
    description: "cookies that the service sets reach the client with every response, errors too",
  },
  cacheKey: {
    ...detail,
    ...medium,
    ...cacheKey,
    name: "auth-cache-key",
    default: none,
    example: "$http_authorization$cookie_session",
    description:
      "answers of the service are kept and hold for requests for which this is the same; whoever may come in has to be part of it",
  },
  cacheDurations: {
    ...detail,
    ...medium,
    ...cacheDurations,
    name: "auth-cache-duration",
    needs: "auth-cache-key",
    exampleWith: { annotations: { ...example.annotations, "auth-cache-key": "$http_authorization" } },
    default: `\`${usualDurationsText}\``,
    example: "200 10m, 401 1m",
    description: "how long answers are kept, by their status; others are not kept",
  },
  /** as `qualify` (references.ts) reads it */
  tlsSecret: {
    ...detail,
    ...medium,
    name: "auth-proxy-ssl-secret",
    isOwn: true,
    refersTo: "Secret",
    parse: blankless(basicText),
    values: values.secret,
    default: "the certificate is not verified",
    example: "shop/backend-tls",
    exampleWith: { annotations: { "auth-url": "https://auth.shop.svc:80/verify" } },
    description:
      "its `ca.crt` has the CAs that the certificate of the service is verified by, for the host in `auth-url`; its `tls.crt` and `tls.key`, if it has them, are the client certificate",
  },
  keepalive: {
    ...kept,
    ...count,
    name: "auth-keepalive",
    idle: "unneeded",
    default: none,
    example: "10",
    description: "connections to the service are always kept, as the ConfigMap says for backends",
  },
  keepaliveRequests: {
    ...kept,
    ...anySeconds,
    ...count,
    name: "auth-keepalive-requests",
    idle: "unneeded",
    default: none,
    example: "100",
    description: "the key `upstream-keepalive-requests` holds for the service as for other backends",
  },
  keepaliveTimeout: {
    ...kept,
    ...anySeconds,
    name: "auth-keepalive-timeout",
    idle: "unneeded",
    default: none,
    example: "30",
    description: "the key `upstream-keepalive-timeout` holds for the service as for other backends",
  },
  sharesVariables: {
    ...kept,
    ...falseByDefault,
    name: "auth-keepalive-share-vars",
    idle: "unneeded",
    description: "the service always sees the variables of the request",
  },
} satisfies Family
