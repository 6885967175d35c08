import { type ZoneName, zoneNames } from "../../../model/http/processes.ts"
import type { Live } from "../../../model/model.ts"
import { LastResult } from "../../../support/incremental/last-result.ts"
import { namedByRoutes, namedByStream } from "../wire-route.ts"
import { type BackendItem, backendItems } from "./backend-shares.ts"
import { type Account, accountOf, type Item, within } from "./grant.ts"
import { streamBytes } from "./record-bytes.ts"
import { shareBytes, type ZoneRooms } from "./room.ts"
import { type HostPart, hostParts, hostsWithin } from "./route-shares.ts"
import {
  hostsWithBackends,
  isOfHandshakes,
  type PassthroughItem,
  passthroughItems,
  type TlsItem,
  tlsItems,
} from "./tls-shares.ts"

// A namespace has at most its share of each zone of records. What it wants beyond that is closed, or left out where that closes as well. Pure: what
// comes out depends on nothing but what is wanted, so nothing that was in force before can outlive what ends it.

/** A namespace that wants more of a zone than it may have. */
export interface OverShare {
  readonly zone: ZoneName
  readonly namespace: string
  readonly wantedBytes: number
  readonly shareBytes: number
}

/** What namespaces want of each zone. */
export interface Accounts {
  readonly routes: Account<HostPart>
  readonly backends: Account<BackendItem>
  readonly certificates: Account<TlsItem>
  readonly passthroughs: Account<PassthroughItem>
}

/** How much a namespace may have of each zone. */
export type ZoneShares = Readonly<Record<ZoneName, number>>

/** What is left when every namespace keeps to its share. The same object where all of them do. */
export function withinShares(wanted: Live, accounts: Accounts, shares: ZoneShares): Live {
  const { routes, backends, certificates, passthroughs } = accounts
  const isOver = zoneNames.some((zone) => overIn(accounts[zone], shares[zone]).size > 0)
  if (!isOver) return wanted
  const ofTls = within(certificates, overIn(certificates, shares.certificates))
  const withRoom = hostsWithin(wanted.hosts, routes.byOwner, overIn(routes, shares.routes))
  const hosts = hostsWithBackends(withRoom, certificates.items, ofTls)
  const tlsHosts = ofTls.filter(isOfHandshakes).map((item) => item.of)
  return withoutUnnamed(wanted, {
    ...wanted,
    hosts,
    tlsHosts,
    backends: within(backends, overIn(backends, shares.backends)).map(({ backend }) => backend),
    passthroughs: within(passthroughs, overIn(passthroughs, shares.passthroughs)).map((it) => it.passthrough),
  })
}

/** Namespaces that want more than their share of a zone, with that share. */
function overIn({ wanted }: Account<Item>, share: number): ReadonlyMap<string, number> {
  return new Map([...wanted].flatMap(([namespace, bytes]) => (bytes > share ? [[namespace, share]] : [])))
}

export function overShares(accounts: Accounts, shares: ZoneShares): readonly OverShare[] {
  return zoneNames.flatMap((zone) =>
    [...overIn(accounts[zone], shares[zone])].map(([namespace, shareBytes]) => {
      const wantedBytes = accounts[zone].wanted.get(namespace) ?? 0
      return { zone, namespace, wantedBytes, shareBytes }
    }),
  )
}

/** @param sharePercent 100: the first to come has what there is */
export function sharesOf(accounts: Accounts, rooms: ZoneRooms, sharePercent: number): ZoneShares {
  const shares = zoneNames.map((zone) => {
    const { wanted, taken } = accounts[zone]
    const bytes = shareBytes(wanted.values(), taken, { roomBytes: rooms[zone], sharePercent })
    return [zone, sharePercent >= 100 ? Number.POSITIVE_INFINITY : bytes]
  })
  return Object.fromEntries(shares) as ZoneShares
}

const lastRoutes = new LastResult<Account<HostPart>>()
const lastBackends = new LastResult<Account<BackendItem>>()
const lastTls = new LastResult<Account<TlsItem>>()

/** What did not change since is not counted again. */
export function accountsOf(wanted: Live): Accounts {
  const { hosts, addressLists, userLists, backends, tlsHosts, certificates, authorities, staples } = wanted
  return {
    routes: withStreams(
      lastRoutes.of([hosts, addressLists, userLists], () => accountOf(hostParts(wanted))),
      wanted,
    ),
    backends: lastBackends.of([backends, hosts], () => accountOf(backendItems(wanted))),
    certificates: lastTls.of([tlsHosts, certificates, authorities, staples, hosts], () =>
      accountOf(tlsItems(wanted)),
    ),
    passthroughs: accountOf(passthroughItems(wanted)),
  }
}

/** What serves ports is the operator's. */
function withStreams(account: Account<HostPart>, { streams }: Live): Account<HostPart> {
  return { ...account, taken: streams.reduce((sum, it) => sum + streamBytes(it), account.taken) }
}

/** Lists and certificates go with what alone named them. */
function withoutUnnamed(wanted: Live, { hosts, tlsHosts, ...others }: Live): Live {
  const unnamed = without(namesIn(wanted), namesIn({ ...others, hosts, tlsHosts }))
  const isNamed = ({ id }: { readonly id: string }) => !unnamed.has(id)
  return {
    ...others,
    hosts,
    tlsHosts,
    addressLists: others.addressLists.filter(isNamed),
    userLists: others.userLists.filter(isNamed),
    certificates: others.certificates.filter(isNamed),
    authorities: others.authorities.filter(isNamed),
    staples: others.staples.filter(({ certificate }) => !unnamed.has(certificate)),
  }
}

function namesIn({ hosts, tlsHosts, streams }: Live): ReadonlySet<string> {
  const ofTls = tlsHosts.flatMap(({ certificates, clientCertificate }) => [
    ...certificates,
    ...(clientCertificate ? [clientCertificate.authority] : []),
  ])
  const ofRoutes = namedByRoutes(hosts.flatMap(({ routes }) => routes))
  return new Set([...ofRoutes, ...streams.flatMap(namedByStream), ...ofTls])
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...some].filter((id) => !others.has(id)))
}
