import type { Cors } from "../../../model/route.ts"
import { corsDefaults } from "../../annotations/cors.ts"
import { type CorsValues, unusable } from "../../annotations/values.ts"

/** Absent when it is not switched on, and when no origin is left that may be meant. */
export function readCors(said: CorsValues): Cors | undefined {
  const { isEnabled, origins = ["*"], allowsCredentials = true, ...values } = said
  if (isEnabled !== true || origins === unusable) return undefined
  const credentials = { allowsCredentials: allowsCredentials === true }
  return { origins, ...corsDefaults, ...values, ...credentials }
}
