import type { Level, Script } from "../../model/route-records.ts"
import { inherit } from "./levels.ts"

/** A script in a block of nginx's about which more is said. @returns undefined: there is nothing in it */
export function scriptWithin(outer: Level, script: Script | undefined): Script | undefined {
  if (Object.keys(outer).length === 0) return script
  const [first = {}, ...others] = script?.levels ?? []
  return { ...script, levels: [first, ...others].map((level) => inherit(outer, level)) }
}

/** The script with each of its levels changed, if there is nothing else in it a level that was empty. @returns undefined: there is nothing in it */
export function withLevels(script: Script | undefined, change: (level: Level) => Level): Script | undefined {
  const levels = script?.levels === undefined || script.levels.length === 0 ? [{}] : script.levels
  const changed = levels.map(change)
  const { levels: _, ...rest } = script ?? {}
  if (changed.every((level) => Object.keys(level).length === 0))
    return rest.steps === undefined ? undefined : rest
  return { ...rest, levels: changed }
}
