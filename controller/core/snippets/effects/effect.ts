import type { Level } from "../../../model/route-records.ts"
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

type ListOf<K extends keyof Level> = NonNullable<Level[K]> extends readonly (infer T)[] ? T : never

/** Behind what the block has said already in such a directive. */
export function append<
  K extends
    | "responseHeaders"
    | "inputHeaders"
    | "hides"
    | "passes"
    | "errorPages"
    | "authVariables"
    | "requestLimits"
    | "connectionLimits"
    | ("redirects" | "cookieDomains" | "cookiePaths" | "cookieFlags"),
>({ level }: Scope, key: K, ...items: ListOf<K>[]): void {
  const list = (level[key] ?? []) as readonly ListOf<K>[]
  Object.assign(level, { [key]: [...list, ...items] })
}
