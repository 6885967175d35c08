import type { Scope } from "../scope.ts"
import type { Directive } from "../syntax.ts"

/**
 * What becomes of a directive whose words are valid: it is written into the scope (`data`), printed anew (`typed`), or refused.
 */
export type Outcome = "data" | "typed" | Refused

/** Phrases that fit behind a colon. */
export interface Refused {
  readonly refused: string
  readonly instead?: string
}

/** @param args the words as wick writes them */
export type Effect = (args: readonly string[], scope: Scope, directive: Directive) => Outcome

export function refusal(refused: string, instead?: string): Refused {
  return { refused, ...(instead !== undefined && { instead }) }
}
