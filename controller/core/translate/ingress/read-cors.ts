import type { Cors } from "../../../model/route.ts"
import { type CorsValues, unusable } from "../../annotations/values.ts"

const methods = "GET, PUT, POST, DELETE, PATCH, OPTIONS"
const headers =
  "DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization"
const maxAgeSeconds = 1_728_000

/** Absent when it is not switched on, and when no origin is left that may be meant. Defaults are those of ingress-nginx. */
export function readCors(said: CorsValues): Cors | undefined {
  const { isEnabled, origins = ["*"], allowsCredentials = true, ...values } = said
  if (isEnabled !== true || origins === unusable) return undefined
  const credentials = { allowsCredentials: allowsCredentials === true }
  return { origins, methods, headers, maxAgeSeconds, ...values, ...credentials }
}
