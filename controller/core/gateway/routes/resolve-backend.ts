import { gatewayGroup } from "../../../model/objects/gateway/names.ts"
import type { BackendRef as ObjectBackend } from "../../../model/objects/gateway/references.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { Protocol, Service, ServicePort } from "../../../model/objects/service.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import type { Finding } from "../finding.ts"
import type { Grants } from "../grants.ts"
import { notPermitted } from "../listeners/certificates.ts"

/** Who names a backend. */
interface Namer {
  readonly kind: string
  readonly namespace: string
}

/** What a backend reference comes to. */
export interface ResolvedRef {
  readonly port?: ServicePort
  /** why the route's reference is not resolved */
  readonly finding?: Finding
  /** it may not be used, whatever comes to be there */
  readonly isRefused: boolean
}

export function resolveBackend(
  ref: Omit<ObjectBackend, "weight">,
  field: string,
  namer: Namer,
  service: Service | undefined,
  grants: Grants,
  protocol: Protocol = "TCP",
): ResolvedRef {
  const name = shown(qualifiedName(ref))
  const refused = (finding: Finding) => ({ finding, isRefused: true })
  const missing = (code: ProblemCode, state: string): Finding => {
    const message = `Cannot pass requests to Service ${name}: ${state}`
    return { reason: "BackendNotFound", code, field, message }
  }
  if (ref.group !== "" || ref.kind !== "Service") {
    const message = `Cannot pass requests to ${ref.kind} ${name}: write kind Service`
    return refused({ reason: "InvalidKind", code: "backend-kind", field, message })
  }
  if (!grants.allow({ group: gatewayGroup, ...namer }, ref)) return refused(notPermitted(ref, field, namer))
  if (ref.port === undefined) return refused(missing("backend-without-port", "no port is named"))
  if (service === undefined)
    return { finding: missing("backend-unusable", "it does not exist"), isRefused: false }
  const port = service.ports.find((it) => it.port === ref.port && it.protocol === protocol)
  if (port !== undefined) return { port, isRefused: false }
  const state = `it has no ${protocol} port ${ref.port}`
  return { finding: missing("backend-unusable", state), isRefused: false }
}
