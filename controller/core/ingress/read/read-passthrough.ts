import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import type { AnnotationValues, ProtocolValues, RoutingValues } from "../../annotations/values.ts"
import type { Context } from "../../options/context.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import { annotationField, complainAbout, type IngressContext } from "./ingress-context.ts"

// What one Ingress says about passing TLS through. Without --enable-ssl-passthrough it has no effect.

const name = "ssl-passthrough"

export function isPassedThrough({ passesTls }: RoutingValues, { options }: Context): boolean {
  return passesTls === true && options.passesTls
}

/** What comes by plain HTTP is encrypted on its way to a backend that ends TLS (behaviour of ingress-nginx). */
export function overTls(said: ProtocolValues): ProtocolValues {
  const isGrpc = said.protocol === "grpc" || said.protocol === "grpcs"
  return { ...said, protocol: isGrpc ? "grpcs" : "https" }
}

export function readPassthrough(
  { routing, canary }: AnnotationValues,
  context: IngressContext,
): ParsedIngress["passthrough"] {
  if (routing.passesTls !== true) return undefined
  const refuse = (code: ProblemCode, reason: string) =>
    complainAbout(context, name, code, `Cannot pass TLS connections through: ${reason}`)
  if (!context.options.passesTls)
    return refuse("passthrough-disabled", "it has to be allowed with --enable-ssl-passthrough")
  if (canary.isCanary === true)
    return refuse(
      "passthrough-of-canary",
      "a canary takes its share of the connections that another Ingress of the host wants passed through",
    )
  return { field: annotationField(context, name) }
}
