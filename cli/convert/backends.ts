import { type AnnotationValues, unusable } from "../../controller/core/annotations/values.ts"
import type { IngressBackend } from "../../controller/model/objects/ingress.ts"
import type { Service } from "../../controller/model/objects/service.ts"
import { isName } from "../../controller/support/host-name.ts"
import type { Subject } from "../lint/subject.ts"
import { type GatewayObject, gatewayObject, type Json, type Remarks } from "./conversion.ts"
import { at } from "./filters.ts"

/** A Service by the number of its port. */
export interface BackendRef {
  readonly name: string
  readonly port: number
}

type Services = ReadonlyMap<string, Service>

/** @returns the reason, a sentence without its dot, where there is no such reference */
export function backendRefOf(
  backend: IngressBackend,
  namespace: string,
  services: Services,
): BackendRef | { readonly because: string } {
  if (backend.kind === "resource")
    return { because: "A backend that is no Service is up to the implementation" }
  const { name, port } = backend
  const service = services.get(`${namespace}/${name}`)
  const number =
    port.kind === "number"
      ? port.number
      : port.kind === "name"
        ? service?.ports.find((it) => it.name === port.name)?.port
        : service?.ports[0]?.port
  if (number !== undefined) return { name, port: number }
  const which = port.kind === "name" ? `the number of port ${JSON.stringify(port.name)}` : "a port"
  return { because: `Service ${JSON.stringify(name)} was not read, or lacks ${which}` }
}

/** TLS to the backends of an Ingress; nothing where they speak plain HTTP. One policy is for all who use a Service. */
export function backendPolicies(
  subject: Subject,
  values: AnnotationValues,
  names: readonly string[],
  remarks: Remarks,
): readonly GatewayObject[] {
  const { protocol } = values.protocol
  if (protocol !== "https" && protocol !== "grpcs") return []
  const { namespace } = subject.ingress.meta
  return names.map((service) => {
    const spec = { targetRefs: [{ group: "", kind: "Service", name: service }] }
    const validation = validationOf(subject, values, `${service}.${namespace}.svc`, remarks)
    return gatewayObject("BackendTLSPolicy", namespace, service, { ...spec, validation })
  })
}

/** The Gateway API always verifies. */
function validationOf(
  subject: Subject,
  { tls }: AnnotationValues,
  usualName: string,
  remarks: Remarks,
): Json {
  const asked = tls.name?.toLowerCase()
  const hostname = asked !== undefined && isName(asked) ? asked : usualName
  const named = tls.secret === undefined || tls.secret === unusable ? "" : tls.secret
  const [first, second = first] = named.split("/")
  const isOwn = first !== "" && first !== undefined
  const isElsewhere = isOwn && second !== first && first !== subject.ingress.meta.namespace
  if (tls.verifies !== true)
    remarks.addChange(
      "backends",
      at(subject, "backend-protocol"),
      `Certificates of backends are verified from now on, for the name ${hostname}`,
    )
  if (isElsewhere)
    remarks.addChange(
      "backends",
      at(subject, "proxy-ssl-secret"),
      "Authorities are those of the same namespace",
    )
  if (!isOwn) return { hostname, wellKnownCACertificates: "System" }
  remarks.addChange(
    "backends",
    at(subject, "proxy-ssl-secret"),
    `Every implementation reads authorities from ConfigMaps: put ca.crt into ConfigMap ${second}; a certificate of its own is said by a Gateway`,
  )
  return { hostname, caCertificateRefs: [{ group: "", kind: "ConfigMap", name: second }] }
}
