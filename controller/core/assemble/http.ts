import type { Http } from "../../model/http.ts"
import type { SecretFile } from "../../model/secret-file.ts"
import { compareText } from "../../support/order.ts"
import { printedSnippets } from "../options/config-snippets.ts"
import { defaultSettings } from "../options/configmap.ts"
import { settingsOf } from "../options/key.ts"
import { clients } from "../options/keys/clients.ts"
import { compression } from "../options/keys/compression.ts"
import { forwarding } from "../options/keys/forwarding.ts"
import { hashes } from "../options/keys/hashes.ts"
import { headers } from "../options/keys/headers.ts"
import { hsts } from "../options/keys/hsts.ts"
import { listening } from "../options/keys/listening.ts"
import { logs } from "../options/keys/logs.ts"
import { processes } from "../options/keys/processes.ts"
import { proxying } from "../options/keys/proxying.ts"
import { streams } from "../options/keys/streams.ts"
import { tls } from "../options/keys/tls.ts"
import { sampling } from "../options/keys/tracing.ts"
import { upstream } from "../options/keys/upstream.ts"
import type { Settings } from "../options/settings.ts"
import type { TranslateOptions } from "../options/translation.ts"

/** The settings of the http level. */
export function httpOf(settings: Settings, options: TranslateOptions): Http {
  const { ports, passesTls, geoEditions } = options
  return {
    ports,
    processes: settingsOf(processes, settings),
    listening: settingsOf(listening, settings),
    clients: settingsOf(clients, settings),
    forwarding: { ...settingsOf(forwarding, settings), trustedProxies: settings.trustedProxies ?? [] },
    tls: tlsOf(settings),
    hsts: settingsOf(hsts, settings),
    headers: settingsOf(headers, settings),
    filters: filtersOf(settings),
    errors: { codes: settings.errorCodes, passesErrors: settings.passesErrors },
    compression: settingsOf(compression, settings),
    proxying: settingsOf(proxying, settings),
    upstream: settingsOf(upstream, settings),
    logs: settingsOf(logs, settings),
    tracing: settingsOf(sampling, settings),
    streams: streamsOf(settings, passesTls),
    passesTls,
    ...(settings.usesGeoip2 && geoEditions.length > 0 && { geoip: { editions: geoEditions } }),
    hashes: settingsOf(hashes, settings),
    policies: { readableHeaders: settings.policyReadableHeaders },
    snippets: printedSnippets(settings),
  }
}

/** Where no TLS is passed through these are data of records alone, whose change needs no reload. */
function streamsOf(settings: Settings, passesTls: boolean): Http["streams"] {
  const { proxyStreamTimeoutMs, proxyProtocolHeaderTimeoutMs } = passesTls ? settings : defaultSettings
  return { ...settingsOf(streams, settings), proxyStreamTimeoutMs, proxyProtocolHeaderTimeoutMs }
}

/** The files are named here; what is in them goes with `Fixed.files`. */
function tlsOf(settings: Settings): Http["tls"] {
  const { dhParam, ticketKey, ...rest } = settingsOf(tls, settings)
  return {
    ...rest,
    ...(dhParam && { dhParam: dhParam.name }),
    ...(ticketKey && rest.usesTickets && { ticketKey: ticketKey.name }),
  }
}

/** What the settings of the http level name, in canonical order. */
export function filesOf({ dhParam, ticketKey, usesTickets }: Settings): readonly SecretFile[] {
  const files = [dhParam, usesTickets ? ticketKey : undefined].filter((file) => file !== undefined)
  return files.sort((a, b) => compareText(a.name, b.name))
}

function filtersOf(settings: Settings): Http["filters"] {
  const { blockedAddresses, blockedUserAgents, blockedReferers } = settings
  const statusReaders = [...settings.statusReadersIpv4, ...settings.statusReadersIpv6]
  return {
    blockedAddresses: blockedAddresses ?? [],
    blockedUserAgents: blockedUserAgents ?? [],
    blockedReferers: blockedReferers ?? [],
    statusReaders,
  }
}
