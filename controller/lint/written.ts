import { annotationPath, fieldPath } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import type { Evidence, Subject } from "./subject.ts"

/** An annotation by where it stands: its name as it is written there, without prefix. */
interface WrittenAnnotation {
  readonly name: string
  readonly value: string
}

/** @param field as in a Problem @returns nothing where it leads to no annotation of the Ingress */
export function writtenAt(field: string, { meta }: Ingress): WrittenAnnotation | undefined {
  const [key, value] = Object.entries(meta.annotations).find(([it]) => annotationPath(it) === field) ?? []
  return key === undefined || value === undefined
    ? undefined
    : { name: key.slice(key.indexOf("/") + 1), value }
}

/** The evidence with what is written where it points. */
export function withValue(evidence: Evidence, { ingress, around: { configMap } }: Subject): Evidence {
  const { object, field } = evidence
  const value =
    object.kind === "Ingress"
      ? (writtenAt(field, ingress)?.value ?? pathAt(field, ingress))
      : object.kind === "ConfigMap"
        ? Object.entries(configMap?.data ?? {}).find(([name]) => fieldPath("data", [name]) === field)?.[1]
        : undefined
  return value === undefined ? evidence : { ...evidence, value }
}

function pathAt(field: string, { rules }: Ingress): string | undefined {
  const [, rule, path] = /^spec\.rules\[(\d+)\]\.http\.paths\[(\d+)\]/.exec(field) ?? []
  return rule === undefined ? undefined : rules[Number(rule)]?.paths?.[Number(path)]?.path
}
