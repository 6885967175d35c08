import { accepted, type Parser, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, basicText, blankless, trimmed, urlText } from "./parse.ts"
import type { Replacement } from "./values.ts"

/** `off`, or what to look for and what to put in its place, each taken by `parse`. */
function replacement(parse: Parser<string>): AnnotationParser<Replacement> {
  return trimmed<Replacement>((text) => {
    if (text === "off") return accepted("off")
    const parsed = parse(text)
    if (parsed.kind === "refused") return parsed
    const [from, to, ...more] = text.split(/ +/)
    if (from === undefined || to === undefined || more.length > 0)
      return refused("write off, or two words with a blank between: what to replace, and with what")
    if (from.startsWith("~")) return refused("write a text, regular expressions are not supported")
    return accepted({ from, to })
  })
}

/** A dot in front of a domain means nothing; nginx drops it only from what stands in its configuration. */
const domains: AnnotationParser<Replacement> = (text) => {
  const parsed = replacement(basicText)(text)
  if (parsed.kind === "refused" || parsed.value === "off") return parsed
  const [from, to] = [parsed.value.from, parsed.value.to].map((domain) => domain.replace(/^\./, ""))
  return from && to ? accepted({ from, to }) : refused("write a domain after the dot")
}

const location = { place: "responses", scope: "location", risk: "medium", since: "0.1.0" } as const

/** What becomes of the backend's response headers. */
export const responseAnnotations: readonly Annotation[] = [
  { ...location, name: "proxy-cookie-domain", field: "cookieDomain", parse: domains },
  { ...location, name: "proxy-cookie-path", field: "cookiePath", parse: replacement(urlText) },
  { ...location, name: "proxy-redirect-from", field: "redirectFrom", parse: blankless(urlText) },
  {
    ...location,
    name: "proxy-redirect-to",
    needs: "proxy-redirect-from",
    field: "redirectTo",
    parse: blankless(urlText),
  },
  {
    ...location,
    name: "custom-headers",
    refersTo: "ConfigMap",
    field: "headers",
    parse: blankless(basicText),
  },
]
