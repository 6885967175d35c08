import type { Authority } from "../../../model/certificate.ts"
import { fieldPath } from "../../../model/field-path.ts"
import { gatewayGroup } from "../../../model/objects/gateway/names.ts"
import type { ObjectRef } from "../../../model/objects/gateway/references.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import { shown } from "../../../model/shown.ts"
import { authorityKey, type TlsSecretState } from "../../../model/tls-secret.ts"
import { contentName } from "../../../support/content-name.ts"
import type { Finding } from "../finding.ts"
import type { Grants } from "../grants.ts"
import { notPermitted } from "../listeners/certificates.ts"

/** The words of the API for references that cannot be used: it has others for listeners than for policies. */
export interface AuthorityReasons {
  readonly kind: string
  readonly reference: string
}

/** Which CA certificates are meant. */
export interface ReadAuthorities {
  /** of all references that can be used; absent: there are none */
  readonly authority?: Authority
  /** the first that cannot */
  readonly unresolved?: Finding
}

/** @param owner who names them; absent: they lie in its own namespace */
export function readAuthorities(
  refs: readonly ObjectRef[],
  field: string,
  reasons: AuthorityReasons,
  secrets: ReadonlyMap<string, TlsSecretState>,
  allowed?: {
    readonly owner: { readonly kind: string; readonly namespace: string }
    readonly grants: Grants
  },
): ReadAuthorities {
  const read = refs.map((ref, at) => readOne(ref, fieldPath(field, at), reasons, secrets, allowed))
  const found = read.flatMap(({ authority }) => authority ?? [])
  const unresolved = read.find((it) => it.unresolved !== undefined)?.unresolved
  return {
    ...(found.length > 0 && { authority: merged(found) }),
    ...(unresolved && { unresolved }),
  }
}

function readOne(
  ref: ObjectRef,
  field: string,
  reasons: AuthorityReasons,
  secrets: ReadonlyMap<string, TlsSecretState>,
  allowed: Parameters<typeof readAuthorities>[4],
): ReadAuthorities {
  const name = shown(qualifiedName(ref))
  const wrong = (reason: string, message: string) => ({
    unresolved: { reason, code: "authority-unusable", field, message } as const,
  })
  if (ref.group !== "" || (ref.kind !== "ConfigMap" && ref.kind !== "Secret"))
    return wrong(reasons.kind, `Cannot use ${ref.kind} ${name}: write kind ConfigMap`)
  if (allowed !== undefined && !allowed.grants.allow({ group: gatewayGroup, ...allowed.owner }, ref))
    return { unresolved: notPermitted(ref, field, allowed.owner) }
  const state = secrets.get(authorityKey(ref.kind, qualifiedName(ref)))
  if (state === undefined)
    return wrong(reasons.reference, `Cannot use ${ref.kind} ${name}: it does not exist`)
  if (state.kind === "refused")
    return wrong(reasons.reference, `Cannot use ${ref.kind} ${name}: ${state.reason}`)
  const { authority } = state.secret
  if (authority !== undefined && state.stale === undefined) return { authority }
  const why = state.stale?.reason ?? 'it contains no CA certificate, key "ca.crt" is missing'
  return wrong(reasons.reference, `Cannot use ${ref.kind} ${name}: ${why}`)
}

function merged(all: readonly Authority[]): Authority {
  const [only] = all
  if (only !== undefined && all.length === 1) return only
  return {
    id: contentName(all.map(({ id }) => id).join("\n")),
    certificates: all.flatMap(({ certificates }) => certificates),
    crls: all.flatMap(({ crls }) => crls),
  }
}
