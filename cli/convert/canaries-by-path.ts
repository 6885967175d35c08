import { fieldPath } from "../../controller/model/field-path.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"
import { getOrMake } from "../../controller/support/maps.ts"
import type { Subject } from "../lint/subject.ts"
import { backendRefOf } from "./backends.ts"
import type { Canary } from "./canaries.ts"
import { type Remark, type Remarks, remarksOfIngress } from "./conversion.ts"
import type { RouteContext } from "./converting.ts"

/** A path of a canary takes its share where another Ingress has the same path. */
export function canariesByPath(
  subjects: readonly Subject[],
  others: readonly Subject[],
  remarks: Remark[],
): RouteContext["canaries"] {
  const known = new Set(others.flatMap(({ ingress }) => pathKeys(ingress)))
  const byPath = new Map<string, Canary[]>()
  for (const subject of subjects)
    for (const { key, canary } of canariesOf(subject, known, remarksOfIngress(subject, remarks)))
      getOrMake(byPath, key, () => []).push(canary)
  return (namespace, host, path) => byPath.get(pathKey(namespace, host, path)) ?? []
}

interface OfPath {
  readonly key: string
  readonly canary: Canary
}

function canariesOf(
  { ingress, values, around }: Subject,
  known: ReadonlySet<string>,
  remarks: Remarks,
): readonly OfPath[] {
  const { namespace } = ingress.meta
  return ingress.rules.flatMap(({ host, paths = [] }, rule) =>
    paths.flatMap((path, index): readonly OfPath[] => {
      const backend = backendRefOf(path.backend, namespace, around.objects.services)
      const key = pathKey(namespace, host, path.path)
      const field = fieldPath("spec", "rules", rule, "http", "paths", index)
      if (known.has(key) && !("because" in backend))
        return [{ key, canary: { values: values.canary, backend, field, remarks } }]
      remarks.add(
        "left-out",
        field,
        known.has(key) && "because" in backend ? `${backend.because}: the canary was left out` : alone,
      )
      return []
    }),
  )
}

const alone = "No other Ingress has this path: a canary serves nobody then"

function pathKeys({ meta, rules }: Ingress): readonly string[] {
  return rules.flatMap(({ host, paths = [] }) => paths.map(({ path }) => pathKey(meta.namespace, host, path)))
}

function pathKey(namespace: string, host: string, path: string): string {
  return `${namespace} ${host.toLowerCase()}${path || "/"}`
}
