import type { AnnotationParser, Need } from "./parse.ts"
import type { AnnotationValues } from "./values.ts"

interface Facts {
  /** without the prefix and the slash */
  readonly name: string
  /** older spellings; the name itself wins where both are given */
  readonly aliases?: readonly string[]
  /** stands under our own prefix (table.ts), not under that of `--annotations-prefix` */
  readonly isOwn?: true
  /** the annotation without which this one has no effect */
  readonly needs?: Need["name"]
  /** what it acts on: every path of its Ingress, the Ingress as a whole, or the whole server of its hosts */
  readonly scope: "location" | "ingress" | "server"
  /** the value names an object of this kind: a name of the Ingress's namespace, or `namespace/name` */
  readonly refersTo?: "Service" | "ConfigMap" | "Secret"
  /**
   * what becomes of a value that is refused, where the default would open what it should close: the field is `unusable` then. A phrase that
   * fits after a semicolon; absent: the default applies
   */
  readonly whenRefused?: string
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
