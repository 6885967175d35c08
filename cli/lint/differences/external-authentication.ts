import { judgeAddress } from "../../../controller/support/address.ts"
import { errorCodes } from "./conditions.ts"
import { type Differences, everyRequest, operation } from "./difference.ts"
import {
  both,
  either,
  key,
  keySays,
  problem,
  refused,
  refusedText,
  says,
  takenNow,
  uses,
  usesOrKey,
  withoutAny,
} from "./matching.ts"

const isOfThisMachine = (address: string) => judgeAddress(address, false).kind === "refused"

const isAmbiguous = (cacheKey: string) => /\$\{?(?:cookie|http|arg)_/.test(cacheKey)

/** Differences in access control: external authentication. */
export const externalAuthenticationDifferences = {
  "auth-external-authentication-change": {
    what: "`auth-*` of external authentication: a change",
    before: "Reload",
    now: "Posted",
    why: "Whom to ask is data",
    concerns: operation,
  },
  "auth-url-refused": {
    what: "`auth-url` and its annotations with a value that is refused",
    before:
      "Depends on the annotation: 503, the Ingress is left out, the annotation is ignored, or **all of external authentication is**",
    now: "The Ingress answers 503, with a Problem",
    why: "A typo must not open what was protected",
    concerns: refused(
      "auth-url",
      "auth-method",
      "auth-snippet",
      "auth-response-headers",
      "auth-proxy-set-headers",
      "auth-request-redirect",
      "auth-cache-key",
      "auth-cache-duration",
      "auth-always-set-cookie",
      "auth-signin",
      "auth-signin-redirect-param",
    ),
    breadth: "several",
  },
  "auth-url-who-resolves-name": {
    what: "`auth-url`: who resolves the name",
    before: "nginx, when it is asked, by the cluster's DNS",
    now: "The controller. A name of the cluster's leads straight to the endpoints of the Service; others are looked up as for Services of type ExternalName",
    why: "No DNS in the way of a request",
    concerns: operation,
  },
  "auth-url-own-ports": {
    what: "`auth-url` that leads to one of wick's own ports: of this Pod or another replica, by a Service or a node, also behind a DNS name",
    before: "Asked",
    now: "Not asked: requests get 500, with a Problem",
    why: "What wick serves to its operator is nobody's backend",
    concerns: operation,
  },
  "auth-url-loopback": {
    what: "`auth-url` of this machine: `localhost`, loopback and link-local addresses, also behind a DNS name",
    before: "Asked",
    now: "`localhost` is refused, the addresses are left out, both with a Problem",
    why: "As for endpoints: what listens there is not for tenants",
    concerns: either(
      says("externalAuth", "url", ({ host }) => host.kind === "address" && isOfThisMachine(host.text)),
      refused("auth-url", /localhost means this machine/),
    ),
  },
  "auth-url-variable-as-host": {
    what: "`auth-url` with a variable as its host",
    before: "Whatever it is when the request comes. `$host` is the client's choice on wildcard hosts",
    now: "`$host`, `$http_host`, `$best_http_host` and `$server_name` stand for the host of the rule; where that is not one name, the Ingress answers 503, with a Problem. Others are refused",
    why: "Whoever sends a request must not say who is asked about it",
    concerns: either(
      says("externalAuth", "url", ({ host }) => host.kind === "own"),
      refusedText(/^https?:\/\/[^/]*\$/i, "auth-url"),
    ),
  },
  "auth-url-variable": {
    what: "`auth-url`, `auth-signin` with a variable that nginx does not have, `$uri`, or `$1`",
    before:
      "nginx refuses the configuration; a line break in the path of a request becomes one in the question",
    now: "Refused, with a Problem; write `$request_uri`",
    why: "One mistake must not stop everybody else, nor one request look like two",
    concerns: refused("auth-url", "auth-signin", /line breaks|no variable/),
  },
  "custom-http-errors-beside-sign-in": {
    what: "`custom-http-errors` of the ConfigMap, on paths with `auth-signin` or `global-auth-signin`",
    before:
      "No effect there: the path has an error page of its own, the sign-in, and does not take over those of all others",
    now: "In effect there as everywhere",
    why: "A sign-in says nothing of other errors",
    concerns: both(
      either(
        both(uses("auth-url"), uses("auth-signin")),
        both(key("global-auth-url"), key("global-auth-signin"), withoutAny("auth-url")),
      ),
      key("custom-http-errors"),
      withoutAny("custom-http-errors"),
    ),
  },
  "auth-signin-refused": {
    what: "`auth-signin`",
    before: "Any text, any host",
    now: "An `http` or `https` URL, or a path. As its host only the request's own may be variable; no variable with a password or session",
    why: "Nobody may choose where others are led",
    concerns: refused("auth-signin"),
  },
  "auth-signin-return-host": {
    what: "`auth-signin`: the address to come back to",
    before: "Host header as the client sent it",
    now: "The host that the request was served for: `X-Forwarded-Host` where `use-forwarded-headers` says so",
    why: "One host per request",
    concerns: both(uses("auth-signin"), keySays("usesForwardedHeaders", true)),
  },
  "auth-signin-fragment": {
    what: "`auth-signin` with a fragment, or with `?` at its end",
    before: "The parameter is added behind the fragment, or after a second `?`",
    now: "Added before the fragment, after the one `?`",
    concerns: says("externalAuth", "signIn", (url) => /#|\?$/.test(url)),
  },
  "auth-headers-framing": {
    what: "`auth-response-headers`, `auth-proxy-set-headers` with `Host`, `Content-Length`, `Transfer-Encoding`, `Connection` and the like",
    before: "Set",
    now: "Refused, with a Problem",
    why: "They say where a request ends, and whom it is for",
    concerns: either(
      refused("auth-response-headers", "auth-proxy-set-headers"),
      problem("auth-headers-refused"),
    ),
  },
  "auth-proxy-set-headers-namespace": {
    what: "`auth-proxy-set-headers` in the namespace of the Ingress",
    before: "Only as `namespace/name`",
    now: "`name`, too",
    why: "As for all references",
    concerns: says("externalAuth", "headers", (reference) => !reference.includes("/")),
  },
  "auth-request-redirect-variables": {
    what: "`auth-request-redirect` with variables",
    before: "The whole of external authentication is ignored",
    now: "In effect",
    why: "People write `$request_uri`",
    concerns: says("externalAuth", "requestRedirect", (url) => url.includes("$")),
  },
  "auth-cache-duration-milliseconds": {
    what: "`auth-cache-duration` with a number of milliseconds",
    before: "nginx refuses the configuration",
    now: "Rounded up to seconds",
    concerns: takenNow("auth-cache-duration", "stops-all"),
  },
  "auth-url-https-service-s-certificate": {
    what: "`auth-url` with `https`: the service's certificate",
    before: "Not verified",
    now: "The same, unless `wick.dev/auth-proxy-ssl-secret` has CAs to verify it by",
    concerns: operation,
  },
  "auth-errors-intercepted": {
    what: "Error pages and nginx's own errors while a service is asked",
    before:
      "A page that answers 2xx lets everybody in, where `custom-http-errors` has 502 or 504 and the service is down",
    now: "Only a whole answer of the service counts; else 500",
    why: "What guards must not open when it breaks",
    concerns: both(
      usesOrKey("auth-url", "global-auth-url"),
      errorCodes((code) => code >= 500 && code <= 509),
    ),
  },
  "questions-service-x-original-uri-x": {
    what: "Questions to a service: `X-Original-URI` and `X-Scheme` without `auth-method`, and headers of ours spelled with `_`",
    before: "The client's",
    now: "Not sent",
    why: "They would pass for ours",
    concerns: everyRequest,
  },
  "set-cookie-service-several": {
    what: "`Set-Cookie` of a service, several",
    before: "One line, with commas between",
    now: "A line each",
    why: "Browsers read one cookie a line",
    concerns: everyRequest,
  },
  "auth-response-headers-satisfy-any": {
    what: "`auth-response-headers` where another check lets a request in (`satisfy: any`)",
    before: "Empty",
    now: "Removed, in every spelling",
    concerns: both(uses("auth-response-headers"), says("access", "satisfy", "any")),
  },
  "auth-cache-key-post": {
    what: "`auth-cache-key` with `auth-method: POST`",
    before: "Nothing is kept",
    now: "Kept",
    concerns: both(uses("auth-cache-key"), says("externalAuth", "method", "POST")),
  },
  "auth-cache-key-ambiguous": {
    what: "`auth-cache-key` with `$cookie_NAME`, `$http_NAME` or `$arg_NAME`, of which a request has several, or one in another spelling",
    before: "Kept under the first one, whatever the service has decided by",
    now: "Asked, and not kept",
    why: "`Session=nobody; session=good` must let in nobody else",
    concerns: either(
      says("externalAuth", "cacheKey", isAmbiguous),
      keySays("globalAuthCacheKey", isAmbiguous),
    ),
  },
  "no-auth-locations-pattern": {
    what: "`no-auth-locations`, and a path that is a regular expression",
    before: "Exempt where its text begins with a location: `/health|/admin`, too",
    now: "Exempt where everything that it finds begins with the location",
    why: "A tenant must not open a path by its spelling",
    concerns: operation,
  },
  "auth-cache-key-answer-vary": {
    what: "`auth-cache-key`, and an answer with `Vary`",
    before: "Kept by the headers that it names",
    now: "Not kept, unless it names `Accept-Encoding` only",
    concerns: operation,
  },
  "auth-cache-key-many-requests-at": {
    what: "`auth-cache-key`: many requests at once whose answer is not known",
    before: "All ask",
    now: "One of each worker asks, the others wait",
    concerns: operation,
  },
  "auth-keepalive": {
    what: "`auth-keepalive`, `-requests`, `-timeout`, `-share-vars`",
    before: "Another way of asking, with other rules: only 200 lets a request in, headers get mixed up",
    now: "No effect: connections to the service are always kept, as the ConfigMap says for backends",
    why: "One way of asking, whose rules do not depend on connections",
    concerns: says("externalAuth", "keepalive", (connections) => connections > 0),
  },
} satisfies Differences
