export interface Finding {
  /** The property. */
  readonly name: string
  /** What was seen; or what is wrong, a sentence. */
  readonly seen?: string
  readonly problem?: string
}
