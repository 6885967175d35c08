import { shown } from "../../model/shown.ts"
import type { Refusal } from "./compiled.ts"

/**
 * What is not in force of a snippet, why, and what to write in its place.
 *
 * @param where what people call the place of the text
 */
export function refusalText({ line, column, directive, reason, instead }: Refusal, where: string): string {
  const what = directive === "" ? where : `directive ${shown(directive)} of ${where}`
  const rest = instead === undefined ? "" : `; there is ${instead}`
  return `Cannot use ${what} (line ${line}, column ${column}): ${reason}${rest}`
}
