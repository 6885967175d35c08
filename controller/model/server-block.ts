import type { ObjectName } from "./problem.ts"
import type { TypedDirective } from "./typed-directive.ts"

/**
 * A server block that hosts have for themselves, beside the one for all others, as what is said of them can stand nowhere else. Their routes and
 * named locations are where those of all hosts are: only the text differs.
 */
export interface ServerBlock {
  /** `server-` and 32 hex digits of a hash over the other fields */
  readonly name: string
  /** exact names, and `*.rest` for one label in front; in order */
  readonly hosts: readonly string[]
  readonly text: readonly TypedDirective[]
  /** whose text it is */
  readonly source: ObjectName
}

export interface ServerBlocks {
  /** in the order of their names */
  readonly own: readonly ServerBlock[]
  /** exact hosts of the block for all others that a wildcard of `own` would take from it; in order */
  readonly shared: readonly string[]
}
