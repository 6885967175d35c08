import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "Leader election". */
export const leaderElectionDifferences = {
  "leader-stopped": {
    what: "The leader is stopped",
    before: "Its Lease expires: another replica leads after 30 to 45 seconds",
    now: "It releases the Lease. The other replicas watch it, and one leads at once",
    concerns: operation,
  },
  "leader-was-suspended-sigstop-machine-slept": {
    what: "The leader was suspended (SIGSTOP, a machine that slept)",
    before: "Continues until its timer fires",
    now: "Checks the clocks before each request that only a leader may make",
    why: "Two replicas must not write in turns",
    concerns: operation,
  },
  "when-leader-s-time-begins": {
    what: "When the leader's time begins",
    before: "When the answer to a renewal arrives",
    now: "When the renewal is sent",
    why: "The answer may take a while",
    concerns: operation,
  },
  "election-ttl-below-one-second": {
    what: "`--election-ttl` below one second",
    before: "The API server refuses the Lease",
    now: "The Lease is for one second",
    concerns: operation,
  },
  "lease-deleted": {
    what: "The Lease is deleted",
    before: "The first replica that notices makes a new one, while the leader still leads",
    now: "The leader makes it again. Other replicas do so only when the leader's time is over",
    concerns: operation,
  },
  "disable-leader-election": {
    what: "`--disable-leader-election`",
    before: "The status is emptied at the end nevertheless",
    now: "No status is written or emptied",
    concerns: operation,
  },
} satisfies Differences
