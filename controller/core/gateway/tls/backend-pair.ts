import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import type { SecretPair } from "../../declared/tls.ts"
import type { Finding } from "../finding.ts"
import type { Grants } from "../grants.ts"
import { pairOf } from "../listeners/certificates.ts"

/** What backends of a Gateway are shown that ask for a certificate. */
export interface BackendPair {
  /** absent: nothing */
  readonly pair?: SecretPair
  /** why what is named cannot be used */
  readonly unresolved?: Finding
}

const none: BackendPair = {}

export function backendPairOf(
  { backendCertificate: ref, meta: { namespace } }: Gateway,
  secrets: ReadonlyMap<string, TlsSecretState>,
  grants: Grants,
): BackendPair {
  if (ref === undefined) return none
  const owner = { kind: "Gateway", namespace }
  const field = "spec.tls.backend.clientCertificateRef"
  const { pair, unresolved } = pairOf(ref, field, owner, secrets, grants, "InvalidClientCertificateRef")
  if (pair === undefined) return unresolved ? { unresolved } : none
  return { pair }
}
