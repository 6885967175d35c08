import { boolean } from "../options/values.ts"
import type { Annotation } from "./entry.ts"

/** Which Ingresses only divert a share of another one's traffic. */
export const canaryAnnotations: readonly Annotation[] = [
  {
    name: "canary",
    scope: "ingress",
    risk: "low",
    since: "0.1.0",
    place: "live",
    field: "canary",
    parse: boolean,
  },
]
