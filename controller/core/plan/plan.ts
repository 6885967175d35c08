import { isDeepStrictEqual } from "node:util"
import { emptyLive, type Fixed, type Model } from "../../model/model.ts"
import { byContentName, isAmong } from "../../support/content-name.ts"
import { isEmpty, type LiveChange, liveChange } from "./change.ts"

// In come the model in force and the wanted one, out goes what has to be done: nothing, a post, or a reload with its reasons. There is no
// logic of "does this need a reload" anywhere: what differs in `fixed` does, what differs in `live` does not.

/** What has to be done so that nginx serves the wanted model. */
export type Plan =
  | { readonly kind: "nothing" }
  | { readonly kind: "post"; readonly change: LiveChange }
  | { readonly kind: "reload"; readonly reasons: readonly string[]; readonly change: LiveChange }

/**
 * Compares what nginx serves with what it should serve. Pure; `plan(m, m)` is always `nothing`.
 *
 * Locations that are in force but no longer wanted are no difference: they stay until a reload for another reason. So after a post the
 * running model keeps its `fixed` half.
 *
 * @param running the model in force, `undefined` before the first load
 * @param wanted  the model of this pass; lists are in canonical order (model/model.ts)
 * @returns `post` when only `live` differs; `reload` lists every differing part of `fixed`, for log and metric
 */
export function plan(running: Model | undefined, wanted: Model): Plan {
  const change = liveChange(running?.live ?? emptyLive, wanted.live)
  if (running === undefined) return { kind: "reload", reasons: ["first load"], change }
  const reasons = reloadReasons(running.fixed, wanted.fixed)
  if (reasons.length > 0) return { kind: "reload", reasons, change }
  return isEmpty(change) ? { kind: "nothing" } : { kind: "post", change }
}

function reloadReasons(running: Fixed, wanted: Fixed): string[] {
  if (running === wanted) return []
  return [
    ...differingFields("http", running.http, wanted.http),
    ...(isDeepStrictEqual(running.servers, wanted.servers) ? [] : ["servers"]),
    ...(isDeepStrictEqual(running.streams, wanted.streams) ? [] : ["streams"]),
    ...(isDeepStrictEqual(running.listeners, wanted.listeners) ? [] : ["listeners"]),
    ...newLocations(running, wanted),
  ]
}

function differingFields<T extends object>(where: string, running: T, wanted: T): string[] {
  const fields = Object.keys({ ...running, ...wanted }) as (keyof T & string)[]
  const differing = fields.filter((field) => !isDeepStrictEqual(running[field], wanted[field]))
  return differing.flatMap((field) => {
    const [before, after] = [running[field], wanted[field]]
    const name = `${where}.${field}`
    return isGroup(before) && isGroup(after) ? differingFields(name, before, after) : [name]
  })
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A location's name is a hash of its content, so a location with a known name is a known location. @throws AssertionError when it is not */
function newLocations(running: Fixed, wanted: Fixed): string[] {
  const known = byContentName(running.locations)
  const added = wanted.locations.filter((location) => !isAmong(known, location.name, location))
  return added.map(({ name }) => `${name} is new`)
}
