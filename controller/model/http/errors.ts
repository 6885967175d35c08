/** Error pages where a policy does not say. */
export interface Errors {
  /** codes of answers that give way to error pages: 300 to 599, in order */
  readonly codes: readonly number[]
  /** only nginx's own errors give way, those of backends pass */
  readonly passesErrors: boolean
}
