import type { Ingress } from "../../model/objects/ingress.ts"
import type { Problem } from "../../model/problem.ts"
import type { Settings } from "../options/settings.ts"
import type { TranslateOptions } from "../options/translation.ts"
import type { Referable } from "./read/lookups.ts"
import { readIngress } from "./read/read-ingress.ts"
import { sharedParts } from "./read/shared-parts.ts"

/** Of the objects that a candidate names nothing is known: those that nobody has named so far have not been read. */
const nothing: Referable = {
  configMaps: new Map(),
  secrets: new Map(),
  tlsSecrets: new Map(),
  policies: new Map(),
  ruleSets: undefined,
}

/** What is wrong with an Ingress that is not there yet, by itself: what a pass would say of it, but for whether the objects exist that it names. */
export type ReadCandidate = (ingress: Ingress) => readonly Problem[]

/** What all candidates share under these settings is made once. */
export function candidateReader(settings: Settings, options: TranslateOptions): ReadCandidate {
  const context = { settings, options }
  const shared = sharedParts(context)
  return (ingress) => readIngress(ingress, context, nothing, shared).parsed.problems
}
