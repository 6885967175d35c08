import { accepted, boolean, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, blankless, serviceName, trimmed } from "./parse.ts"

/** Codes between commas, each once, in order. 499 is nginx's own for a client that has gone, and nginx takes no page for it. */
const codes: AnnotationParser<readonly number[]> = blankless((text) => {
  const items = text.split(",").filter((item) => item !== "")
  const found = [...new Set(items.map(Number))].sort((a, b) => a - b)
  const isList = found.length > 0 && items.every((item) => /^[45]\d\d$/.test(item))
  if (!isList) return refused("write status codes from 400 to 599 with commas between")
  return found.includes(499) ? refused("leave out 499, nobody is there to answer") : accepted(found)
})

const location = { place: "errors", scope: "location", risk: "low", since: "0.1.0" } as const

/** Which answers give way to an error page, and who makes that. */
export const errorAnnotations: readonly Annotation[] = [
  { ...location, name: "custom-http-errors", field: "codes", parse: codes },
  {
    ...location,
    name: "disable-proxy-intercept-errors",
    field: "passesErrors",
    parse: boolean,
  },
  {
    ...location,
    name: "default-backend",
    refersTo: "Service",
    field: "service",
    parse: trimmed(serviceName),
  },
]
