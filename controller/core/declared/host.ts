import type { ClientValidation } from "./client-validation.ts"
import type { Rule } from "./rule.ts"

/** A host name of a listener, and what it serves. */
export interface DeclaredHost {
  /** the listener, as `Host.server` */
  readonly server: string
  /** lower-case: exact name, `*.rest`, or `_` for every other host */
  readonly host: string
  /** the namespace that it belongs to */
  readonly owner: string
  /** in the order in which they are tried where several patterns match */
  readonly rules: readonly Rule[]
  /** what clients have to show; absent: nothing */
  readonly clients?: ClientValidation
  /** another host of this listener that has the same rules */
  readonly aliasOf?: string
}
