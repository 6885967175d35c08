import type { PolicyFields } from "../model/policy.ts"
import type { Overrides } from "../model/route.ts"
import type { AnnotationParser } from "./parse.ts"

/** What an Ingress says in its annotations, grouped by where it ends up. What is absent is inherited or at its default. */
export interface AnnotationValues {
  /** part of the route record: a change is a post */
  readonly route: Overrides
  /** part of a named location: a change is a post where another Ingress has the same policy already, else a reload */
  readonly policy: Partial<PolicyFields>
  /** read by a step of translate, which decides what is posted */
  readonly live: LiveValues
}

export interface LiveValues {
  readonly canary?: boolean
}

interface Facts {
  /** without the prefix and the slash */
  readonly name: string
  /** older spellings; the name itself wins where both are given */
  readonly aliases?: readonly string[]
  /** what it acts on: every path of its Ingress, the Ingress as a whole, or the whole server of its hosts */
  readonly scope: "location" | "ingress" | "server"
  /** how much harm a tenant can do with it; compared with the ConfigMap's annotations-risk-level */
  readonly risk: "low" | "medium" | "high" | "critical"
  /** version of wick that first honoured it */
  readonly since: string
}

type Place = keyof AnnotationValues

/** One row of the table: the facts, the parser, and the field of `AnnotationValues` that takes the parsed value. */
export type Annotation = {
  [P in Place]: {
    [F in keyof AnnotationValues[P]]-?: Facts & {
      readonly place: P
      readonly field: F
      readonly parse: AnnotationParser<NonNullable<AnnotationValues[P][F]>>
    }
  }[keyof AnnotationValues[P]]
}[Place]
