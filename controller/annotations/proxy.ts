import { accepted, boolean, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import {
  type AnnotationParser,
  bufferBytes,
  count,
  countFromOne,
  onOff,
  secondsAsMs,
  secondsOrNoneAsMs,
  sizeWithBlanks,
  trimmed,
} from "./parse.ts"

const number = { place: "route", scope: "location", risk: "low", since: "0.1.0" } as const

const conditions = [
  "error",
  "timeout",
  "invalid_header",
  "http_500",
  "http_502",
  "http_503",
  "http_504",
  "http_403",
  "http_404",
  "http_429",
  "non_idempotent",
  "off",
]

/** The words of `proxy_next_upstream`, each once, in nginx's order. */
const nextUpstream: AnnotationParser<string> = trimmed((text) => {
  const words = text.split(/ +/)
  const unknown = words.find((word) => !conditions.includes(word))
  if (unknown !== undefined) return refused(`write words among ${conditions.join(", ")}, with blanks between`)
  return accepted(conditions.filter((word) => words.includes(word)).join(" "))
})

/** How requests are passed on: times, sizes, buffers, retries. All of them are numbers of the route. */
export const proxyAnnotations: readonly Annotation[] = [
  { ...number, name: "proxy-connect-timeout", field: "proxyConnectTimeoutMs", parse: secondsAsMs },
  { ...number, name: "proxy-send-timeout", field: "proxySendTimeoutMs", parse: secondsAsMs },
  { ...number, name: "proxy-read-timeout", field: "proxyReadTimeoutMs", parse: secondsAsMs },
  {
    ...number,
    name: "proxy-body-size",
    risk: "medium",
    field: "clientMaxBodyBytes",
    parse: sizeWithBlanks,
  },
  { ...number, name: "client-body-buffer-size", field: "clientBodyBufferBytes", parse: bufferBytes },
  { ...number, name: "proxy-buffer-size", field: "proxyBufferBytes", parse: bufferBytes },
  { ...number, name: "proxy-buffers-number", field: "proxyBuffersNumber", parse: countFromOne },
  { ...number, name: "proxy-busy-buffers-size", field: "proxyBusyBuffersBytes", parse: bufferBytes },
  { ...number, name: "proxy-buffering", field: "proxyBuffering", parse: onOff },
  { ...number, name: "proxy-request-buffering", field: "proxyRequestBuffering", parse: onOff },
  { ...number, name: "proxy-max-temp-file-size", field: "proxyMaxTempFileBytes", parse: sizeWithBlanks },
  {
    ...number,
    name: "proxy-next-upstream",
    risk: "medium",
    field: "proxyNextUpstream",
    parse: nextUpstream,
  },
  { ...number, name: "proxy-next-upstream-tries", field: "proxyNextUpstreamTries", parse: count },
  {
    ...number,
    name: "proxy-next-upstream-timeout",
    field: "proxyNextUpstreamTimeoutMs",
    parse: secondsOrNoneAsMs,
  },
  {
    name: "enable-access-log",
    place: "logs",
    scope: "location",
    risk: "low",
    since: "0.1.0",
    field: "isLogged",
    parse: boolean,
  },
]
