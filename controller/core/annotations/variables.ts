import { decodedVariables, isNginxVariable, nginxVariables, variablesIn } from "../options/nginx-variables.ts"
import { accepted, type Parsed, refused } from "../options/parser.ts"
import { nearest } from "./nearest.ts"
import type { AnnotationParser } from "./parse.ts"
import { pattern, withoutCredentials } from "./texts.ts"

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

/** `text` itself, unless a `$` in it begins no variable that nginx knows. */
export function withKnownVariables(text: string): Parsed<string> {
  const names = variablesIn(text)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what users write
  if (names === undefined) return refused("write variables as $name or ${name}")
  const unknown = names.find((name) => !isNginxVariable(name.toLowerCase()))
  return unknown === undefined ? accepted(text) : refused(unknownVariable(unknown))
}

function unknownVariable(name: string): string {
  const known = nearest(name, nginxVariables)
  const hint = known === undefined ? "" : `, did you mean $${known}`
  return `nginx has no variable $${name}${hint}`
}
