import type { Staple } from "../model/certificate.ts"
import type { Problem } from "../model/problem.ts"
import type { ConfigMap } from "../objects/config-map.ts"
import type { EndpointSlice } from "../objects/endpoint-slice.ts"
import type { Ingress } from "../objects/ingress.ts"
import type { Node } from "../objects/node.ts"
import type { Pod } from "../objects/pod.ts"
import type { Secret } from "../objects/secret.ts"
import type { Service } from "../objects/service.ts"
import type { TlsSecretState } from "../secrets/tls-secret.ts"

/** What DNS says about a name. The reasons fit after a colon. */
export type NameAnswer =
  | {
      readonly kind: "found"
      /** in order, each once; at least one */
      readonly addresses: readonly string[]
      /** it could not be asked again when it should have been; `since` is a time of ISO 8601 */
      readonly stale?: { readonly since: string; readonly reason: string }
    }
  /** it has no address, as far as DNS knows */
  | { readonly kind: "absent"; readonly reason: string }
  /** DNS has never answered */
  | { readonly kind: "unknown"; readonly reason: string }

/** What responders say of a certificate (OCSP, RFC 6960). */
export interface OcspState {
  /** what handshakes may show; absent when there is none, or none any more */
  readonly staple?: Staple
  /** what its owner should know */
  readonly trouble?: OcspTrouble
}

/** Reasons fit after a colon; times are of ISO 8601. */
export type OcspTrouble =
  /** nobody can be asked, or nothing can be made of the answer, whatever it is */
  | { readonly kind: "impossible"; readonly reason: string }
  /** `since` then; `reason` is what was wrong at first */
  | { readonly kind: "failing"; readonly responder: string; readonly since: string; readonly reason: string }
  /** by who issued it */
  | { readonly kind: "revoked"; readonly responder: string; readonly since: string }

/**
 * The immutable view that a pass works on. Keys are `namespace/name`. An object that did not change is the same object in the next
 * snapshot, and so is a list or map of objects none of which changed: what is computed from one may be cached by identity.
 */
export interface Snapshot {
  /** only those that are ours by the class rules, in no particular order */
  readonly ingresses: readonly Ingress[]
  readonly services: ReadonlyMap<string, Service>
  /** by `namespace/service name` */
  readonly endpointSlices: ReadonlyMap<string, readonly EndpointSlice[]>
  /** those that an Ingress, a flag or the global settings name */
  readonly secrets: ReadonlyMap<string, Secret>
  readonly configMaps: ReadonlyMap<string, ConfigMap>
  /** of this controller's namespace, as far as they are read: its replicas. That one of them changes is no reason for a pass */
  readonly pods: ReadonlyMap<string, Pod>
  /** by name, as far as they are read; no reason for a pass either */
  readonly nodes: ReadonlyMap<string, Node>
  /** the zone of this controller, when it is known and makes a difference */
  readonly zone?: string
  /** of the names that ExternalName Services bear; one without an answer is being looked up. Absent where nobody asks DNS */
  readonly names?: ReadonlyMap<string, NameAnswer>
  /** what `secrets` bring for TLS; one without a state is not there */
  readonly tlsSecrets?: ReadonlyMap<string, TlsSecretState>
  /** by `Certificate.id`, of those about which there is anything to say. Absent where nobody asks */
  readonly ocsp?: ReadonlyMap<string, OcspState>
  /** what was wrong with the objects as they were read, and Ingresses left out for a reason their author should know */
  readonly problems: readonly Problem[]
}
