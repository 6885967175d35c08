import type { ObjectName } from "../../model/problem.ts"
import type { Level, Step } from "../../model/route-records.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import type { ClientValidation } from "./client-validation.ts"
import type { Rule } from "./rule.ts"

/** Steps of a server, whose own object they are. */
export interface DeclaredSteps {
  readonly steps: readonly Step[]
  /** in force for what they answer; absent: nothing */
  readonly level?: Level
  readonly source: ObjectName
}

/** A host name of a listener, and what it serves. */
export interface DeclaredHost {
  /** the listener, as `Host.server` */
  readonly server: string
  /** lower-case: exact name, `*.rest` for one label in front, `**.rest` for one or more, or `_` for every other host */
  readonly host: string
  /** as `Host.listener` */
  readonly listener?: string
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
  /** absent: nothing. Of `_` it has no effect: what stands there would be every host's */
  readonly serverText?: ServerText
}

/** What only a server block can say of a host. */
export interface ServerText {
  /** one at least; none that could stand in a location, whose configuration is not this block's */
  readonly directives: readonly TypedDirective[]
  /** who says so */
  readonly source: ObjectName
}
