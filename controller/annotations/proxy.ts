import { oneOf } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { secondsAsMs, sizeWithBlanks } from "./parse.ts"

/** How requests are passed on: times, sizes, protocol version. */
export const proxyAnnotations: readonly Annotation[] = [
  {
    name: "proxy-connect-timeout",
    scope: "location",
    risk: "low",
    since: "0.1.0",
    place: "route",
    field: "proxyConnectTimeoutMs",
    parse: secondsAsMs,
  },
  {
    name: "proxy-send-timeout",
    scope: "location",
    risk: "low",
    since: "0.1.0",
    place: "route",
    field: "proxySendTimeoutMs",
    parse: secondsAsMs,
  },
  {
    name: "proxy-read-timeout",
    scope: "location",
    risk: "low",
    since: "0.1.0",
    place: "route",
    field: "proxyReadTimeoutMs",
    parse: secondsAsMs,
  },
  {
    name: "proxy-body-size",
    scope: "location",
    risk: "medium",
    since: "0.1.0",
    place: "route",
    field: "clientMaxBodyBytes",
    parse: sizeWithBlanks,
  },
  {
    name: "proxy-http-version",
    scope: "location",
    risk: "low",
    since: "0.1.0",
    place: "policy",
    field: "proxyHttpVersion",
    parse: oneOf("1.0", "1.1"),
  },
]
