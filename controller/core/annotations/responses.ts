import { domainReplacement, pathReplacement } from "../options/replacements.ts"
import type { Annotation } from "./entry.ts"
import { basicText, blankless, trimmed, urlText } from "./parse.ts"

const location = { place: "responses", scope: "location", risk: "medium", since: "0.1.0" } as const

/** What becomes of the backend's response headers. */
export const responseAnnotations: readonly Annotation[] = [
  { ...location, name: "proxy-cookie-domain", field: "cookieDomain", parse: trimmed(domainReplacement) },
  { ...location, name: "proxy-cookie-path", field: "cookiePath", parse: trimmed(pathReplacement) },
  { ...location, name: "proxy-redirect-from", field: "redirectFrom", parse: blankless(urlText) },
  { ...location, name: "proxy-redirect-to", field: "redirectTo", parse: blankless(urlText) },
  {
    ...location,
    name: "custom-headers",
    refersTo: "ConfigMap",
    field: "headers",
    parse: blankless(basicText),
  },
]
