import { sharedServer } from "../../../model/listener.ts"
import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import { routeSourceName } from "../../../model/route-source.ts"
import { LastResult } from "../../../support/incremental/last-result.ts"
import { compareText } from "../../../support/order.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import { type DeclaredTls, noSettings, type TlsSettings, tlsPlace } from "../../declared/tls.ts"
import { declaredName, isOwnName } from "../hosts/hostnames.ts"
import { hostnamesByGateway, namesOf, noListener, type ServedListener } from "../hosts/listener-hosts.ts"
import type { AttachableListener } from "../listeners/attachable.ts"

/** As `Host.listener`: whose handshakes and requests belong together. */
export function listenerId({ owner, spec }: Pick<AttachableListener, "owner" | "spec">): string {
  return [owner.kind, owner.meta.namespace, owner.meta.name, spec.name].join("/")
}

/** What clients of listeners have to show; the same object while it is the same. */
export class Validations {
  readonly #last = new Map<string, LastResult<ClientValidation | undefined>>()

  of(listener: AttachableListener): ClientValidation | undefined {
    const id = listenerId(listener)
    const last = this.#last.get(id) ?? new LastResult<ClientValidation | undefined>()
    this.#last.set(id, last)
    const { clients } = listener
    return last.of([clients?.authority, clients?.mode], () => validationOf(listener))
  }
}

function validationOf({ clients, gateway }: AttachableListener): ClientValidation | undefined {
  if (clients?.authority === undefined) return undefined
  const { authority, mode } = clients
  const { namespace, name } = gateway.meta
  const verify = mode === "AllowValidOnly" ? "required" : "optional_no_ca"
  return {
    kind: "certificate",
    field: "spec.tls.frontend",
    ...{ authority, depth },
    certificate: {
      namespace,
      ingressName: routeSourceName({ kind: gateway.kind, name }),
      authority: authority.id,
      verify,
    },
  }
}

/** Of chains of clients. */
const depth = 10

/** What handshakes of listeners get: each name what its listener has, and every other name nothing of its own. */
export class ListenerTls {
  readonly #last = new Map<string, LastResult<DeclaredTls>>()

  of(all: readonly ServedListener[]): readonly DeclaredTls[] {
    const declared = new Map<string, DeclaredTls>()
    const owners = sharedNames(all)
    for (const served of all.filter(({ side }) => side.scheme === "https"))
      for (const server of served.servers)
        for (const name of shownNames(owners, server, served)) {
          const own = this.#ofListener(server, name, served)
          if (!declared.has(tlsPlace(own))) declared.set(tlsPlace(own), own)
        }
    for (const server of new Set([...declared.values()].flatMap(({ on }) => on ?? []))) {
      const rest = this.#rest(server)
      if (!declared.has(tlsPlace(rest))) declared.set(tlsPlace(rest), rest)
    }
    return [...declared.values()].sort((a, b) => compareText(tlsPlace(a), tlsPlace(b)))
  }

  #ofListener(
    server: string,
    name: string,
    { listener, id = noListener, clients }: ServedListener,
  ): DeclaredTls {
    const host = declaredName(name)
    const { pairs, secrets, owner } = listener
    const inputs = [owner.meta.namespace, id, clients, ...pairs.map(({ certificate }) => certificate)]
    return this.#known(`${server} ${host}`).of(inputs, () => ({
      ...(server === sharedServer ? { isOfListener: true } : { on: server, listener: id }),
      ...{ host, owner: owner.meta.namespace },
      // One that is closed may have none.
      ...(pairs.length > 0 && { server: { pairs, secrets, problems: [] } }),
      settings: settingsOf(clients),
      problems: [],
    }))
  }

  #rest(server: string): DeclaredTls {
    return this.#known(`${server} `).of([], () => ({
      ...{ on: server, host: "_", listener: noListener, owner: "" },
      ...{ settings: noSettings, problems: [] },
    }))
  }

  #known(key: string): LastResult<DeclaredTls> {
    const known = this.#last.get(key) ?? new LastResult<DeclaredTls>()
    this.#last.set(key, known)
    return known
  }
}

type Owners = ReadonlyMap<string, Gateway>

/** On the ports of Ingresses: whose a name is, the oldest Gateway's that has it, as it is for requests. */
function sharedNames(all: readonly ServedListener[]): Owners {
  const here = all.filter(({ servers }) => servers.includes(sharedServer))
  const groups = Map.groupBy(here, ({ side }) => side.scheme)
  const hostnames = new Map([...groups].map(([scheme, of]) => [scheme, hostnamesByGateway(of)]))
  const owners = new Map<string, Gateway>()
  for (const served of here) {
    const { gateway, spec } = served.listener
    const others = hostnames.get(served.side.scheme)?.get(gateway) ?? none
    for (const name of namesOf(served))
      if (!owners.has(name) && isOwnName(name, spec.hostname, others)) owners.set(name, gateway)
  }
  return owners
}

const none: ReadonlySet<string> = new Set()

/** In which handshakes its certificate is shown. Who has no requests for a name brings none for it. */
function shownNames(owners: Owners, server: string, served: ServedListener): readonly string[] {
  const { isNameless, gateway, spec } = served.listener
  if (server !== sharedServer) return [spec.hostname]
  const names = isNameless ? [...served.routes.names] : [spec.hostname]
  return names.filter((name) => owners.get(name) === gateway)
}

function settingsOf(clients: ClientValidation | undefined): TlsSettings {
  if (clients?.kind !== "certificate") return noSettings
  const { authority, certificate } = clients
  const { verify } = certificate
  return verify === "off"
    ? noSettings
    : { clientCertificate: { authority: authority.id, verify, depth }, authority }
}
