import type { Scope } from "../scope.ts"
import type { Directive } from "../syntax.ts"

/**
 * What becomes of a directive whose words are valid: it is written into the scope (`data`), printed anew (`typed`), or refused. `guards`: whether a
 * refusal may let requests in that it would have kept out; absent: as the table of harmless directives has it.
 */
export type Outcome =
  | "data"
  | "typed"
  | { readonly refused: string; readonly instead?: string; readonly guards?: boolean }

/** @param args the words as wick writes them */
export type Effect = (args: readonly string[], scope: Scope, directive: Directive) => Outcome

export function refusal(refused: string, instead?: string): Outcome {
  return { refused, ...(instead !== undefined && { instead }) }
}
