import type { RuleSet } from "../../model/rule-set.ts"

/** What checking says of a rule set. Reasons fit after a colon. */
export type RuleSetVerdict =
  | { readonly kind: "accepted" }
  /** of no use however often it is tried: `part` and `line` say where, from 0 and from 1 */
  | { readonly kind: "refused"; readonly reason: string; readonly part?: number; readonly line?: number }
  /** nothing is said about the rules: there is no library, no program that could say it, or a file of rules is not there */
  | { readonly kind: "absent"; readonly reason: string }

/** Checks rule sets for one data plane, and keeps them there. @template State what is kept for the next start */
export interface RuleSetChecker<State> {
  /** digests of those that were accepted before and are still there */
  readonly accepted: ReadonlySet<string>
  /** what the controller before kept; absent: nothing that counts */
  readonly state: State | undefined
  /** Never rejects. A route may name the digest of one that is accepted. @returns a verdict for each digest */
  check(sets: readonly RuleSet[]): Promise<ReadonlyMap<string, RuleSetVerdict>>
  /** Others are of no use any more. */
  keepOnly(digests: ReadonlySet<string>): void
  /** For the next start. @returns when it is kept, or was told to have failed */
  remember(state: State): Promise<void>
}
