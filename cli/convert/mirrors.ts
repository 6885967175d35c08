import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import { serviceOfHost } from "../../controller/core/options/external-auth/service.ts"
import type { Subject } from "../lint/subject.ts"
import type { Json, Remarks } from "./conversion.ts"
import { at } from "./filters.ts"

/** A mirror is a Service of the same namespace; one elsewhere, or no Service, is no filter. */
export function mirrorFilter(
  { mirror }: AnnotationValues,
  subject: Subject,
  remarks: Remarks,
): readonly Json[] {
  if (mirror.target === undefined) return []
  const { scheme, path, host, port } = mirror.target
  const { namespace } = subject.ingress.meta
  const found = serviceOfHost(host, namespace)
  const isKnown = found !== undefined && subject.around.objects.services.has(`${namespace}/${found.name}`)
  const isWhole = scheme === "http" && path === "$request_uri"
  if (!isKnown || !isWhole || found.namespace !== namespace) {
    const what = "A mirror is a Service of the same namespace, and gets requests by HTTP with their path"
    remarks.add("left-out", at(subject, "mirror-target"), what)
    return []
  }
  const backendRef = { name: found.name, port }
  return [{ type: "RequestMirror", requestMirror: { backendRef } }]
}
