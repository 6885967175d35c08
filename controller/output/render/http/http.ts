import { nameOfAsked } from "../../../model/asked-by-name.ts"
import type { Http } from "../../../model/http.ts"
import type { Fixed } from "../../../model/model.ts"
import { serverNamesBucketSize } from "../server-blocks.ts"
import type { Site } from "../site.ts"
import { copiedHeaders, forwardingMaps, realIpOf, trustedProxies } from "./forwarding.ts"
import { listenersOf } from "./listen.ts"
import { logFields, uriMap } from "./logs.ts"
import { bucketSizeFor, membership, type VariableMap, variableMap } from "./maps.ts"
import { geoNetworks } from "./networks.ts"
import { proxyingFields } from "./proxying.ts"
import { ownHeaders } from "./request-headers.ts"
import { routeDefaults } from "./route-defaults.ts"
import {
  alternativeService,
  alternativeServiceMaps,
  earlyDataMaps,
  quicFields,
  strictTransport,
  tlsFields,
} from "./tls.ts"

/** What the templates print of the http level. */
export function httpFields(fixed: Fixed, site: Site) {
  const { http } = fixed
  const maps = [...mapsOf(http), ...alternativeServiceMaps(fixed)]
  const { filters, headers, compression, upstream, clients } = http
  return {
    listeners: { ...listenersOf(fixed, site), status: `127.0.0.1:${http.ports.statusPort}` },
    logs: logFields(http, site),
    clients: { ...clients, redirectsAbsolutely: !clients.relativeRedirects },
    tls: { ...tlsFields(http, site.paths.secrets), quic: quicFields(http, site.paths) },
    hashes: {
      ...http.hashes,
      mapHashBucketSize: Math.max(http.hashes.mapHashBucketSize, bucketSizeFor(keysOf(maps))),
      serverNamesHashBucketSize: serverNamesBucketSize(fixed),
    },
    realIp: realIpOf(http),
    trustedProxies: trustedProxies(http),
    copiedHeaders: copiedHeaders(http),
    ownHeaders: ownHeaders(http),
    maps,
    routeDefaults: routeDefaults(http),
    filters: { ...filters, blockedAddresses: geoNetworks(filters.blockedAddresses) },
    headers: {
      ...headers,
      strictTransport: strictTransport(http),
      alternativeService: alternativeService(fixed),
    },
    compression,
    proxying: proxyingFields(http),
    upstream,
    policies: http.policies,
    geoip: http.geoip ?? null,
    snippets: http.snippets,
  }
}

function keysOf(maps: readonly VariableMap[]): readonly string[] {
  return maps.flatMap(({ rows }) => rows.map(({ key }) => key))
}

function mapsOf(http: Http): readonly VariableMap[] {
  return [
    connectionMap(http),
    ...forwardingMaps(http),
    ...earlyDataMaps(http),
    ...[uriMap(http)].filter((map) => map !== undefined),
    ...blockMaps(http),
    serviceNameMap,
  ]
}

/** As whom authentication services are asked by TLS. */
const serviceNameMap = variableMap("$proxy_upstream_name", "$service_tls_name", "$http_host", {
  [`~${nameOfAsked}`]: "$1",
})

/** Without idle connections to endpoints, ours say so: a "Connection" header of nothing would ask to keep them. */
function connectionMap({ upstream }: Http): VariableMap {
  const without = upstream.upstreamKeepaliveConnections === 0 ? "close" : ""
  return variableMap("$http_upgrade", "$connection_upgrade", "upgrade", { "": without })
}

function blockMaps({ filters }: Http): readonly VariableMap[] {
  const blocked = { inside: "1", outside: "0" }
  return [
    membership("$http_user_agent", "$block_ua", filters.blockedUserAgents, blocked),
    membership("$http_referer", "$block_ref", filters.blockedReferers, blocked),
  ].filter(({ rows }) => rows.length > 0)
}
