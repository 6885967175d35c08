import { join } from "node:path"
import type { Http } from "../../../model/http.ts"
import type { Paths } from "../site.ts"
import { type VariableMap, variableMap } from "./maps.ts"

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
 * `$alternative_service`, the value of `Alt-Svc`: HTTP/3 is where HTTPS is, at the port that the client knows this by. That stands in the host that it
 * asks for; which of ours it leads to does not matter. Source: RFC 7838, 3, and RFC 9114, 3.1.1.
 */
export function alternativeServiceMaps({ listening }: Http): readonly VariableMap[] {
  if (!listening.usesHttp3) return []
  const at = (port: string) => `h3=":${port}"; ma=86400`
  const ported = { "~:(?<asked_tls_port>[0-9]{1,5})$": at("$asked_tls_port") }
  return [variableMap("$http_host", "$alternative_service", at("443"), ported)]
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
