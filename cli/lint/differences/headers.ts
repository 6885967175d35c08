import { errorCodes, setsOwnHeaders } from "./conditions.ts"
import { type Differences, everyRequest, operation } from "./difference.ts"
import {
  both,
  either,
  key,
  keySays,
  problem,
  problemText,
  refused,
  refusedText,
  says,
  settingSays,
  uses,
  usesOrKey,
} from "./matching.ts"

/** Of an address, or of a name that DNS was asked for. */
const saidOfAddress = /^(?!.*DNS has not answered yet)/s

/** Differences under the heading "Headers, mirrors and error pages". */
export const headersDifferences = {
  "custom-headers-fastcgi-params-configmap-proxy": {
    what: "`custom-headers`, `fastcgi-params-configmap`, `proxy-ssl-secret`: their ConfigMap or Secret changes",
    before: "Takes effect at the Ingress's next event",
    now: "Takes effect at once",
    concerns: operation,
  },
  "custom-headers-namespace": {
    what: "`custom-headers` names a ConfigMap of another namespace",
    before: "The ConfigMap is read",
    now: "The Ingress is denied. With `allow-cross-namespace-resources` the ConfigMap is read",
    why: "As for all references",
    concerns: problem("reference-forbidden", "custom-headers"),
  },
  "headers-of-proxies": {
    what: "`Forwarded`, `X-Forwarded-Prefix` and the rest of `X-Forwarded-*`, `X-Original-*` and `X-Rewrite-URL` of clients",
    before: "Passed on, but for those that the controller sets itself",
    now: "Removed, unless the sender is a trusted proxy (`use-forwarded-headers`, `proxy-real-ip-cidr`)",
    why: "A family of headers is believed whole or not at all",
    concerns: everyRequest,
  },
  "headers-of-nobody": {
    what: "`ssl-client-*` where no certificate was asked for, `HTTP2-Settings`, and `Proxy` in questions to authentication services and in copies for mirrors",
    before: "Passed on",
    now: "Removed",
    why: "Only wick says who a client has proved to be",
    concerns: everyRequest,
  },
  "headers-in-other-spellings": {
    what: "`enable-underscores-in-headers` is on or `ignore-invalid-headers` off, and clients may send headers that the controller or authentication sets, spelled otherwise (`X_Real_IP`)",
    before: "Such headers reach the backend beside the controller's",
    now: "Such headers are removed",
    why: "Many backends take both for one",
    concerns: either(keySays("allowsUnderscores", true), keySays("ignoresInvalidHeaders", false)),
  },
  "server-of-backends-without-one": {
    what: "`allow-backend-server-header` and `server-tokens` are on, and a backend may send no `Server`",
    before: "nginx names itself in the answer",
    now: "The answer has no `Server`",
    why: "The header is the backend's",
    concerns: both(keySays("passesServer", true), keySays("showsServer", true)),
  },
  "upgrade-to-http2": {
    what: "`Upgrade: h2c` and other versions of HTTP, also in a list; 101 for a protocol that the client has not asked for",
    before: "Passed on",
    now: "Removed from the list; 502, and the connection ends",
    why: "What goes through such a connection passes every check",
    concerns: everyRequest,
  },
  "errors-of-refused-requests": {
    what: "`custom-http-errors` makes pages for requests that a check or a limit has refused",
    before: "The error backend gets headers and body of the request, cookies and credentials included",
    now: "The error backend gets no body, and of the headers what chooses a page: `Accept*`, `User-Agent` and those of the controller",
    why: "Nobody is to be given what the application was not",
    concerns: usesOrKey("custom-http-errors", "custom-http-errors"),
  },
  "add-headers-proxy-set-headers-their": {
    what: "`add-headers`, `proxy-set-headers`: their ConfigMap changes",
    before: "Takes effect with the next reload for another reason",
    now: "Takes effect at once, by a reload",
    concerns: operation,
  },
  "proxy-set-headers-twice": {
    what: "`proxy-set-headers` has a header that the controller sets itself",
    before: "The header is sent twice",
    now: "The header replaces the controller's",
    why: "Backends saw either of the two",
    concerns: setsOwnHeaders,
  },
  "template-with-decoded-path": {
    what: "`upstream-vhost`, `mirror-target`, `mirror-host` or `proxy-ssl-name` uses `$uri`, another decoded path or a group of the path",
    before: "The value is accepted",
    now: "The value is refused, with a Problem",
    why: "A line break in a path would start another header or request",
    concerns: refused("upstream-vhost", "mirror-target", "mirror-host", "proxy-ssl-name", /line breaks/),
  },
  "proxy-cookie-regex": {
    what: "`proxy-cookie-domain`, `proxy-cookie-path` or `proxy-redirect-from` begins with `~`",
    before: "The value is a regular expression",
    now: "The value is refused, with a Problem. `proxy-redirect-from` takes it as a plain text where nothing else in it is special",
    why: "They are values of routes",
    concerns: either(
      refusedText(/^~/, "proxy-cookie-domain", "proxy-cookie-path", "proxy-redirect-from"),
      says("responses", "redirectFrom", (beginning) => beginning.startsWith("~")),
    ),
  },
  "proxy-redirect-from-default": {
    what: "`proxy-redirect-from: default`",
    before: "nginx's `default`",
    now: "Replaces `http://upstream_balancer/` by `/`, which has the same result",
    concerns: operation,
  },
  "x-accel-redirect-from-backend": {
    what: "`X-Accel-Redirect` from a backend",
    before: "Obeyed",
    now: "Ignored",
    why: "A response must not select another location",
    concerns: everyRequest,
  },
  "mirror-target-without-path": {
    what: "`mirror-target` has no path",
    before: "The mirror is asked for `/_mirror-…`",
    now: "The mirror is asked for the client's URL",
    concerns: says("mirror", "target", ({ url }) => /^https?:\/\/[^/$]*$/.test(url)),
  },
  "mirror-target-refused": {
    what: "`mirror-target` has a variable in its host, or leads to a loopback or link-local address or one of wick's own ports, also behind a DNS name or a Service",
    before: "nginx connects to whatever the host leads to",
    now: "Nothing is mirrored, with a Problem",
    why: "Nobody may send requests to what listens on this machine, or to what wick serves to its operator",
    concerns: either(problemText("mirror-refused", saidOfAddress), refused("mirror-target")),
  },
  "mirror-target-who-resolves-name": {
    what: "`mirror-target`: who resolves the name, and who is connected to",
    before: "nginx, which gets a Service's address for the name of one",
    now: "The controller, which follows it when it changes. For the name of a Service its endpoints are connected to, with connections that are kept; a name of one label is that of a Service of the namespace",
    why: "Addresses are judged as those of endpoints are",
    concerns: operation,
  },
  "mirror-request-body-off": {
    what: "`mirror-request-body` is off",
    before: "The copy announces a body that never comes",
    now: "The copy has no body",
    concerns: both(uses("mirror-target"), says("mirror", "body", "off")),
  },
  "mirror-does-not-answer": {
    what: "A mirror that does not answer",
    before: "Delays the next request on the client's connection by up to 60 s",
    now: "Delays it by up to 5 s (1 s to connect)",
    concerns: operation,
  },
  "custom-http-errors-499": {
    what: "`custom-http-errors` has 499",
    before: "nginx refuses the whole configuration",
    now: "The value is refused, with a Problem",
    concerns: either(
      refused("custom-http-errors", /leave out 499/),
      both(key("custom-http-errors"), settingSays(/"499": nobody is there to answer/)),
    ),
  },
  "custom-http-errors-413": {
    what: "`custom-http-errors` has 413",
    before: "The request to the error backend announces a body that never comes",
    now: "The request to the error backend has no body",
    concerns: errorCodes((code) => code === 413),
  },
} satisfies Differences
