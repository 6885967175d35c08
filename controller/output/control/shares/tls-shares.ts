import type { Passthrough, TlsHost } from "../../../model/certificate.ts"
import type { Live } from "../../../model/model.ts"
import type { Host, Route } from "../../../model/route.ts"
import type { BackendTls } from "../../../model/route-records.ts"
import { shortClosedRoute } from "../no-wider.ts"
import { backendTlsOf } from "../wire-route.ts"
import type { Item, Shared } from "./grant.ts"
import { hostGroups } from "./host-groups.ts"
import { authorityBytes, certificateBytes, passthroughBytes, tlsHostBytes } from "./record-bytes.ts"

export type TlsItem = HandshakeItem | BackendTlsItem

/** A name of handshakes. */
interface HandshakeItem extends Item {
  readonly of: TlsHost
}

/** What routes of an object name for TLS towards a backend. */
interface BackendTlsItem extends Item {
  readonly of: BackendCertificates
}

interface BackendCertificates {
  readonly namespace: string
  readonly ingressName: string
  readonly backendTls: BackendTls
}

export function isOfBackends(item: TlsItem): item is BackendTlsItem {
  return "backendTls" in item.of
}

export function isOfHandshakes(item: TlsItem): item is HandshakeItem {
  return !isOfBackends(item)
}

/**
 * A name for which there is no room shows the certificate of those that are not known, and whoever is to show one is refused (closing.ts). A route
 * for whose backends there is none is closed.
 */
export function tlsItems(live: Live): readonly TlsItem[] {
  const named = sharedOf(live)
  return [...hostItems(live, named), ...backendItems(live, named)]
}

type Named = ReadonlyMap<string, Shared>

function sharedOf({ certificates, authorities, staples }: Live): Named {
  const stapled = new Map(staples.map(({ certificate, response }) => [certificate, response.length]))
  const named = new Map<string, Shared>()
  for (const it of certificates)
    named.set(it.id, { id: it.id, bytes: certificateBytes(it) + (stapled.get(it.id) ?? 0) + stapleBytes })
  for (const it of authorities)
    named.set(authorityKey(it.id), { id: authorityKey(it.id), bytes: authorityBytes(it) })
  return named
}

function hostItems({ tlsHosts, hosts }: Live, named: Named): readonly HandshakeItem[] {
  const groupOf = hostGroups(hosts)
  return tlsHosts.map((tlsHost) => {
    const { owner = "", certificates, clientCertificate: asked } = tlsHost
    const ids = [...new Set(certificates), ...(asked ? [authorityKey(asked.authority)] : [])]
    const needs = ids.flatMap((id) => named.get(id) ?? [])
    return {
      of: tlsHost,
      owners: ownersOf(owner),
      group: groupOf(tlsHost.host, owner),
      bytes: tlsHostBytes(tlsHost),
      closedBytes: 0,
      needs,
    }
  })
}

/** One for each different one of an object: what else it says is in the route. */
function backendItems({ hosts }: Live, named: Named): readonly BackendTlsItem[] {
  const items = new Map<string, BackendTlsItem>()
  for (const { routes } of hosts)
    for (const route of routes) {
      const { namespace, ingressName } = route
      for (const backendTls of backendTlsOf(route)) {
        const { authority, certificate } = backendTls
        const key = `${namespace} ${ingressName} ${backendKey(backendTls)}`
        if ((authority ?? certificate) === undefined || items.has(key)) continue
        const ids = [certificate, authority && authorityKey(authority)].filter((id) => id !== undefined)
        items.set(key, {
          of: { namespace, ingressName, backendTls },
          owners: ownersOf(namespace),
          group: `Ingress ${ingressName}`,
          ...{ bytes: 0, closedBytes: 0 },
          needs: ids.flatMap((id) => named.get(id) ?? []),
        })
      }
    }
  return [...items.values()]
}

/** Closes the routes that name what was left out. @param granted those that have room */
export function hostsWithBackends(
  hosts: readonly Host[],
  all: readonly TlsItem[],
  granted: readonly TlsItem[],
): readonly Host[] {
  const has = new Set(granted)
  const withoutRoom = all.filter(isOfBackends).filter((item) => !has.has(item))
  const left = new Set(withoutRoom.map((item) => keyOf(item.of)))
  if (left.size === 0) return hosts
  const isLeft = (route: Route) =>
    backendTlsOf(route).some((backendTls) => left.has(keyOf({ ...route, backendTls })))
  return hosts.map((host) =>
    host.routes.some(isLeft)
      ? { ...host, routes: host.routes.map((route) => (isLeft(route) ? shortClosedRoute(route) : route)) }
      : host,
  )
}

function keyOf({ namespace, backendTls }: BackendCertificates): string {
  return `${namespace} ${backendKey(backendTls)}`
}

function backendKey({ authority = "", certificate = "" }: BackendTls): string {
  return `${authority} ${certificate}`
}

/** Its node, its id and its time, whether there is a staple yet or not. */
export const stapleBytes = 192

export interface PassthroughItem extends Item {
  readonly passthrough: Passthrough
}

export function passthroughItems({
  passthroughs,
  hosts,
}: Pick<Live, "passthroughs" | "hosts">): readonly PassthroughItem[] {
  const groupOf = hostGroups(hosts)
  return passthroughs.map((passthrough) => ({
    passthrough,
    owners: ownersOf(passthrough.owner),
    group: groupOf(passthrough.host, passthrough.owner),
    bytes: passthroughBytes(passthrough),
    closedBytes: 0,
    needs: [],
  }))
}

/** Certificates and authorities are called by their content, each kind on its own. */
function authorityKey(id: string): string {
  return `authority ${id}`
}

function ownersOf(owner: string): readonly string[] {
  return owner === "" ? [] : [owner]
}
