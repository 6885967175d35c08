import type { Overrides } from "../../model/overrides.ts"
import { nextUpstream } from "../options/next-upstream.ts"
import { values } from "../options/usage.ts"
import { type FamilyFor, fromConfigMap } from "./entry.ts"
import {
  bufferSize,
  count,
  countFromOne,
  kilobytes,
  onOff,
  seconds,
  secondsOrNone,
  size,
  time,
} from "./syntax.ts"

const number = {
  section: "Proxying",
  default: fromConfigMap,
  scope: "location",
  risk: "low",
  since: "0.1.0",
} as const

/** How requests are passed on: times, sizes, buffers, retries, rates. All of them are numbers of the route. */
export const proxyAnnotations = {
  proxyConnectTimeoutMs: {
    ...number,
    name: "proxy-connect-timeout",
    ...seconds,
    example: "10",
    description: "longest wait for a connection to an endpoint",
  },
  proxySendTimeoutMs: {
    ...number,
    name: "proxy-send-timeout",
    ...seconds,
    example: "120",
    description: "longest pause while a request is sent to an endpoint",
  },
  proxyReadTimeoutMs: {
    ...number,
    name: "proxy-read-timeout",
    ...seconds,
    example: "120",
    description: "longest pause while a response is read; then 504",
  },
  clientMaxBodyBytes: {
    ...number,
    name: "proxy-body-size",
    ...size,
    values: `${values.size}; \`0\` is no limit`,
    example: "8m",
    description: "largest request body; larger ones get 413",
    risk: "medium",
  },
  clientBodyBufferBytes: {
    ...number,
    name: "client-body-buffer-size",
    ...bufferSize,
    example: "16k",
    description: "how much of a request body is kept in memory",
  },
  proxyBufferBytes: {
    ...number,
    name: "proxy-buffer-size",
    ...bufferSize,
    example: "8k",
    description: "buffer for the head of a response, and size of each of proxy-buffers-number",
  },
  proxyBuffersNumber: {
    ...number,
    name: "proxy-buffers-number",
    ...countFromOne,
    example: "8",
    description: "number of buffers for a response",
  },
  proxyBusyBuffersBytes: {
    ...number,
    name: "proxy-busy-buffers-size",
    ...bufferSize,
    example: "16k",
    description: "how much of the buffers may be busy sending to the client",
  },
  proxyBuffering: {
    ...number,
    name: "proxy-buffering",
    ...onOff,
    example: "on",
    description: "whether responses are buffered",
  },
  proxyRequestBuffering: {
    ...number,
    name: "proxy-request-buffering",
    ...onOff,
    example: "off",
    description: "`off` passes request bodies on while they are received",
  },
  proxyMaxTempFileBytes: {
    ...number,
    name: "proxy-max-temp-file-size",
    ...size,
    values: `${values.size}; \`0\` is none`,
    example: "256m",
    description: "how much of a buffered response may be written to disk",
  },
  proxyNextUpstream: {
    ...number,
    name: "proxy-next-upstream",
    ...nextUpstream,
    example: "error timeout http_502",
    description: "failures after which another endpoint is tried",
    risk: "medium",
  },
  proxyNextUpstreamTries: {
    ...number,
    name: "proxy-next-upstream-tries",
    ...count,
    values: `${values.count}; \`0\` is no limit`,
    example: "2",
    description: "maximum number of attempts in all",
  },
  proxyNextUpstreamTimeoutMs: {
    ...number,
    name: "proxy-next-upstream-timeout",
    ...secondsOrNone,
    example: "10",
    description: "how long after the first attempt another one may begin",
  },
  clientBodyTimeoutMs: {
    ...number,
    isOwn: true,
    name: "client-body-timeout",
    ...time,
    example: "1h",
    description:
      "longest pause while a request body is received; then 408. An idle gRPC stream needs it, too",
  },
  sendTimeoutMs: {
    ...number,
    isOwn: true,
    name: "client-send-timeout",
    ...time,
    default: "60s",
    example: "5m",
    description: "longest pause while a client takes nothing of a response; then the connection is closed",
  },
  limitRateBytes: {
    ...number,
    name: "limit-rate",
    ...kilobytes,
    values: `${values.count}; \`0\` is no limit`,
    example: "512",
    description: "maximum kilobytes per second at which a response is sent; needs proxy-buffering",
  },
  limitRateAfterBytes: {
    ...number,
    name: "limit-rate-after",
    ...kilobytes,
    example: "64",
    description: "kilobytes of a response that are sent before limit-rate applies",
  },
} satisfies FamilyFor<Overrides>
