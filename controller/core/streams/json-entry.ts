import { isRecord } from "../../model/objects/reader.ts"
import { shown } from "../../model/shown.ts"
import type { StreamProtocol } from "../../model/stream-listener.ts"
import { checkHost } from "../../support/host-name.ts"
import { compareText } from "../../support/order.ts"
import type { StreamBalancing, StreamSettings } from "../declared/stream.ts"
import { addressList } from "../options/address-list.ts"
import { type Algorithm, algorithm, policyIn } from "../options/algorithm.ts"
import { accepted, durationMs, oneOf, type Parsed, refused, sizeBytes } from "../options/parser.ts"

import { type AskedBackendTls, type AskedTls, parseBackendTls, parseTls } from "./tls-entry.ts"

// The value of an entry as an object of JSON: for what the form of ingress-nginx has no word for. Whatever of it cannot be read refuses the entry, as
// it may be there to keep clients out.

/** What such a value says. */
export interface JsonEntry {
  /** `namespace/service:port`; absent: there are `names` */
  readonly service?: string
  readonly tls?: AskedTls
  readonly backendTls?: AskedBackendTls
  /** by name */
  readonly names?: readonly JsonName[]
  readonly acceptsProxyProtocol: boolean
  readonly sendsProxyProtocol?: "v1" | "v2"
  readonly loadBalance?: Algorithm
  /** what its policy is configured with */
  readonly policyConfig?: string
  readonly balancing?: StreamBalancing
  readonly settings: StreamSettings
}

/** A server name, and what serves it. */
interface JsonName {
  readonly host: string
  /** `namespace/service:port` */
  readonly service: string
  readonly tls?: AskedTls
  readonly backendTls?: AskedBackendTls
}

type Fields = { -readonly [Field in keyof JsonEntry]?: JsonEntry[Field] } & { settings: StreamSettings }

/** Reads the value of a key. @returns what it adds */
type Read = (value: unknown, protocol: StreamProtocol) => Parsed<Partial<Fields>>

const readers: Readonly<Record<string, Read>> = {
  service: (value) => mapped(text(value), (service) => ({ service })),
  names: (value, protocol) =>
    protocol === "udp" ? refused("UDP has none, remove it") : mapped(names(value), (names) => ({ names })),
  tls: (value, protocol) => ofTcp(protocol, () => mapped(parseTls(value), (tls) => ({ tls }))),
  backendTls: (value, protocol) =>
    ofTcp(protocol, () => mapped(parseBackendTls(value), (backendTls) => ({ backendTls }))),
  drain: (value) => mapped(grace(value), (drainMs) => set({ drainMs })),
  proxyProtocol: (value, protocol) =>
    protocol === "udp" ? refused("UDP knows none, remove it") : proxyProtocol(value),
  loadBalance: (value) => mapped(then(text(value), algorithm), (loadBalance) => ({ loadBalance })),
  policyConfig: (value) => mapped(text(value), (policyConfig) => ({ policyConfig })),
  upstreamHashBy: (value) =>
    mapped(then(text(value), oneOf("$remote_addr")), (key) => ({ balancing: { hashBy: { key } } })),
  slowStart: (value) => mapped(duration(value), (slowStartMs) => ({ balancing: { slowStartMs } })),
  outlierEjection: (value) =>
    mapped(ejection(value), (outlierEjection) => ({ balancing: { outlierEjection } })),
  timeout: (value) => mapped(duration(value), (timeoutMs) => set({ timeoutMs })),
  connectTimeout: (value) => mapped(duration(value), (connectTimeoutMs) => set({ connectTimeoutMs })),
  responses: (value, protocol) => ofUdp(protocol, whole(value, 0), (responses) => set({ responses })),
  requests: (value, protocol) => ofUdp(protocol, whole(value, 0), (requests) => set({ requests })),
  connections: (value) => mapped(whole(value, 1), (connections) => set({ connections })),
  connectionsPerSecond: (value) =>
    mapped(whole(value, 1), (connectionsPerSecond) => set({ connectionsPerSecond })),
  uploadRate: (value) => mapped(then(text(value), sizeBytes), (uploadBytes) => set({ uploadBytes })),
  downloadRate: (value) => mapped(then(text(value), sizeBytes), (downloadBytes) => set({ downloadBytes })),
  allow: (value) => mapped(addresses(value), (allow) => set({ allow })),
  deny: (value) => mapped(addresses(value), (deny) => set({ deny })),
}

/** @param text begins with `{`. Never throws */
export function parseJsonEntry(text: string, protocol: StreamProtocol): Parsed<JsonEntry> {
  const object = objectIn(text)
  if (object === undefined) return refused("it is no JSON: write an object with its keys in quotes")
  const read: Fields = { settings: {} }
  for (const [key, value] of Object.entries(object)) {
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined
    if (reader === undefined)
      return refused(`there is no ${shown(key)}: write ${Object.keys(readers).join(", ")}`)
    const parsed = reader(value, protocol)
    if (parsed.kind === "refused") return refused(`of ${shown(key)}: ${parsed.reason}`)
    const balancing = { ...read.balancing, ...parsed.value.balancing }
    Object.assign(read, parsed.value, { settings: { ...read.settings, ...parsed.value.settings } })
    if (Object.keys(balancing).length > 0) read.balancing = balancing
  }
  const { acceptsProxyProtocol = false, ...rest } = read
  if (rest.policyConfig !== undefined && policyIn(rest.loadBalance) === undefined)
    return refused('"policyConfig" needs "loadBalance" with wasm/ and the name of a policy')
  return rest.service === undefined && rest.names === undefined
    ? refused('"service" is missing: write namespace/service:port')
    : accepted({ ...rest, acceptsProxyProtocol })
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function set(settings: StreamSettings): Partial<Fields> {
  return { settings }
}

function mapped<T, R>(parsed: Parsed<T>, map: (value: T) => R): Parsed<R> {
  return parsed.kind === "refused" ? parsed : accepted(map(parsed.value))
}

function then<T, R>(parsed: Parsed<T>, next: (value: T) => Parsed<R>): Parsed<R> {
  return parsed.kind === "refused" ? parsed : next(parsed.value)
}

function ofUdp<T, R>(protocol: StreamProtocol, parsed: Parsed<T>, map: (value: T) => R): Parsed<R> {
  return protocol === "tcp"
    ? refused("it is about datagrams, which TCP has none of, remove it")
    : mapped(parsed, map)
}

function ofTcp(protocol: StreamProtocol, parse: () => Parsed<Partial<Fields>>): Parsed<Partial<Fields>> {
  return protocol === "udp" ? refused("UDP knows none, remove it") : parse()
}

function text(value: unknown): Parsed<string> {
  return typeof value === "string" ? accepted(value) : refused("write a text in quotes")
}

const max = 2 ** 31 - 1

function whole(value: unknown, min: number): Parsed<number> {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
    ? accepted(value)
    : refused(`write a whole number from ${min} to ${max}`)
}

function duration(value: unknown): Parsed<number> {
  return then(then(text(value), durationMs), (ms) =>
    ms >= 1 && ms <= max ? accepted(Math.round(ms)) : refused("write a duration from 1ms to 24 days"),
  )
}

/** As annotations have it: so many failures in a row, and how long an endpoint is left out then. */
function ejection(value: unknown): Parsed<NonNullable<StreamBalancing["outlierEjection"]>> {
  const advice = 'write {"failures": 5, "time": "30s"}; "time" may be left out'
  if (!isRecord(value)) return refused(advice)
  const { failures, time = "30s", ...others } = value
  const count = whole(failures, 1)
  if (count.kind === "refused" || count.value > maxFailures || Object.keys(others).length > 0)
    return refused(advice)
  return mapped(duration(time), (ejectionMs) => ({ failures: count.value, ejectionMs }))
}

/** Docs/wire.md, BACKEND. */
const maxFailures = 1000

function grace(value: unknown): Parsed<number> {
  return then(then(text(value), durationMs), (ms) =>
    ms >= 0 && ms <= max ? accepted(Math.round(ms)) : refused("write a duration up to 24 days"),
  )
}

function addresses(value: unknown): Parsed<NonNullable<StreamSettings["allow"]>> {
  const isList = Array.isArray(value) && value.length > 0 && value.every((it) => typeof it === "string")
  return isList ? addressList.parse(value.join(",")) : refused('write a list such as ["10.0.0.0/8"]')
}

function proxyProtocol(value: unknown): Parsed<Partial<Fields>> {
  const advice = 'write {"accept": true, "send": "v1"} or a part of it; "send" may be "v2"'
  if (!isRecord(value)) return refused(advice)
  const { accept = false, send, ...others } = value
  const isKnown = typeof accept === "boolean" && Object.keys(others).length === 0
  if (!isKnown || (send !== undefined && send !== "v1" && send !== "v2")) return refused(advice)
  return accepted({ acceptsProxyProtocol: accept, ...(send !== undefined && { sendsProxyProtocol: send }) })
}

/** What a record may have, docs/wire.md; one is for all other names. */
const maxNames = 1023

function names(value: unknown): Parsed<NonNullable<JsonEntry["names"]>> {
  const advice =
    'write {"HOST": "namespace/service:port"}, up to 1023 of them; in the place of a Service there may be {"service": "namespace/service:port", "tls": …}'
  if (!isRecord(value)) return refused(advice)
  const all = Object.entries(value)
  if (all.length === 0 || all.length > maxNames) return refused(advice)
  const read: JsonName[] = []
  for (const [host, of] of all) {
    const fault = checkHost(host)
    if (fault !== undefined) return refused(`for ${shown(host)} ${fault}`)
    const parsed = nameOf(host, of)
    if (parsed === undefined) return refused(advice)
    if (parsed.kind === "refused") return refused(`for ${shown(host)} ${parsed.reason}`)
    read.push(parsed.value)
  }
  return accepted(read.sort((a, b) => compareText(a.host, b.host)))
}

/** Undefined: it is of another form. */
function nameOf(host: string, value: unknown): Parsed<JsonName> | undefined {
  if (typeof value === "string") return accepted({ host, service: value })
  if (!isRecord(value) || typeof value.service !== "string") return undefined
  const { service, tls, backendTls, ...others } = value
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return refused(`there is no ${shown(unknown)}: write service, tls, backendTls`)
  const ended = tls === undefined ? undefined : parseTls(tls)
  if (ended?.kind === "refused") return refused(`of "tls": ${ended.reason}`)
  const begun = backendTls === undefined ? undefined : parseBackendTls(backendTls)
  if (begun?.kind === "refused") return refused(`of "backendTls": ${begun.reason}`)
  return accepted({
    ...{ host, service },
    ...(ended && { tls: ended.value }),
    ...(begun && { backendTls: begun.value }),
  })
}
