import { accepted, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, basicText, blankless, trimmed } from "./parse.ts"

const index: AnnotationParser<string> = trimmed((text) =>
  /^[A-Za-z0-9._-]{1,255}$/.test(text)
    ? accepted(text)
    : refused("write at most 255 letters, digits and . - _"),
)

const location = {
  place: "fastcgi",
  needs: "backend-protocol",
  scope: "location",
  risk: "medium",
  since: "0.1.0",
} as const

/** What FastCGI backends are told. */
export const fastcgiAnnotations: readonly Annotation[] = [
  { ...location, name: "fastcgi-index", field: "index", parse: index },
  {
    ...location,
    name: "fastcgi-params-configmap",
    refersTo: "ConfigMap",
    field: "params",
    parse: blankless(basicText),
  },
]
