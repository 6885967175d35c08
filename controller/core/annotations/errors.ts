import { accepted, refused } from "../options/parser.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { type AnnotationParser, blankless, trimmed } from "./parse.ts"
import { trueOrFalse } from "./syntax.ts"
import { serviceName } from "./texts.ts"

/** Codes separated by commas, each once, in order. 499 is nginx's own for a client that has gone, and nginx takes no page for it. */
const codes: AnnotationParser<readonly number[]> = blankless((text) => {
  const items = text.split(",").filter((item) => item !== "")
  const found = [...new Set(items.map(Number))].sort((a, b) => a - b)
  const isList = found.length > 0 && items.every((item) => /^[45]\d\d$/.test(item))
  if (!isList) return refused("write status codes from 400 to 599 separated by commas")
  return found.includes(499) ? refused("leave out 499, the client is gone") : accepted(found)
})

const location = { section: "Errors", scope: "location", risk: "low", since: "0.1.0" } as const

/** Which answers give way to an error page, and who makes that. */
export const errorAnnotations = {
  /** 400 to 599, in order */
  codes: {
    ...location,
    name: "custom-http-errors",
    parse: codes,
    values: "codes from 400 to 599 separated by commas",
    default: fromConfigMap,
    example: "404,503",
    description: "responses with these codes are replaced by the default backend's",
  },
  passesErrors: {
    ...location,
    ...trueOrFalse,
    name: "disable-proxy-intercept-errors",
    default: fromConfigMap,
    example: "true",
    exampleWith: { annotations: { "custom-http-errors": "503" } },
    description: "whether only nginx's own error responses are replaced, not those of the backend",
  },
  /** of the same namespace */
  service: {
    ...location,
    name: "default-backend",
    refersTo: "Service",
    parse: trimmed(serviceName),
    values: "name of a Service in the same namespace",
    default: "the default backend of wick",
    example: "errors",
    description: "serves requests while the rule's Service has no endpoint, and answers custom-http-errors",
  },
} satisfies Family
