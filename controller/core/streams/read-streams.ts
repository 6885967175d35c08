import { fieldPath } from "../../model/field-path.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import { nameOf } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import type { StreamProtocol } from "../../model/stream-listener.ts"
import { contentName } from "../../support/content-name.ts"
import { compareText } from "../../support/order.ts"
import { streamBackendRef } from "../declared/backend-ref.ts"
import { complaint } from "../declared/problems.ts"
import type { DeclaredStream, StreamBalancing } from "../declared/stream.ts"
import { policyIn } from "../options/algorithm.ts"
import type { OwnPort } from "../options/own-ports.ts"
import { type Entry, type NamedPort, parseEntry } from "./entry.ts"
import { declaredBalancing, policiesOfEntry, type StreamPolicies } from "./policies.ts"
import { declaredTls, type StreamSecrets, secretsOfEntry } from "./secrets.ts"

/** What one ConfigMap asks for. */
export interface ReadStreams {
  /** Secrets that it names */
  readonly secrets: readonly string[]
  /** balancing policies that it names */
  readonly policies: readonly string[]
  /** by their ports */
  readonly streams: readonly DeclaredStream[]
  readonly problems: readonly Problem[]
}

/**
 * Reads the ConfigMap of TCP or UDP services. An entry that cannot be used is a Problem, and all others are served.
 *
 * @param reserved ports that nobody may have
 */
export function readStreams(
  configMap: ConfigMap,
  protocol: StreamProtocol,
  reserved: readonly OwnPort[],
  secrets: StreamSecrets,
  policies: StreamPolicies,
): ReadStreams {
  const streams = new Map<number, DeclaredStream>()
  const keys = new Map<number, string>()
  const problems: Problem[] = []
  const named: string[] = []
  const chosen: string[] = []
  for (const [key, value] of inOrder(configMap.data)) {
    const tell = (code: ProblemCode, message: string) =>
      problems.push(complaint(nameOf(configMap), fieldPath("data", [key]), code, message))
    const refuse = (reason: string) =>
      tell("stream-refused", `Cannot serve the ${protocol.toUpperCase()} entry ${shown(key)}: ${reason}`)
    const parsed = parseEntry(key, value, protocol)
    if (parsed.kind === "refused") {
      refuse(parsed.reason)
      continue
    }
    const { entry, ignored } = parsed
    const taken = takenBy(entry.port, reserved, keys)
    if (taken !== undefined) {
      refuse(taken)
      continue
    }
    if (ignored !== undefined)
      tell("stream-in-part", `Part of ${shown(value)} at key ${shown(key)} has no effect: ${ignored}`)
    keys.set(entry.port, key)
    named.push(...secretsOfEntry(entry))
    chosen.push(...policiesOfEntry(entry))
    const ofTls = (asked: Parameters<typeof declaredTls>[0]) => declaredTls(asked, secrets, tell)
    const balancing = declaredBalancing(entry, configMap.meta.namespace, policies, tell)
    streams.set(entry.port, { ...declared(entry, protocol, configMap, key, ofTls), ...balancing })
  }
  const inOrderOfPorts = [...streams.values()].sort((a, b) => a.port - b.port)
  return { streams: inOrderOfPorts, secrets: named, policies: chosen, problems }
}

/** Of two keys for one port the one in its usual spelling comes first. */
function inOrder(data: ConfigMap["data"]): readonly (readonly [string, string])[] {
  const isUnusual = (key: string) => Number(!/^[1-9]\d*$/.test(key))
  return Object.entries(data).sort(([a], [b]) => isUnusual(a) - isUnusual(b) || compareText(a, b))
}

function takenBy(
  port: number,
  reserved: readonly OwnPort[],
  keys: ReadonlyMap<number, string>,
): string | undefined {
  const own = reserved.find((one) => one.port === port)
  if (own !== undefined)
    return `port ${port} is that of ${own.flag}, choose another, or another value of the flag`
  const key = keys.get(port)
  return key === undefined ? undefined : `key ${shown(key)} has port ${port} already, remove one of them`
}

function declared(
  { port, service, names = [], tls, backendTls, loadBalance, policyConfig, ...said }: Entry,
  protocol: StreamProtocol,
  configMap: ConfigMap,
  key: string,
  ofTls: (asked: Pick<Entry, "tls" | "backendTls">) => Pick<DeclaredStream, "tls" | "backendTls">,
): DeclaredStream {
  const variant = variantOf(loadBalance, policyConfig, said.balancing)
  const refOf = ({ namespace, service: name, servicePort }: NamedPort) =>
    streamBackendRef(protocol, namespace, name, servicePort, variant)
  return {
    ...{ protocol, port, ...said },
    ...(service && { backend: refOf(service) }),
    ...ofTls({ ...(tls && { tls }), ...(backendTls && { backendTls }) }),
    names: names.map((name) => ({ host: name.host, backend: refOf(name.service), ...ofTls(name) })),
    source: nameOf(configMap),
    field: fieldPath("data", [key]),
  }
}

/** An algorithm of wick's own by its name; with more than that, or a policy, a hash of all. */
function variantOf(
  loadBalance: Entry["loadBalance"],
  policyConfig: string | undefined,
  balancing: StreamBalancing | undefined,
): string {
  if (balancing === undefined && policyIn(loadBalance) === undefined) return loadBalance ?? ""
  const { hashBy, slowStartMs, outlierEjection } = balancing ?? {}
  const said = [loadBalance, hashBy, slowStartMs, outlierEjection]
  return contentName(JSON.stringify(policyConfig === undefined ? said : [...said, policyConfig]))
}
