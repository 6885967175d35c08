import type { ObjectName } from "../../model/problem.ts"
import type { Step } from "../../model/route-records.ts"
import type { ClientValidation } from "./client-validation.ts"
import type { Rule } from "./rule.ts"

/** Steps of a server, whose own object they are. */
export interface DeclaredSteps {
  readonly steps: readonly Step[]
  readonly source: ObjectName
}

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
  /** run for every request before its rule is looked for, and who says so; absent: nothing */
  readonly script?: DeclaredSteps
  /** another host of this listener that has the same rules */
  readonly aliasOf?: string
}
