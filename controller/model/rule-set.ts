import { createHash } from "node:crypto"

// Rules of a web application firewall as a data plane gets them: parts in the order in which they are read; of settings the first part that says one
// counts (libmodsecurity, RulesSet::merge).

/** Text of rules, or a file that the operator or the image has. */
export type RuleSetPart = { readonly text: string } | { readonly file: string }

export interface RuleSet {
  /** SHA-256 of `bytes`, 64 hex digits: equal rules are one set, whoever has them */
  readonly digest: string
  /** JSON */
  readonly bytes: string
}

export function ruleSetOf(parts: readonly RuleSetPart[]): RuleSet {
  const bytes = JSON.stringify({ parts })
  return { digest: createHash("sha256").update(bytes).digest("hex"), bytes }
}

/** A rule set that somebody wants, and who. */
export interface WantedRuleSet {
  /** `namespace/name` of an Ingress, `namespace/httproute/name` of a route */
  readonly owner: string
  readonly set: RuleSet
}

/** What is known of the rule set of an owner. */
export interface RuleSetState {
  /** digest of the set that this is about */
  readonly wanted: string
  /** digest of the set that may be used: that one, or while it is being checked the one that the owner had before; absent: none */
  readonly usable?: string
  /** why the wanted one may not be used; absent: it may, or is being checked */
  readonly trouble?: RuleSetTrouble
  /** there is none to use, and checking takes longer than what was served before may wait for it */
  readonly isOverdue?: true
}

export type RuleSetTrouble =
  /** libmodsecurity does not take the rules */
  | { readonly kind: "refused"; readonly reason: string; readonly part?: number; readonly line?: number }
  /** there is no library, no rules or no program that could say so */
  | { readonly kind: "absent"; readonly reason: string }
