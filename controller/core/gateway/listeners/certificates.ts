import { fieldPath } from "../../../model/field-path.ts"
import type { GatewayListener } from "../../../model/objects/gateway/gateway-listener.ts"
import { gatewayGroup } from "../../../model/objects/gateway/names.ts"
import type { ObjectRef } from "../../../model/objects/gateway/references.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import { shown } from "../../../model/shown.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import type { SecretPair } from "../../declared/tls.ts"
import type { Finding } from "../finding.ts"
import type { Grants } from "../grants.ts"

type Secrets = ReadonlyMap<string, TlsSecretState>

/** The certificates of a listener. */
export interface ListenerCertificates {
  /** of different types of keys */
  readonly pairs: readonly SecretPair[]
  /** `namespace/name` */
  readonly secrets: readonly string[]
  readonly unresolved?: Finding
}

const none: ListenerCertificates = { pairs: [], secrets: [] }

/** @param owner the object that has the listener */
export function certificatesOf(
  { protocol, tls }: GatewayListener,
  field: string,
  owner: { readonly kind: string; readonly namespace: string },
  secrets: Secrets,
  grants: Grants,
): ListenerCertificates {
  if ((protocol !== "HTTPS" && protocol !== "TLS") || tls?.mode === "Passthrough") return none
  const refs = tls?.certificates ?? []
  if (refs.length === 0) return { ...none, unresolved: without(field) }
  const read = refs.map((ref, at) =>
    pairOf(ref, fieldPath(field, "tls", "certificateRefs", at), owner, secrets, grants),
  )
  const byType = new Map<string, SecretPair>()
  for (const { pair } of read) if (pair && !byType.has(pair.keyType)) byType.set(pair.keyType, pair)
  const unresolved = read.find((it) => it.unresolved !== undefined)?.unresolved
  return {
    pairs: [...byType.values()],
    secrets: refs.map(qualifiedName),
    ...(unresolved && { unresolved }),
  }
}

function without(field: string): Finding {
  const message = "Cannot answer by TLS: tls.certificateRefs names no Secret"
  return {
    reason: "InvalidCertificateRef",
    code: "listener-certificate",
    field: fieldPath(field, "tls"),
    message,
  }
}

interface ReadPair {
  readonly pair?: SecretPair
  readonly unresolved?: Finding
}

/**
 * The certificate that a reference names.
 *
 * @param reason of the API, for a Secret that cannot be used
 */
export function pairOf(
  ref: ObjectRef,
  field: string,
  owner: { readonly kind: string; readonly namespace: string },
  secrets: Secrets,
  grants: Grants,
  reason = "InvalidCertificateRef",
): ReadPair {
  const name = shown(qualifiedName(ref))
  const wrong = (message: string) => ({
    unresolved: { reason, code: "listener-certificate", field, message } as const,
  })
  if (ref.group !== "" || ref.kind !== "Secret")
    return wrong(`Cannot use ${shown(ref.kind)} ${name} as a certificate: write kind Secret`)
  if (!grants.allow({ group: gatewayGroup, ...owner }, ref))
    return { unresolved: notPermitted(ref, field, owner) }
  const state = secrets.get(qualifiedName(ref))
  if (state === undefined) return wrong(`Cannot use Secret ${name}: it does not exist`)
  if (state.kind === "refused") return wrong(`Cannot use Secret ${name}: ${state.reason}`)
  if (state.secret.pair === undefined)
    return wrong(`Cannot use Secret ${name}: it contains no keypair, "tls.crt" with "tls.key" is missing`)
  return { pair: { ...state.secret.pair, secret: qualifiedName(ref) } }
}

/** A reference into another namespace. */
export function notPermitted(
  ref: ObjectRef,
  field: string,
  { kind, namespace }: { readonly kind: string; readonly namespace: string },
): Finding {
  const message = `Cannot use ${ref.kind} ${shown(qualifiedName(ref))}: no ReferenceGrant in namespace ${shown(ref.namespace)} allows a ${kind} of namespace ${shown(namespace)} to name it`
  return { reason: "RefNotPermitted", code: "reference-not-permitted", field, message }
}
