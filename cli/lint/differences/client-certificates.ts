import { onlyDefaultBackend, wildcardHost } from "./conditions.ts"
import { type Differences, onlyNginx, operation } from "./difference.ts"
import { both, either, keySays, refused, refusedText, says, uses } from "./matching.ts"

/** Differences under the heading "Client certificates". */
export const clientCertificatesDifferences = {
  "auth-tls-cas-crls-settings-change": {
    what: "`auth-tls-*`: CAs, CRLs or settings change",
    before: "Reload. Open connections continue as they began",
    now: "No reload. A connection from before the CAs or CRLs changed gets 421 on its next request",
    why: "A revoked client is locked out",
    concerns: operation,
  },
  "auth-tls-refused": {
    what: "`auth-tls-secret` or `auth-tls-match-cn` has a value that wick refuses",
    before: "The Ingress is left out: its previous version stays in force, or nothing is",
    now: "The hosts of the Ingress are closed (403), with a Problem",
    why: "A typo must not open what should be closed",
    concerns: refused("auth-tls-secret", "auth-tls-match-cn"),
  },
  "auth-tls-match-cn-pattern": {
    what: "`auth-tls-match-cn` that nginx cannot compile",
    before: "nginx accepts no further configuration, for anybody",
    now: "Its hosts are closed (403), with a Problem",
    why: "One mistake must not stop everybody else",
    concerns: onlyNginx,
  },
  "auth-tls-verify-depth-bounds": {
    what: "`auth-tls-verify-depth` is below 0 or above 100",
    before: "A depth below 0 is 1. One above 100 goes to nginx",
    now: "A depth below 0 is 1. One above 100 is 100. There is a Problem in either case",
    concerns: either(
      refusedText(/^-/, "auth-tls-verify-depth"),
      refused("auth-tls-verify-depth", /is the most/),
    ),
  },
  "auth-tls-error-page-refused": {
    what: "`auth-tls-error-page` is `@name`, or a host without `http://` or `https://`",
    before: "The page is a named location, or a path relative to the request, which leads there again",
    now: "The annotation is ignored, with a Problem; the client gets 400",
    concerns: refused("auth-tls-error-page"),
  },
  "auth-tls-error-page-with-match-cn": {
    what: "`auth-tls-error-page` is a path, and `auth-tls-match-cn` is there, too",
    before: "A client without a certificate gets 403 instead of the page",
    now: "A client without a certificate gets the page",
    why: "The page is meant for clients without a certificate",
    concerns: both(
      says("clients", "errorPage", (page) => page.startsWith("/")),
      uses("auth-tls-match-cn"),
    ),
  },
  "auth-tls-off-beside-others": {
    what: "`auth-tls-verify-client` is `off`, and a connection may be one for which another host requested a certificate",
    before: "The backend is told about that certificate",
    now: "The request gets 421",
    why: "It was verified for another host",
    concerns: both(uses("auth-tls-secret"), says("clients", "verify", "off")),
  },
  "auth-tls-of-wildcard": {
    what: "`auth-tls-secret` is on a wildcard host, and a request may be for another of its names than the handshake was",
    before: "The request is served: all names are one server block",
    now: "The request gets 421, so that the client connects anew",
    why: "The certificate was shown for one name",
    concerns: both(uses("auth-tls-secret"), wildcardHost),
  },
  "auth-tls-of-default-backend": {
    what: "`auth-tls-secret` is on an Ingress that has only a default backend",
    before: "The annotation has no effect",
    now: "The annotation applies to all hosts that no Ingress mentions",
    why: "That is what the Ingress says",
    concerns: both(uses("auth-tls-secret"), onlyDefaultBackend),
  },
  "auth-tls-of-canary": {
    what: "`auth-tls-secret` is on a canary",
    before: "The canary's settings count by its age, like those of any Ingress",
    now: "The canary's settings come after those of all other Ingresses of its host",
    why: "A canary has no host of its own",
    concerns: both(uses("auth-tls-secret"), says("canary", "isCanary", true)),
  },
  "auth-tls-with-www-redirect": {
    what: "`auth-tls-secret` and `from-to-www-redirect` are on the same Ingress",
    before: "The redirected name requests no certificate",
    now: "The redirected name requests the same as the host",
    concerns: both(uses("auth-tls-secret"), says("routing", "redirectsWww", true)),
  },
  "client-certificate-headers": {
    what: "`enable-underscores-in-headers` is on, and clients may send headers that look like `ssl-client-verify` to a backend (`ssl_client_verify`)",
    before: "Such headers reach the backend",
    now: "Such headers are removed",
    why: "CGI, WSGI and PHP map both names to the same variable",
    concerns: keySays("allowsUnderscores", true),
  },
} satisfies Differences
