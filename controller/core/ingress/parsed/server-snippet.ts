import type { Overrides } from "../../../model/overrides.ts"
import type { ObjectName } from "../../../model/problem.ts"
import type { Level, Step } from "../../../model/route-records.ts"
import type { TypedDirective } from "../../../model/typed-directive.ts"
import type { CompiledAccess } from "../../snippets/compiled.ts"
import type { Caches } from "../../snippets/kept-answers.ts"
import type { ParsedRoute } from "./parsed-route.ts"

/** What is said of the server block of hosts: by an Ingress and the ConfigMap together, or by the ConfigMap alone. */
export interface ServerSnippet {
  /** who says so, and where */
  readonly source: ObjectName
  readonly field: string
  /** of two that are the same it makes no difference which is in force */
  readonly text: string
  /** without it requests may get in that it keeps out */
  readonly mayGuard: boolean
  /** run before the path of a request is looked for */
  readonly steps: readonly Step[]
  /** its location blocks */
  readonly routes: readonly ParsedRoute[]
  /** what only a server block can say */
  readonly serverText: readonly TypedDirective[]
  /** what paths have of it, unless they say it themselves */
  readonly ofPaths: OfPaths
}

/** What a block of nginx's leaves to those inside of it. */
export interface OfPaths {
  readonly level: Level
  readonly access: CompiledAccess
  readonly overrides: Overrides
  readonly text: readonly TypedDirective[]
  /** by which answers are kept around all blocks */
  readonly caches: Caches
}
