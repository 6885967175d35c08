import type { Tracing } from "../../../model/route.ts"
import type { TracingValues } from "../../annotations/values.ts"
import type { Settings } from "../../options/settings.ts"

/** `undefined`: requests of the Ingress are not traced. As in ingress-nginx the other annotations count only where this one says `true`. */
export function readTracing(said: TracingValues, settings: Settings): Tracing | undefined {
  const isTraced = said.isTraced ?? settings.tracesAll
  if (!isTraced) return undefined
  const { trustsIncomingSpan = settings.trustsIncomingSpan, operationName } = said.isTraced ? said : {}
  // A name of an annotation has no dollar.
  const spanName = operationName || settings.spanName
  return { ...(!trustsIncomingSpan && { beginsTrace: true }), ...(spanName !== "" && { spanName }) }
}
