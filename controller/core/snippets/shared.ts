import { shown } from "../../model/shown.ts"
import type { Refused } from "./effects/effect.ts"
import type { CompilePlace } from "./scope.ts"
import type { Directive } from "./syntax.ts"
import { groupNamesOf } from "./variables.ts"

/** Why a directive that is printed for one host or path would be felt by all: only the operator may say it. */
export function sharedFault(
  { name }: Directive,
  args: readonly string[],
  place: CompilePlace,
): Refused | undefined {
  if (place !== "location" && place !== "server") return undefined
  // Source: nginx, ngx_http_regex_compile: whatever the name was of before, no other place finds it any more.
  const [group] = args.flatMap(groupNamesOf)
  if (group !== undefined)
    return {
      refused: `group ${shown(group)} would take the place of variable $${group} in all of nginx`,
      instead: "a group without a name, and $1",
    }
  if (name === "client_body_in_file_only" && args[0] === "on")
    return { refused: "nobody removes the files", instead: "client_body_in_file_only clean" }
  return undefined
}
