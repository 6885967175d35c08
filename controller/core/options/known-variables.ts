import { nearest } from "../../support/nearest.ts"
import { isNginxVariable, nginxVariables, variablesIn } from "./nginx-variables.ts"
import { accepted, type Parsed, refused } from "./parser.ts"

/** `text` itself, unless a `$` in it begins no variable that nginx knows. */
export function withKnownVariables(text: string): Parsed<string> {
  const names = variablesIn(text)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what users write
  if (names === undefined) return refused("write variables as $name or ${name}")
  const fault = unknownAmong(names)
  return fault === undefined ? accepted(text) : refused(fault)
}

/** What is wrong with the first variable that nginx does not know: a phrase that fits after a colon. Undefined when it knows all. */
export function unknownVariableIn(text: string): string | undefined {
  return unknownAmong(variablesIn(text) ?? [])
}

function unknownAmong(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !isNginxVariable(name.toLowerCase()))
  return unknown === undefined ? undefined : unknownVariable(unknown)
}

/** What nginx says of a configuration, with the variable that was probably meant where it does not know one. */
export function withKnownVariable(complaint: string): string {
  const [, name] = /unknown "(\w+)" variable/.exec(complaint) ?? []
  const known = name === undefined ? undefined : nearest(name, nginxVariables)
  return known === undefined ? complaint : `${complaint}; did you mean $${known}?`
}

function unknownVariable(name: string): string {
  const known = nearest(name, nginxVariables)
  const hint = known === undefined ? "" : `, did you mean $${known}`
  return `nginx has no variable $${name}${hint}`
}
