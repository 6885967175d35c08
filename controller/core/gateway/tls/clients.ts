import type { Authority } from "../../../model/certificate.ts"
import type { ClientCertificates, Gateway } from "../../../model/objects/gateway/gateway.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import type { Finding } from "../finding.ts"
import type { Grants } from "../grants.ts"
import { readAuthorities } from "./authorities.ts"

/** What clients of a listener have to show. */
export interface ListenerClients {
  /** absent: nothing that they show can be verified, and nobody is let in */
  readonly authority?: Authority
  readonly mode: ClientCertificates["mode"]
  readonly unresolved?: Finding
}

const reasons = { kind: "InvalidCACertificateKind", reference: "InvalidCACertificateRef" }

/** Of a port of a Gateway; undefined: nothing. */
export function clientsOf(
  gateway: Gateway,
  port: number,
  secrets: ReadonlyMap<string, TlsSecretState>,
  grants: Grants,
): ListenerClients | undefined {
  const at = gateway.clientsOfPort.findIndex((of) => of.port === port)
  const clients = at < 0 ? gateway.clients : gateway.clientsOfPort[at]?.clients
  if (clients === undefined) return undefined
  const place = at < 0 ? "default" : `perPort[${at}].tls`
  const field = `spec.tls.frontend.${place}.validation.caCertificateRefs`
  const owner = { kind: "Gateway", namespace: gateway.meta.namespace }
  const { authority, unresolved } = readAuthorities(clients.authorities, field, reasons, secrets, {
    owner,
    grants,
  })
  return { mode: clients.mode, ...(authority && { authority }), ...(unresolved && { unresolved }) }
}

/** Why a listener is not accepted. */
export function withoutAuthority({ authority, unresolved }: ListenerClients): Finding | undefined {
  if (authority !== undefined) return undefined
  const message = unresolved?.message ?? "Cannot verify clients: caCertificateRefs names nothing"
  const field = unresolved?.field ?? "spec.tls.frontend"
  return { reason: "NoValidCACertificate", code: "authority-unusable", field, message }
}
