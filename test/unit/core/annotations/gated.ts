import { type AnnotationParser, gate } from "../../../../controller/core/annotations/parse.ts"

/** What an annotation's text is read as, behind the checks that all have in common. */
export function gated<T>(parse: AnnotationParser<T>, text: string): T | undefined {
  const parsed = gate(parse)(text)
  return parsed.kind === "value" ? parsed.value : undefined
}
