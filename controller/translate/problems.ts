import type { ObjectName, Problem } from "../model/problem.ts"
import type { Ingress } from "../objects/ingress.ts"

export function complaint(object: ObjectName, field: string, code: string, message: string): Problem {
  return { object, field, code, message }
}

export function ingressName({ meta }: Ingress): ObjectName {
  return { kind: "Ingress", namespace: meta.namespace, name: meta.name }
}
