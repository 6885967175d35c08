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
    what: "`auth-url`, or an annotation that belongs to it, has a value that wick refuses",
    before:
      "It depends on the annotation: requests get 503, the Ingress is left out, the annotation is ignored, or **all of external authentication is**",
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
    what: "`auth-url` leads to this machine: `localhost`, a loopback or link-local address, also behind a DNS name",
    before: "The service there is asked",
    now: "`localhost` is refused, such addresses are left out, both with a Problem",
    why: "As for endpoints: what listens there is not for tenants",
    concerns: either(
      says("externalAuth", "url", ({ host }) => host.kind === "address" && isOfThisMachine(host.text)),
      refused("auth-url", /localhost means this machine/),
    ),
  },
  "auth-url-variable-as-host": {
    what: "`auth-url` has a variable as its host",
    before:
      "The host is whatever the variable is when the request comes. `$host` is the client's choice on wildcard hosts",
    now: "`$host`, `$http_host`, `$best_http_host` and `$server_name` stand for the host of the rule; where that is not one name, the Ingress answers 503, with a Problem. Other variables are refused",
    why: "A client must not say who is asked about it",
    concerns: either(
      says("externalAuth", "url", ({ host }) => host.kind === "own"),
      refusedText(/^https?:\/\/[^/]*\$/i, "auth-url"),
    ),
  },
  "auth-url-variable": {
    what: "`auth-url` or `auth-signin` uses a variable that nginx does not have, `$uri`, or `$1`",
    before:
      "nginx refuses the configuration; a line break in the path of a request becomes one in the question",
    now: "The value is refused, with a Problem; write `$request_uri`",
    why: "One mistake must not stop everybody else, nor one request look like two",
    concerns: refused("auth-url", "auth-signin", /line breaks|no variable/),
  },
  "custom-http-errors-beside-sign-in": {
    what: "The ConfigMap has `custom-http-errors`, and the paths have `auth-signin` or `global-auth-signin`",
    before: "The paths show none of these error pages: they have one of their own, the sign-in",
    now: "The paths show these error pages as all others do",
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
    what: "`auth-signin` is not a URL or a path that clients may be sent to",
    before: "Any text and any host is taken",
    now: "An `http` or `https` URL or a path is taken. As its host only the request's own may be variable; a variable with a password or session is refused",
    why: "Nobody may choose where others are led",
    concerns: refused("auth-signin"),
  },
  "auth-signin-return-host": {
    what: "`auth-signin` brings clients back, and `use-forwarded-headers` is on",
    before: "Clients come back to the host of the Host header as they sent it",
    now: "Clients come back to the host that the request was served for: that of `X-Forwarded-Host`",
    why: "One host per request",
    concerns: both(uses("auth-signin"), keySays("usesForwardedHeaders", true)),
  },
  "auth-signin-fragment": {
    what: "`auth-signin` has a fragment, or `?` at its end",
    before: "The parameter is added behind the fragment, or after a second `?`",
    now: "The parameter is added before the fragment, after the one `?`",
    concerns: says("externalAuth", "signIn", (url) => /#|\?$/.test(url)),
  },
  "auth-headers-framing": {
    what: "`auth-response-headers` or `auth-proxy-set-headers` has `Host`, `Content-Length`, `Transfer-Encoding`, `Connection` or the like",
    before: "The header is set",
    now: "The value is refused, with a Problem",
    why: "They say where a request ends, and whom it is for",
    concerns: either(
      refused("auth-response-headers", "auth-proxy-set-headers"),
      problem("auth-headers-refused"),
    ),
  },
  "auth-proxy-set-headers-namespace": {
    what: "`auth-proxy-set-headers` names a ConfigMap without its namespace",
    before: "The ConfigMap is not found: only `namespace/name` is",
    now: "The ConfigMap of the Ingress's namespace is read",
    why: "As for all references",
    concerns: says("externalAuth", "headers", (reference) => !reference.includes("/")),
  },
  "auth-request-redirect-variables": {
    what: "`auth-request-redirect` uses variables",
    before: "The whole of external authentication is ignored",
    now: "The variables are filled in",
    why: "People write `$request_uri`",
    concerns: says("externalAuth", "requestRedirect", (url) => url.includes("$")),
  },
  "auth-cache-duration-milliseconds": {
    what: "`auth-cache-duration` has a time in milliseconds",
    before: "nginx refuses the configuration",
    now: "The time is rounded up to seconds",
    concerns: takenNow("auth-cache-duration", "stops-all"),
  },
  "auth-url-https-service-s-certificate": {
    what: "`auth-url` with `https`: the service's certificate",
    before: "Not verified",
    now: "The same, unless `wick.dev/auth-proxy-ssl-secret` has CAs to verify it by",
    concerns: operation,
  },
  "auth-errors-intercepted": {
    what: "`custom-http-errors` has a code from 500 to 509, and a service is asked about requests (`auth-url`)",
    before:
      "An error page that answers 2xx lets everybody in, where the list has 502 or 504 and the service is down",
    now: "Only a whole answer of the service counts; anything else is 500",
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
    before: "One line, separated by commas",
    now: "A line each",
    why: "Browsers read one cookie a line",
    concerns: everyRequest,
  },
  "auth-response-headers-satisfy-any": {
    what: "`auth-response-headers` stands beside `satisfy: any`, so that another check may let a request in",
    before: "These headers reach the backend empty",
    now: "These headers are removed, in every spelling",
    concerns: both(uses("auth-response-headers"), says("access", "satisfy", "any")),
  },
  "auth-cache-key-post": {
    what: "`auth-cache-key` stands beside `auth-method: POST`",
    before: "No answer is kept",
    now: "Answers are kept",
    concerns: both(uses("auth-cache-key"), says("externalAuth", "method", "POST")),
  },
  "auth-cache-key-ambiguous": {
    what: "`auth-cache-key` or `global-auth-cache-key` has `$cookie_NAME`, `$http_NAME` or `$arg_NAME`, of which a request may have several, or one in another spelling",
    before: "The answer is kept under the first one, whatever the service has decided by",
    now: "The service is asked, and its answer is not kept",
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
    what: "`auth-keepalive` keeps connections to the authentication service",
    before:
      "The service is asked in another way, with other rules: only 200 lets a request in, and headers get mixed up",
    now: "The annotation, with `-requests`, `-timeout` and `-share-vars`, has no effect: connections are always kept, as the ConfigMap says for backends",
    why: "One way of asking, whose rules do not depend on connections",
    concerns: says("externalAuth", "keepalive", (connections) => connections > 0),
  },
} satisfies Differences
