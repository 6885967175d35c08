import { getCACertificates } from "node:tls"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { Secret } from "../../model/objects/secret.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { authorityKey, systemAuthorities, type TlsSecretState } from "../../model/tls-secret.ts"
import { LastResult } from "../../support/incremental/last-result.ts"

type Secrets = ReadonlyMap<string, Secret>
type Objects = Pick<Snapshot, "secrets" | "configMaps" | "gateway">

/** Finds what objects bring for TLS. */
export interface TlsFacts {
  read(objects: Objects): Promise<void>
  /** as `Secrets.states` */
  states(): ReadonlyMap<string, TlsSecretState>
}

/**
 * The Secrets, and beside them what else brings CA certificates: ConfigMaps that objects of the Gateway API name, and the authorities of the operating
 * system where they are asked for. All are read in the same way.
 */
export class SecretsAndAuthorities {
  readonly #last = new LastResult<Secrets>()
  /** a version of a ConfigMap, as a Secret */
  readonly #views = new WeakMap<ConfigMap, Secret>()
  #system: Secret | undefined

  /** @returns the same object while nothing changes */
  of({ secrets, configMaps, gateway }: Objects): Secrets {
    return this.#last.of([secrets, configMaps, gateway], () => {
      const named = authoritiesIn(gateway)
      const found = named.configMaps.flatMap((name) => {
        const configMap = configMaps.get(name)
        return configMap ? [[authorityKey("ConfigMap", name), this.#viewOf(configMap)] as const] : []
      })
      if (found.length === 0 && !named.wantsSystem) return secrets
      return new Map([
        ...secrets,
        ...found,
        ...(named.wantsSystem ? [[systemAuthorities, this.#systemView()] as const] : []),
      ])
    })
  }

  #viewOf(configMap: ConfigMap): Secret {
    const known = this.#views.get(configMap)
    if (known !== undefined) return known
    const text = configMap.data["ca.crt"]
    const bytes = text === undefined ? configMap.binaryData?.["ca.crt"] : new TextEncoder().encode(text)
    const view = secretOf(configMap.meta, bytes)
    this.#views.set(configMap, view)
    return view
  }

  #systemView(): Secret {
    const meta = { namespace: "", name: "", uid: "", createdMs: 0, labels: {}, annotations: {} }
    this.#system ??= secretOf(meta, new TextEncoder().encode(systemCertificates()))
    return this.#system
  }
}

/** Where the system has none, those that Node brings. */
function systemCertificates(): string {
  const own = getCACertificates("system")
  return (own.length > 0 ? own : getCACertificates("bundled")).join("\n")
}

function secretOf(meta: Secret["meta"], bytes: Uint8Array | undefined): Secret {
  return { kind: "Secret", meta, type: "Opaque", data: bytes === undefined ? {} : { "ca.crt": bytes } }
}

function authoritiesIn({ gateways, backendTlsPolicies }: Snapshot["gateway"]) {
  const policies = [...backendTlsPolicies.values()]
  const clients = [...gateways.values()].flatMap((gateway) => [
    gateway.clients,
    ...gateway.clientsOfPort.map((ofPort) => ofPort.clients),
  ])
  const refs = [...policies, ...clients].flatMap((some) => some?.authorities ?? [])
  const configMaps = refs.filter(({ group, kind }) => group === "" && kind === "ConfigMap")
  return {
    configMaps: configMaps.map(({ namespace, name }) => `${namespace}/${name}`),
    wantsSystem: policies.some(({ wellKnown }) => wellKnown === "System"),
  }
}
