import type { Upstream } from "../../../model/http/upstream.ts"
import { type Keys, key } from "../key.ts"
import { count, nginxTimeMs, positive, seconds } from "./parsers.ts"

export const upstream: Keys<Upstream> = {
  upstreamKeepaliveConnections: key("upstream-keepalive-connections", count, "320"),
  upstreamKeepaliveTimeMs: key("upstream-keepalive-time", nginxTimeMs, "1h"),
  upstreamKeepaliveTimeoutSeconds: key("upstream-keepalive-timeout", seconds, "60"),
  upstreamKeepaliveRequests: key("upstream-keepalive-requests", positive, "10000"),
}
