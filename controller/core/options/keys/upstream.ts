import type { Upstream } from "../../../model/http/backends.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { count, nginxTime, orZero, positive, seconds } from "./syntax.ts"

export const upstream = family("Backends", {
  upstreamKeepaliveConnections: key("upstream-keepalive-connections", orZero(count, "keeps none"), "320", {
    example: "64",
    description: "maximum number of idle connections to endpoints that each worker keeps",
  }),
  upstreamKeepaliveTimeMs: key("upstream-keepalive-time", nginxTime, "1h", {
    example: "30m",
    description: "maximum age of a connection to an endpoint",
  }),
  upstreamKeepaliveTimeoutSeconds: key("upstream-keepalive-timeout", seconds, "60", {
    example: "30",
    description: "how long an idle connection to an endpoint is kept open",
  }),
  upstreamKeepaliveRequests: key("upstream-keepalive-requests", positive, "10000", {
    example: "1000",
    description: "maximum number of requests on one connection to an endpoint",
  }),
} satisfies EntriesFor<Upstream>)
