import type { Level, Script } from "../../model/route-records.ts"
import { inherit } from "./levels.ts"

/** A script in a block of nginx's about which more is said. @returns undefined: there is nothing in it */
export function scriptWithin(outer: Level, script: Script | undefined): Script | undefined {
  if (Object.keys(outer).length === 0) return script
  const [first = {}, ...others] = script?.levels ?? []
  return { ...script, levels: [first, ...others].map((level) => inherit(outer, level)) }
}
