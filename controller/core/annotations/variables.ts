import { withoutCredentials } from "../options/credentials.ts"
import { withKnownVariables } from "../options/known-variables.ts"
import { decodedVariables, variablesIn } from "../options/nginx-variables.ts"
import { refused } from "../options/parser.ts"
import type { AnnotationParser } from "./parse.ts"
import { pattern } from "./texts.ts"

// Values that nginx's variables may stand in. They become templates of a route (docs/wire.md), where an unknown variable is nothing, or
// stand in nginx.conf, where it is an error for everybody: so only known ones pass.

/** A text with nginx's variables for a header or URL, of the characters that ingress-nginx allows where it takes patterns. */
export const variableText: AnnotationParser<string> = withoutCredentials((text) => {
  const parsed = pattern(text)
  if (parsed.kind === "refused") return parsed
  const decoded = variablesIn(parsed.value)?.find((name) => decodedVariables.has(name.toLowerCase()))
  if (decoded !== undefined)
    return refused(`$${decoded} may hold line breaks, $request_uri is as the client sent it`)
  if (/\$[1-9]/.test(parsed.value)) return refused("groups of a path may hold line breaks, write none")
  return withKnownVariables(parsed.value)
})
