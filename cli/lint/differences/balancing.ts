import { policyIn } from "../../../controller/core/options/algorithm.ts"
import { ewma } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { refused, says } from "./matching.ts"

/** Differences under the heading "Load balancing". */
export const balancingDifferences = {
  "load-balance-unknown-name": {
    what: "`load-balance` names an algorithm that does not exist",
    before: "The Ingress is left out",
    now: "Round robin is used, with a Problem. `least_conn` and `p2c` are additional algorithms of wick",
    why: "A typo must not take a host down",
    concerns: refused("load-balance"),
  },
  "load-balance-wasm-name-wick-dev": {
    what: "`load-balance: wasm/NAME` asks for a balancing policy (`wick.dev/policy-config`)",
    before: "There is no such algorithm",
    now: "The policy balances, where the operator allows it ([operations.md](operations.md#balancing-policies)). One that cannot be used is round robin, with a Problem",
    why: "ingress-nginx takes algorithms of others as Lua in its image only",
    concerns: says("balancing", "loadBalance", (algorithm) => policyIn(algorithm) !== undefined),
  },
  "balancer-code-fails-being-restarted": {
    what: "The balancer code fails, or is being restarted",
    before: "Lua error: 500",
    now: "nginx falls back to round robin without it",
    why: "A bug in the balancer is not an outage",
    concerns: operation,
  },
  "upstream-hash-by-dollar": {
    what: "`upstream-hash-by` has a `$` that does not begin a variable",
    before: "The `$` is part of the text",
    now: "The value is refused, with a Problem",
    why: "It was meant as a variable",
    concerns: refused("upstream-hash-by", /write variables/),
  },
  "upstream-hash-by-unknown": {
    what: "`upstream-hash-by` uses a variable that nginx does not have",
    before: "The variable is empty: without anything else in the value all requests go to one endpoint",
    now: "The value is ignored, with a Problem that names the closest variable",
    why: "One endpoint must not get everything because of a typo",
    concerns: refused("upstream-hash-by", /has no variable/),
  },
  "upstream-hash-retry": {
    what: "`upstream-hash-by`: retry",
    before: "The same endpoint again",
    now: "The next endpoint on the hash ring; all requests with the same key retry in the same order",
    why: "A dead pod must not fail all requests of its keys",
    concerns: operation,
  },
  "upstream-hash-subset-retry": {
    what: "`upstream-hash-by-subset`: retry",
    before: "Any endpoint of the subset, perhaps the same one",
    now: "An untried endpoint of the subset, then one outside it",
    concerns: operation,
  },
  "hashing-balanced-affinity-endpoints-change-from": {
    what: "Hashing or balanced affinity: endpoints change from A to B and back to A",
    before: "The hash ring stays at B",
    now: "The ring is A again at once",
    why: "A bug of the Lua library",
    concerns: operation,
  },
  "hashing-balanced-affinity-more-than-3": {
    what: "Hashing or balanced affinity: more than 3,276 endpoints (or sum of weights)",
    before: "160 points on the hash ring for each",
    now: "Half as many points for each, then a quarter, and so on: about 524,288 in all at most",
    why: "A ring has to be built in a quarter of the time that a callback may take. Fewer points only make shares less even",
    concerns: operation,
  },
  "ewma-peak": {
    what: "`ewma` balances, and a request takes longer than the average",
    before: "The sample counts by its weight, which is close to 0 at high request rates",
    now: "The sample raises the average at once, at most to double (*peak*). Below the average it decays as in ingress-nginx",
    why: "A slow endpoint is avoided after a few requests. One slow request does not keep an endpoint idle for a minute",
    concerns: ewma,
  },
  "ewma-score": {
    what: "`ewma` balances by a score",
    before: "The score is the average alone",
    now: "The score is the average, times the attempts that this worker has running on the endpoint, including this one",
    why: "With the average alone, all workers pick the fastest endpoint until it no longer is. Simulation with half of the capacity in use: p99 34 ms instead of 61 ms (`npm run simulate`)",
    concerns: ewma,
  },
  "ewma-samples-from-several-workers-at": {
    what: "`ewma`: samples from several workers at the same time",
    before: "One is lost if the lock is busy",
    now: "All count (compare-and-swap)",
    concerns: operation,
  },
  "ewma-refused-failed-attempt-5xx-response": {
    what: "`ewma`: a refused or failed attempt, or a 5xx response",
    before: "Its time is a sample, so a dead endpoint looks fast and attracts traffic",
    now: "Doubles the average, up to a minute",
    why: "Simulation of a flapping endpoint: 600 retries instead of 12,600",
    concerns: operation,
  },
  "ewma-endpoint-without-sample": {
    what: "`ewma` balances, and an endpoint has no sample yet",
    before: "Its score is 0, the best there is, unless other endpoints had samples when it was added",
    now: "Its score is the average of the endpoints with samples. Its first sample counts as at most twice that",
    why: "A new endpoint must not get all requests at once, nor none because its first request was slow",
    concerns: ewma,
  },
} satisfies Differences
