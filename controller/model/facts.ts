import type { NameAnswer } from "./name-answer.ts"
import type { OcspState } from "./ocsp-state.ts"
import type { PolicyState } from "./policy-state.ts"
import type { RuleSetState } from "./rule-set.ts"
import type { TlsSecretState } from "./tls-secret.ts"

/**
 * What a pass needs to know that stands in no object. Each map and each value in it is the same as in the pass before while nothing changed:
 * what is computed from one may be cached by identity.
 */
export interface Facts {
  /** from DNS: the names that ExternalName Services bear; one without an answer is being looked up */
  readonly names: ReadonlyMap<string, NameAnswer>
  /** by `namespace/name`: what Secrets bring for TLS; one without a state is not there */
  readonly tlsSecrets: ReadonlyMap<string, TlsSecretState>
  /** by `Certificate.id`: what OCSP responders say of the certificates about which there is anything to say */
  readonly ocsp: ReadonlyMap<string, OcspState>
  /** by name: the balancing policies that the operator allows */
  readonly policies: ReadonlyMap<string, PolicyState>
  /** by owner: rule sets of web application firewalls. Absent: nobody checks them, as where nothing is served; all that can be read are taken as good */
  readonly ruleSets: ReadonlyMap<string, RuleSetState> | undefined
}

/** Nothing is known yet. */
export const noFacts: Facts = {
  names: new Map(),
  tlsSecrets: new Map(),
  ocsp: new Map(),
  policies: new Map(),
  ruleSets: undefined,
}
