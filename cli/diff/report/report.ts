import type { Difference } from "../asking/compare.ts"
import type { LeftOut } from "../requests/chosen.ts"
import type { DiffRequest } from "../requests/request.ts"
import type { Cause } from "./causes.ts"

/** What `wick diff --json` prints. */
export interface DiffReport {
  readonly summary: DiffSummary
  /** those that are refused first, then by how many requests they concern */
  readonly groups: readonly Group[]
  readonly leftOut: readonly LeftOut[]
}

export interface DiffSummary {
  /** requests and handshakes that both sides were asked for */
  readonly asked: number
  /** that were not, as somebody has interrupted it */
  readonly notAsked: number
  readonly hosts: number
  /** answered alike by both */
  readonly same: number
  readonly different: number
  /** of those: answered before, and refused or not answered now */
  readonly refused: number
  /** one side does not answer the same twice, and nothing else differs */
  readonly unstable: number
  /** answered by neither */
  readonly unanswered: number
  readonly hostsThatDiffer: number
  /** `namespace/name` */
  readonly ingressesThatDiffer: readonly string[]
  /** why neither has answered, with how many requests */
  readonly whyUnanswered: Readonly<Partial<Record<string, number>>>
}

/** Differences that look alike and have the same causes. */
export interface Group {
  /** what differs, with the host as `HOST` and the path as `PATH` */
  readonly difference: Difference
  readonly isRefused: boolean
  readonly count: number
  readonly hosts: number
  /** `namespace/name`, in order */
  readonly ingresses: readonly string[]
  /** what is known that may be why; empty: nothing is */
  readonly causes: readonly Cause[]
  readonly example: Example
}

interface Example {
  readonly request: Pick<DiffRequest, "scheme" | "method" | "host" | "target" | "about">
  readonly was: string
  readonly now: string
  /** a line for a shell */
  readonly curl: string
  /** what the new side says that it does with it */
  readonly explanation?: string
}
