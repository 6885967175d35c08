import type { LoadBalance } from "../../model/backend.ts"
import { loadBalances } from "../../model/words.ts"
import { isLabel } from "../../support/host-name.ts"
import { accepted, oneOf, type Parser, refused } from "./parser.ts"

const policyPrefix = "wasm/"

/** What chooses endpoints: an algorithm of wick's own, or `wasm/` and the name of a balancing policy. */
export type Algorithm = LoadBalance | `${typeof policyPrefix}${string}`

/** The name of the policy; undefined: it is an algorithm of wick's own. */
export function policyIn(algorithm: Algorithm | undefined): string | undefined {
  return algorithm?.startsWith(policyPrefix) ? algorithm.slice(policyPrefix.length) : undefined
}

/** The algorithm that is in force where there is no policy, or none that can be used. */
export function builtIn(algorithm: Algorithm): LoadBalance {
  return isPolicy(algorithm) ? "round_robin" : algorithm
}

function isPolicy(algorithm: Algorithm): algorithm is `${typeof policyPrefix}${string}` {
  return algorithm.startsWith(policyPrefix)
}

/** Policies have the names of their files, without `.wasm`. */
export const policyName: Parser<string> = (text) =>
  isLabel(text)
    ? accepted(text)
    : refused("write the name of a policy: lower-case letters, digits and dashes, 63 at most")

const own = oneOf(...loadBalances)

export const algorithm: Parser<Algorithm> = (text) => {
  if (!text.startsWith(policyPrefix)) return own(text)
  const name = policyName(text.slice(policyPrefix.length))
  return name.kind === "value" ? accepted<Algorithm>(`${policyPrefix}${name.value}`) : name
}
