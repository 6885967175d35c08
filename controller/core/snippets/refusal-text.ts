import { shown } from "../../model/shown.ts"
import type { Refusal } from "./compiled.ts"

/** What is not in force of a snippet, and what to write in its place: a phrase that fits behind a colon. */
export function refusalText({ line, column, directive, reason, instead }: Refusal): string {
  const what = directive === "" ? "its text" : `directive ${shown(directive)}`
  const rest = instead === undefined ? "" : `; there is ${instead}`
  return `${what} in line ${line}, column ${column}, has no effect: ${reason}${rest}`
}
