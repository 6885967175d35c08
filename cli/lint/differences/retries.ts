import { unboundedTries } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { refused } from "./matching.ts"

const timeouts = ["proxy-connect-timeout", "proxy-send-timeout", "proxy-read-timeout"]

/** Differences under the heading "Timeouts and retries". */
export const retriesDifferences = {
  "timeout-below-second": {
    what: "A timeout is below 1 s",
    before: "nginx gets the number; 0 disables some timeouts",
    now: "The value is refused, with a Problem",
    concerns: refused(...timeouts, "proxy-next-upstream-timeout", /at least 1/),
  },
  "timeout-above-timer": {
    what: "A timeout is above 24.8 days",
    before: "nginx gets the number",
    now: "The timeout is reduced to 24.8 days",
    why: "nginx's timers are 31-bit milliseconds",
    concerns: refused(...timeouts, /are the most/),
  },
  "proxy-next-upstream-tries-unbounded": {
    what: "`proxy-next-upstream-tries` is 0 or above 16",
    before: "nginx makes as many attempts as it takes, without end when all endpoints are dead",
    now: "nginx makes 16 attempts at most",
    why: "Dead backends must not keep workers busy",
    concerns: unboundedTries,
  },
  retries: {
    what: "Retries",
    before: "May use the same endpoint again",
    now: "An endpoint that this request has tried is not used again while an untried one is left",
    why: "A dead pod costs one attempt",
    concerns: operation,
  },
  "idle-connections-endpoints": {
    what: "Idle connections to endpoints",
    before:
      "Reused by address and port alone. So a location that verifies its backend may use a connection that another location opened without verifying",
    now: "Reused only if protocol, TLS settings, verification and name are the same as well",
    why: "No request may use a connection that its own Ingress would not have opened",
    concerns: operation,
  },
} satisfies Differences
