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
  /** where several concern the same value, the narrowest takes it: absent, then `several` kinds of values, then `any` */
  readonly breadth?: "several" | "any"
}

/**
 * `operation`: seen only when something fails or changes, or by who operates the controller: requests that are served are served alike.
 * `every-request`: up to what clients and backends send, so no object tells. `nginx`: nothing but nginx knows, as whether a regular expression compiles. Else whatever the matcher finds.
 */
type Concern = "operation" | "every-request" | "nginx" | Matcher

/** By a kebab-case name that stays: reports and CI match it. */
export type Differences = Readonly<Record<string, Difference>>

export const operation = "operation"
export const everyRequest = "every-request"
export const onlyNginx = "nginx"
