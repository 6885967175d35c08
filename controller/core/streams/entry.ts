import { shown } from "../../model/shown.ts"
import type { StreamProtocol } from "../../model/stream-listener.ts"
import { isLabel } from "../../support/host-name.ts"
import type { StreamBalancing, StreamSettings } from "../declared/stream.ts"
import type { Algorithm } from "../options/algorithm.ts"
import { parseJsonEntry } from "./json-entry.ts"
import type { AskedBackendTls, AskedTls } from "./tls-entry.ts"

// An entry of the ConfigMap of TCP or UDP services, as ingress-nginx has it: `PORT: namespace/service:port[:PROXY[:PROXY]]`. In place of the value
// there may be an object of JSON.

/** A Service port as an entry names it. */
export interface NamedPort {
  readonly namespace: string
  readonly service: string
  /** number or name, as it is written */
  readonly servicePort: string
}

/** What an entry asks for. */
export interface Entry {
  readonly port: number
  /** serves all clients; with `names` those that ask for none of them, or, where it is absent, nobody */
  readonly service?: NamedPort
  /** what serves clients by the server name that they ask for, by name; at least one */
  readonly names?: readonly NamedHost[]
  readonly tls?: AskedTls
  readonly backendTls?: AskedBackendTls
  readonly acceptsProxyProtocol: boolean
  readonly sendsProxyProtocol?: "v1" | "v2"
  readonly loadBalance?: Algorithm
  /** what its policy is configured with */
  readonly policyConfig?: string
  readonly balancing?: StreamBalancing
  readonly settings: StreamSettings
}

/** A server name, and what serves it. */
interface NamedHost {
  readonly host: string
  readonly service: NamedPort
  readonly tls?: AskedTls
  readonly backendTls?: AskedBackendTls
}

export type ParsedEntry =
  | {
      readonly kind: "entry"
      readonly entry: Entry
      /** what of it says nothing: a sentence */
      readonly ignored?: string
    }
  /** a phrase that goes on after a colon */
  | { readonly kind: "refused"; readonly reason: string }

/** Every Service port that it names. */
export function portsNamedBy({ service, names = [] }: Entry): readonly NamedPort[] {
  return [...(service ? [service] : []), ...names.map((name) => name.service)]
}

/** Reads an entry without looking at any other. Never throws. */
export function parseEntry(key: string, value: string, protocol: StreamProtocol): ParsedEntry {
  const port = portOf(key)
  if (port === undefined) return refused(`the key ${shown(key)} is no port: write a number from 1 to 65535`)
  return value.trimStart().startsWith("{") ? ofJson(port, value, protocol) : ofLine(port, value, protocol)
}

function ofJson(port: number, value: string, protocol: StreamProtocol): ParsedEntry {
  const parsed = parseJsonEntry(value, protocol)
  if (parsed.kind === "refused") return parsed
  const { service: text, names: hosts, ...said } = parsed.value
  const wrong = [text, ...(hosts ?? []).map(({ service }) => service)].find(
    (it) => it !== undefined && namedIn(it) === undefined,
  )
  if (wrong !== undefined)
    return refused(`${shown(wrong)} names no port of a Service: write namespace/service:port`)
  const service = text === undefined ? undefined : namedIn(text)
  const names = hosts?.flatMap(({ service: it, ...host }) => {
    const named = namedIn(it)
    return named === undefined ? [] : [{ ...host, service: named }]
  })
  return { kind: "entry", entry: { port, ...said, ...(service && { service }), ...(names && { names }) } }
}

function namedIn(text: string): NamedPort | undefined {
  const [reference = "", servicePort = "", ...rest] = text.split(":")
  return rest.length === 0 ? namedBy(reference, servicePort) : undefined
}

function ofLine(port: number, value: string, protocol: StreamProtocol): ParsedEntry {
  const [reference = "", servicePort = "", ...fields] = value.split(":")
  const named = namedBy(reference, servicePort)
  if (named === undefined)
    return refused(`${shown(value)} names no port of a Service: write ${form(protocol)}, without blanks`)
  const [accepts = "", sends = ""] = fields.map((field) => field.toUpperCase())
  const isTcp = protocol === "tcp"
  const doesSend = isTcp && sends === "PROXY" && fields.length === 2
  const entry = {
    ...{ port, service: named },
    acceptsProxyProtocol: isTcp && accepts === "PROXY",
    ...(doesSend && { sendsProxyProtocol: "v1" as const }),
    settings: {},
  }
  const ignored = ignoredIn(fields, protocol)
  return { kind: "entry", entry, ...(ignored !== undefined && { ignored }) }
}

function namedBy(reference: string, servicePort: string): NamedPort | undefined {
  const [namespace = "", service = "", ...rest] = reference.split("/")
  const isNamed = rest.length === 0 && isLabel(namespace) && isLabel(service) && isPort(servicePort)
  return isNamed ? { namespace, service, servicePort } : undefined
}

/** Go's strconv.Atoi, in the range of ports. */
function portOf(key: string): number | undefined {
  const port = /^[+-]?\d+$/.test(key) ? Number(key) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

/** Whether it may be a Service's port, by its number or its name. */
function isPort(text: string): boolean {
  return /^[a-zA-Z0-9-]{1,63}$/.test(text)
}

function form(protocol: StreamProtocol): string {
  return protocol === "tcp" ? "namespace/service:port[:PROXY[:PROXY]]" : "namespace/service:port"
}

function ignoredIn(fields: readonly string[], protocol: StreamProtocol): string | undefined {
  if (fields.length === 0) return undefined
  if (protocol === "udp") return `UDP knows no PROXY protocol: write ${form(protocol)}`
  const isKnown = fields.length <= 2 && fields.every((field) => ["", "PROXY"].includes(field.toUpperCase()))
  return isKnown ? undefined : `behind the port only PROXY counts, twice at most: write ${form(protocol)}`
}

function refused(reason: string): ParsedEntry {
  return { kind: "refused", reason }
}
