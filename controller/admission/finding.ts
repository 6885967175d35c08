import { isOfAnnotations } from "../model/field-path.ts"

/** Something about an Ingress that its author should know. */
export interface Finding {
  /** where it stands, as in a Problem */
  readonly field: string
  /** what is wrong and what to write; says nothing of positions, so that it is the same after a list has moved */
  readonly message: string
}

/** As many as a person reads at once. */
const maxRefusals = 8

/** kubectl prints what refused it on one line, or on as many as it has. */
export function refusalText(findings: readonly Finding[]): string {
  const lines = findings.slice(0, maxRefusals).map(({ field, message }) => `${field}: ${message}`)
  const rest = findings.length - lines.length
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n")
}

/** Source: Kubernetes, "Dynamic Admission Control": the API server cuts longer ones, and drops what is beyond 4096 characters in all. */
const maxWarning = 256
const maxWarnings = 16

/** Each once. A message about an annotation names it. */
export function warningTexts(findings: readonly Finding[]): readonly string[] {
  const texts = findings.map(({ field, message }) =>
    field === "" || isOfAnnotations(field) ? message : `${field}: ${message}`,
  )
  return [...new Set(texts)].slice(0, maxWarnings).map(cut)
}

function cut(text: string): string {
  return text.length <= maxWarning ? text : `${text.slice(0, maxWarning - 3)}...`
}
