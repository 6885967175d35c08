import { join } from "node:path"
import type { Http } from "../../../model/http.ts"
import type { Paths } from "../site.ts"
import { quicPorts, type ServingPorts } from "./listen.ts"
import { type VariableMap, variableMap } from "./maps.ts"

const alternative = 'h3=":$ingress_asked_tls_port"; ma=86400'

/** What the templates print about TLS towards clients. @param secrets folder of `Fixed.files` */
export function tlsFields({ tls }: Http, secrets: string) {
  const { cachesSessions, sessionCacheBytes, ticketKey, formerTicketKey, dhParam } = tls
  const ticketKeys = [ticketKey, formerTicketKey?.name].filter((name) => name !== undefined)
  return {
    ...tls,
    sessionCache: cachesSessions ? `shared:SSL:${sessionCacheBytes}` : "none",
    // With the first one nginx encrypts, it decrypts with all.
    ticketKeys: ticketKeys.map((name) => join(secrets, name)),
    dhParam: dhParam === undefined ? null : join(secrets, dhParam),
  }
}

/** null: nobody speaks QUIC */
export function quicFields({ listening }: Http, { quicHostKey }: Pick<Paths, "quicHostKey">) {
  const { usesHttp3, validatesQuicAddresses: validatesAddresses } = listening
  return usesHttp3 ? { hostKey: quicHostKey, validatesAddresses } : null
}

/** What an intermediary before us said stays said. Source: RFC 8470, 5.1. */
export function earlyDataMaps({ tls }: Http): readonly VariableMap[] {
  if (!tls.acceptsEarlyData) return []
  return [variableMap("$ssl_early_data", "$early_data", "$http_early_data", { "1": "1" })]
}

/**
 * Value of `Alt-Svc`; null: nobody gets it. HTTP/3 is at the port that the client knows HTTPS by, whichever of ours it leads to.
 * Source: RFC 9114, 3.1.1.
 */
export function alternativeService(fixed: ServingPorts): string | null {
  if (quicPorts(fixed).length === 0) return null
  return isEverywhere(fixed) ? alternative : "$alternative_service"
}

/** Where some ports of HTTPS have HTTP/3, and others not. */
export function alternativeServiceMaps(fixed: ServingPorts): readonly VariableMap[] {
  const ports = quicPorts(fixed)
  if (ports.length === 0 || isEverywhere(fixed)) return []
  const rows = Object.fromEntries(ports.map((port) => [String(port), alternative]))
  return [variableMap("$server_port", "$alternative_service", "", rows)]
}

function isEverywhere(fixed: ServingPorts): boolean {
  const { http, listeners = [] } = fixed
  const tls = [http.ports.httpsPort, ...listeners.flatMap((it) => (it.scheme === "https" ? [it.port] : []))]
  const quic = new Set(quicPorts(fixed))
  return tls.every((port) => quic.has(port))
}

/** Value of `Strict-Transport-Security`; null: nobody gets it. */
export function strictTransport({ hsts }: Http): string | null {
  if (!hsts.sendsHsts) return null
  const parts = [
    `max-age=${hsts.hstsMaxAgeSeconds}`,
    ...(hsts.hstsIncludesSubdomains ? ["includeSubDomains"] : []),
    ...(hsts.hstsAllowsPreload ? ["preload"] : []),
  ]
  return parts.join("; ")
}
