import { isIP } from "node:net"
import type { Facts } from "../../model/facts.ts"
import { fieldPath } from "../../model/field-path.ts"
import type { Problem } from "../../model/problem.ts"
import { shown } from "../../model/shown.ts"
import { type EndpointRules, ownPlace } from "../../support/judge-endpoint.ts"
import { complaint } from "../declared/problems.ts"
import type { Settings } from "../options/settings.ts"
import type { TranslateOptions } from "../options/translation.ts"

// Where the operator has spans and logs sent. He may send them wherever he likes, to this machine as well, but not to wick: what it logs about would
// be its own log.

interface Destination {
  readonly key: string
  readonly host: string
  readonly port: number
}

/** The names that DNS has to be asked for, as keys of `Facts.names`. */
export function destinationNames(settings: Settings): readonly string[] {
  return destinationsOf(settings).flatMap(({ host }) => (isIP(host) === 0 ? [host] : []))
}

/** One for each that leads to wick itself, by whatever way. */
export function destinationProblems(
  settings: Settings,
  names: Facts["names"],
  rules: EndpointRules,
  { configMap }: Pick<TranslateOptions, "configMap">,
): readonly Problem[] {
  if (configMap === undefined) return []
  return destinationsOf(settings).flatMap(({ key, host, port }) => {
    const reason = addressesOf(host, names)
      .map((address) => ownPlace(address, port, rules))
      .find((reason) => reason !== undefined)
    if (reason === undefined) return []
    const message = `Key "${key}" leads to wick itself: ${shown(host)} is an address where ${reason}; name the host of a collector or log server`
    return [complaint({ kind: "ConfigMap", ...configMap }, fieldPath("data", [key]), "own-address", message)]
  })
}

function addressesOf(host: string, names: Facts["names"]): readonly string[] {
  if (isIP(host) !== 0) return [host]
  const answer = names.get(host)
  return answer?.kind === "found" ? answer.addresses : []
}

function destinationsOf(settings: Settings): readonly Destination[] {
  const { collectorHost, collectorPort, usesSyslog, syslogHost, syslogPort } = settings
  const collector = { key: "otlp-collector-host", host: collectorHost, port: collectorPort }
  const syslog = { key: "syslog-host", host: syslogHost, port: syslogPort }
  const paths = {
    "access-log-path": settings.accessLogPath,
    "http-access-log-path": settings.httpAccessLogPath,
    "stream-access-log-path": settings.streamAccessLogPath,
    "error-log-path": settings.errorLogPath,
  }
  const all = [
    collector,
    ...(usesSyslog ? [syslog] : []),
    ...Object.entries(paths).flatMap(([key, path]) => syslogServer(key, path)),
  ]
  return all.map(withoutBrackets).filter(({ host }) => host !== "")
}

/** RFC 5426, 3.3. */
const syslogPort = 514

function syslogServer(key: string, path: string): readonly Destination[] {
  const [, host, port] = /^syslog:server=(\[[^\]]*\]|[^:,]+)(?::(\d+))?/.exec(path) ?? []
  return host === undefined ? [] : [{ key, host, port: port === undefined ? syslogPort : Number(port) }]
}

function withoutBrackets({ host, ...where }: Destination): Destination {
  return { ...where, host: host.replace(/^\[(.*)\]$/, "$1").toLowerCase() }
}
