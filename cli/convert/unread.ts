import { qualifiedName } from "../../controller/model/objects/object.ts"
import type { Problem } from "../../controller/model/problem.ts"
import type { LintObjects } from "../lint/objects.ts"
import { relationOf } from "../lint/relations.ts"
import type { Remark } from "./conversion.ts"

/** What was given and could not be read, as a whole or in part: none of it is in what is printed. */
export interface Unread {
  readonly remarks: readonly Remark[]
  /** of how many Ingresses nothing is left */
  readonly ingresses: number
}

export function unreadOf({ objects: { problems, ingresses }, others }: LintObjects): Unread {
  const unread = problems.filter((problem) => relationOf(problem, false) === "unread")
  const known = new Set([...ingresses.map(({ meta }) => qualifiedName(meta)), ...others])
  const lost = unread
    .filter(({ object }) => object.kind === "Ingress")
    .map(({ object }) => qualifiedName(object))
  return {
    remarks: unread.map(remarkOf),
    ingresses: new Set(lost.filter((name) => !known.has(name))).size,
  }
}

function remarkOf({ object, field, message }: Problem): Remark {
  return { kind: "unread", object, field, what: message }
}
