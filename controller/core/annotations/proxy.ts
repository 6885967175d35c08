import { nextUpstream } from "../options/next-upstream.ts"
import { boolean } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import {
  bufferBytes,
  count,
  countFromOne,
  onOff,
  secondsAsMs,
  secondsOrNoneAsMs,
  sizeWithBlanks,
} from "./parse.ts"

const number = { place: "route", scope: "location", risk: "low", since: "0.1.0" } as const

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
