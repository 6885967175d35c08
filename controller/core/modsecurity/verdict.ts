/** Why something of a user's rules is refused; undefined: it is not. */
export type Verdict = Refused | undefined

export interface Refused {
  /** a phrase that goes on after the name of what is refused */
  readonly reason: string
  /** a phrase: what to write in its place */
  readonly instead?: string
}

export function refused(reason: string, instead?: string): Refused {
  return { reason, ...(instead !== undefined && { instead }) }
}
