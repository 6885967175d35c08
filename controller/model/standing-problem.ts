import type { ObjectName } from "./problem.ts"
import type { Severity } from "./problems/entry.ts"

export type { Severity } from "./problems/entry.ts"

// Problems as those are told who ask what stands, and the question.

/** The worst first. */
export const severities = ["error", "warning", "info"] as const satisfies readonly Severity[]

/** A Problem that stands, with how bad it is. */
export interface StandingProblem {
  readonly object: ObjectName
  readonly field: string
  readonly code: string
  readonly severity: Severity
  /** of this very case */
  readonly message: string
  /** what to do about any with this code */
  readonly remedy: string
}

/** All Problems of one code, of which `items` is the part that was asked for. */
export interface ProblemGroup {
  readonly code: string
  readonly severity: Severity
  /** of all with this code */
  readonly meaning: string
  readonly remedy: string
  readonly total: number
  readonly offset: number
  readonly items: readonly StandingProblem[]
}

/** What is wrong, by code: the worst first, then what there is most of. */
export interface ProblemGroups {
  readonly groups: readonly ProblemGroup[]
  /** how many Problems fit the question, whatever severity it asks for */
  readonly bySeverity: Readonly<Record<Severity, number>>
}

/** What a Problem has to do with to be of interest for one request. What is absent or "" concerns none. */
export interface Concerned {
  /** `namespace/name` of the Ingress that serves it */
  readonly ingress?: string
  /** `namespace/name` of the Service behind its route */
  readonly service?: string
  /** as in the Host header, without a port; messages name it in quotes */
  readonly host?: string
  /** as messages name it: `TCP port 5432` */
  readonly port?: string
}
