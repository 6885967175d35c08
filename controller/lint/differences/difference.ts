import type { Matcher } from "../subject.ts"

/** Something that wick does differently from ingress-nginx on purpose. Texts are Markdown, as docs/differences.md prints them, without a final dot. */
export interface Difference {
  /** the annotation, key, flag or situation */
  readonly what: string
  /** what ingress-nginx does */
  readonly before: string
  /** what wick does */
  readonly now: string
  readonly why?: string
  /** whom it concerns */
  readonly concerns: Concern
  /** a difference that says more takes its place where both concern the same value */
  readonly isGeneric?: true
}

/**
 * `operation`: seen only when something fails or changes, or by who operates the controller: requests that are served are served alike.
 * `every-request`: up to what clients and backends send, so no object tells. Else whatever the matcher finds.
 */
type Concern = "operation" | "every-request" | Matcher

/** By a kebab-case name that stays: reports and CI match it. */
export type Differences = Readonly<Record<string, Difference>>

export const operation = "operation"
export const everyRequest = "every-request"
