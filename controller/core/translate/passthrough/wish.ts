import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import type { AnnotationValues, ProtocolValues, RoutingValues } from "../../annotations/values.ts"
import type { IngressClaims } from "../ingress/claim.ts"
import type { Context } from "../ingress/context.ts"
import { annotationField, complainAbout, type Inquiry } from "../ingress/inquiry.ts"

// What one Ingress says about passing TLS through. Without --enable-ssl-passthrough it says it in vain.

const name = "ssl-passthrough"

export function isPassing({ passesTls }: RoutingValues, { options }: Context): boolean {
  return passesTls === true && options.passesTls
}

/** What comes by plain HTTP is encrypted on its way to a backend that ends TLS (behaviour of ingress-nginx). */
export function overTls(said: ProtocolValues): ProtocolValues {
  const isGrpc = said.protocol === "grpc" || said.protocol === "grpcs"
  return { ...said, protocol: isGrpc ? "grpcs" : "https" }
}

export function passingOf(
  { routing, canary }: AnnotationValues,
  inquiry: Inquiry,
): Pick<IngressClaims, "passing"> {
  if (routing.passesTls !== true) return {}
  const refuse = (code: ProblemCode, reason: string) => {
    complainAbout(inquiry, name, code, `Cannot pass TLS connections through: ${reason}`)
    return {}
  }
  if (!inquiry.context.options.passesTls)
    return refuse("passthrough-disabled", "it has to be allowed with --enable-ssl-passthrough")
  if (canary.isCanary === true)
    return refuse("passthrough-of-canary", "a canary takes requests, and connections have none")
  return { passing: { field: annotationField(inquiry, name) } }
}
