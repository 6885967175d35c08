import type { Authority } from "../../../model/certificate.ts"
import type { BackendTlsPolicy } from "../../../model/objects/gateway/backend-tls-policy.ts"
import { byAge } from "../../../model/objects/object.ts"
import { shown } from "../../../model/shown.ts"
import { systemAuthorities, type TlsSecretState } from "../../../model/tls-secret.ts"
import type { Finding } from "../finding.ts"
import { type ReadAuthorities, readAuthorities } from "./authorities.ts"

type Secrets = ReadonlyMap<string, TlsSecretState>

/** What a BackendTLSPolicy comes to, whatever it is for. */
export interface ReadPolicy {
  readonly policy: BackendTlsPolicy
  /** what backends are judged by; absent: it cannot be used, and neither can they */
  readonly authority?: Authority
  /** why it is not accepted */
  readonly refused?: Finding
  readonly unresolved?: Finding
}

/** Of chains of backends; as long as any that is in use. */
export const verifyDepth = 10

const reasons = { kind: "InvalidKind", reference: "InvalidCACertificateRef" }
const validation = "spec.validation"

/** The BackendTLSPolicies, by the Services that they are for. What one comes to is the same object while nothing in it changes. */
export class Policies {
  #secrets: Secrets | undefined
  #all: ReadonlyMap<string, BackendTlsPolicy> | undefined
  #read: ReadonlyMap<BackendTlsPolicy, ReadPolicy> = new Map()
  #byTarget: ReadonlyMap<string, readonly ReadPolicy[]> = new Map()

  follow(all: ReadonlyMap<string, BackendTlsPolicy>, secrets: Secrets): void {
    if (all === this.#all && secrets === this.#secrets) return
    this.#all = all
    this.#secrets = secrets
    const before = this.#read
    const inOrder = [...all.values()].sort(byAge)
    this.#read = new Map(
      inOrder.map((policy) => [policy, same(before.get(policy), readPolicy(policy, secrets))]),
    )
    const targets = [...this.#read.values()].flatMap((read) =>
      read.policy.targets
        .filter(({ group, kind }) => group === "" && kind === "Service")
        .map(({ namespace, name, sectionName }) => ({ key: `${namespace}/${name} ${sectionName}`, read })),
    )
    this.#byTarget = new Map(
      [...Map.groupBy(targets, ({ key }) => key)].map(([key, of]) => [key, of.map(({ read }) => read)]),
    )
  }

  all(): Iterable<ReadPolicy> {
    return this.#read.values()
  }

  /** The one for a port of a Service: that of its name before that of all ports, and of several the oldest. @param service `namespace/name` */
  of(service: string, portName: string): ReadPolicy | undefined {
    const own = portName === "" ? undefined : this.#byTarget.get(`${service} ${portName}`)
    return (own ?? this.#byTarget.get(`${service} `))?.[0]
  }

  /** Why one has no effect: an older one is for the same. */
  conflictOf({ policy }: ReadPolicy): Finding | undefined {
    for (const [at, { namespace, name, sectionName }] of policy.targets.entries()) {
      const first = this.#byTarget.get(`${namespace}/${name} ${sectionName}`)?.[0]
      if (first === undefined || first.policy === policy) continue
      const message = `Cannot be in force for Service ${shown(`${namespace}/${name}`)}: BackendTLSPolicy ${shown(first.policy.meta.name)} is older and for the same; remove one of the two`
      return { reason: "Conflicted", code: "policy-conflict", field: `spec.targetRefs[${at}]`, message }
    }
    return undefined
  }
}

function same(before: ReadPolicy | undefined, after: ReadPolicy): ReadPolicy {
  if (before === undefined || before.authority?.id !== after.authority?.id) return after
  const isSame =
    before.refused?.message === after.refused?.message &&
    before.unresolved?.message === after.unresolved?.message
  return isSame ? before : after
}

function readPolicy(policy: BackendTlsPolicy, secrets: Secrets): ReadPolicy {
  const { authority, unresolved } = authorityOf(policy, secrets)
  const refused = unsupported(policy) ?? (authority === undefined ? without(unresolved) : undefined)
  return {
    policy,
    ...(refused === undefined && authority && { authority }),
    ...(refused && { refused }),
    ...(unresolved && { unresolved }),
  }
}

function authorityOf({ authorities, wellKnown }: BackendTlsPolicy, secrets: Secrets): ReadAuthorities {
  if (authorities.length > 0)
    return readAuthorities(authorities, `${validation}.caCertificateRefs`, reasons, secrets)
  const system = wellKnown === "System" ? secrets.get(systemAuthorities) : undefined
  return system?.kind === "usable" && system.secret.authority ? { authority: system.secret.authority } : {}
}

function without(unresolved: Finding | undefined): Finding {
  const message =
    unresolved?.message ??
    "Cannot verify backends: write caCertificateRefs, or wellKnownCACertificates: System"
  const field = unresolved?.field ?? validation
  return { reason: "NoValidCACertificate", code: "authority-unusable", field, message }
}

/** No option is known. */
function unsupported({ options }: BackendTlsPolicy): Finding | undefined {
  const [option] = Object.keys(options)
  if (option === undefined) return undefined
  const message = `Cannot verify backends by option ${shown(option)}: remove it`
  return { reason: "Invalid", code: "policy-unsupported", field: "spec.options", message }
}
