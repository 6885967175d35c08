import { shown } from "../../../model/shown.ts"
import { isLabel } from "../../../support/host-name.ts"
import { responseHeaders } from "../external-auth/auth-headers.ts"
import { authUrl } from "../external-auth/auth-url.ts"
import { cacheDurations, cacheKey, usualDurationsText } from "../external-auth/cache.ts"
import { authMethod } from "../external-auth/method.ts"
import { redirectParameter, signInUrl } from "../external-auth/sign-in.ts"
import { urlTemplate } from "../external-auth/template.ts"
import { family, type KeyEntry, key } from "../key.ts"
import { accepted, emptyIs, list, type Parser, refused } from "../parser.ts"
import { none, type Syntax } from "../usage.ts"
import { falseByDefault } from "./syntax.ts"

/** Absent: the key says nothing. `null`: what it says cannot be used, so nobody gets in where it counts. */
type Maybe<T> = T | null | undefined

const asked = { keys: { "global-auth-url": "http://auth.shop.svc/verify" } }

type Words = Pick<KeyEntry, "example" | "description"> &
  Partial<Pick<KeyEntry, "shownDefault" | "exampleWith">>

function closing<T>(name: string, { parse, values }: Syntax<T>, words: Words): KeyEntry<Maybe<T>> {
  const trimmed: Parser<Maybe<T>> = (text) => emptyIs<Maybe<T>>(undefined, parse)(text.trim())
  return key(name, { parse: trimmed, values }, "", {
    shownDefault: none,
    ...words,
    whenRefused: { value: null, state: "cannot be used, so the paths that it is for get 503" },
  })
}

function detail<T>(name: string, syntax: Syntax<T>, words: Words): KeyEntry<Maybe<T>> {
  return closing(name, syntax, { exampleWith: asked, ...words })
}

const requestRedirect: Syntax<string> = { parse: urlTemplate, values: "a URL or a path, with variables" }

const namespaces: Parser<readonly string[]> = (text) => {
  const names = list(text).value
  const fault = names.find((name) => !isLabel(name))
  return fault === undefined ? accepted(names) : refused(`for ${shown(fault)} write the name of a namespace`)
}

/** Who is asked about requests where an Ingress names nobody. An Ingress that does takes none of it. */
export const externalAuth = family("Access control", {
  globalAuthUrl: closing("global-auth-url", authUrl, {
    example: "http://auth.shop.svc/verify",
    description: "`auth-url` of Ingresses that have none and do not say `enable-global-auth: false`",
  }),
  globalAuthMethod: detail("global-auth-method", authMethod, {
    shownDefault: "`GET`, whatever the request's is",
    example: "POST",
    description: "its `auth-method`",
  }),
  globalAuthSignIn: detail("global-auth-signin", signInUrl, {
    example: "https://auth.shop.test/start",
    description: "its `auth-signin`",
  }),
  globalAuthRedirectParameter: detail("global-auth-signin-redirect-param", redirectParameter, {
    shownDefault: "`rd`, as for `auth-signin-redirect-param`",
    example: "return_to",
    exampleWith: { keys: { ...asked.keys, "global-auth-signin": "https://auth.shop.test/start" } },
    description: "its `auth-signin-redirect-param`",
  }),
  globalAuthResponseHeaders: detail("global-auth-response-headers", responseHeaders, {
    example: "X-User, X-Groups",
    description: "its `auth-response-headers`",
  }),
  globalAuthRequestRedirect: detail("global-auth-request-redirect", requestRedirect, {
    shownDefault: "$request_uri",
    example: "https://shop.test/",
    description: "its `auth-request-redirect`",
  }),
  globalAuthCacheKey: detail("global-auth-cache-key", cacheKey, {
    example: "$http_authorization$cookie_session",
    description: "its `auth-cache-key`",
  }),
  globalAuthCacheDurations: detail("global-auth-cache-duration", cacheDurations, {
    shownDefault: `\`${usualDurationsText}\`, as for \`auth-cache-duration\``,
    example: "200 10m, 401 1m",
    exampleWith: { keys: { ...asked.keys, "global-auth-cache-key": "$http_authorization" } },
    description: "its `auth-cache-duration`",
  }),
  /** absent: any */
  authNamespaces: key<readonly string[] | null | undefined>(
    "auth-namespaces",
    {
      parse: emptyIs<readonly string[] | undefined>(undefined, namespaces),
      values: "names of namespaces separated by commas",
    },
    "",
    {
      shownDefault: "any namespace",
      example: "auth,oauth2-proxy",
      description:
        "wick's own: the namespaces whose Services an `auth-url` may name, beside the Ingress's own. A host of two labels, or one that ends in `.svc` or `.svc.cluster.local`, is taken for a Service; others are outside of the cluster, and not concerned",
      whenRefused: {
        value: null,
        state: "cannot be used, so only Services of an Ingress's own namespace are asked",
      },
    },
  ),
  globalAuthAlwaysSetsCookie: falseByDefault(
    "global-auth-always-set-cookie",
    "its `auth-always-set-cookie`",
    {
      exampleWith: asked,
    },
  ),
})
