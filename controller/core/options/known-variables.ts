import { nearest } from "../../support/nearest.ts"
import { isNginxVariable, nginxVariables, variablesIn } from "./nginx-variables.ts"
import { accepted, type Parsed, refused } from "./parser.ts"

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
