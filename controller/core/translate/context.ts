import { isDeepStrictEqual } from "node:util"
import type { Settings } from "../options/settings.ts"
import type { TranslateOptions } from "./options.ts"

/** What holds for every Ingress of a pass. The same object while nothing in it changes: results are remembered by its identity. */
export interface Context {
  readonly options: TranslateOptions
  readonly settings: Settings
}

const last = new WeakMap<TranslateOptions, Context>()

export function contextOf(settings: Settings, options: TranslateOptions): Context {
  const known = last.get(options)
  if (known !== undefined && isDeepStrictEqual(known.settings, settings)) return known
  const fresh = { options, settings }
  last.set(options, fresh)
  return fresh
}
