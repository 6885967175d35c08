import type { Facts } from "../../../model/facts.ts"
import type { ConfigMap } from "../../../model/objects/config-map.ts"
import type { Secret } from "../../../model/objects/secret.ts"
import type { PolicyState } from "../../../model/policy-state.ts"
import type { RuleSetState } from "../../../model/rule-set.ts"
import type { Snapshot } from "../../../model/snapshot.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"

/** Where the objects are that annotations may name. */
export type Referable = Pick<Snapshot, "configMaps" | "secrets"> &
  Pick<Facts, "tlsSecrets" | "policies" | "ruleSets">

interface Lookup {
  readonly among: keyof Referable
  readonly name: string
  readonly found: ConfigMap | Secret | TlsSecretState | PolicyState | RuleSetState | undefined
}

/** Most Ingresses name nothing. */
const noLookups: readonly Lookup[] = []

/**
 * Finds objects for one Ingress and notes what it found, or that there was nothing: what is made of them holds as long as each look-up
 * would find the same.
 */
export class Lookups {
  #objects: Referable | undefined
  #all: readonly Lookup[] = noLookups

  constructor(objects: Referable) {
    this.#objects = objects
  }

  /** @param name `namespace/name` */
  configMap(name: string): ConfigMap | undefined {
    const found = this.#objects?.configMaps.get(name)
    this.#note({ among: "configMaps", name, found })
    return found
  }

  /** A Secret as it is. @param name `namespace/name` */
  secret(name: string): Secret | undefined {
    const found = this.#objects?.secrets.get(name)
    this.#note({ among: "secrets", name, found })
    return found
  }

  /** What a Secret brings for TLS. @param name `namespace/name` */
  tlsSecret(name: string): TlsSecretState | undefined {
    const found = this.#objects?.tlsSecrets.get(name)
    this.#note({ among: "tlsSecrets", name, found })
    return found
  }

  /** @param name of a balancing policy */
  policy(name: string): PolicyState | undefined {
    const found = this.#objects?.policies.get(name)
    this.#note({ among: "policies", name, found })
    return found
  }

  /** Whether somebody checks rule sets before they are used. */
  get areRulesChecked(): boolean {
    return this.#objects?.ruleSets !== undefined
  }

  /** What is known of the rule set of an owner. */
  ruleSet(name: string): RuleSetState | undefined {
    const found = this.#objects?.ruleSets?.get(name)
    this.#note({ among: "ruleSets", name, found })
    return found
  }

  /** `namespace/name` of the Secrets that were looked up. */
  tlsSecrets(): readonly string[] {
    return this.#all.flatMap(({ among, name }) => (among === "tlsSecrets" ? [name] : []))
  }

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  /** No more will be looked up: what was found is kept, all that it was found among is not. */
  finish(): void {
    this.#objects = undefined
  }

  /** Whether the same would be found among `objects`. */
  isSameIn(objects: Referable): boolean {
    return this.#all.every(({ among, name, found }) => objects[among]?.get(name) === found)
  }

  #note(lookup: Lookup): void {
    this.#all = [...this.#all, lookup]
  }
}
