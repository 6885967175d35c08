import { hostPort } from "../support/address.ts"
import { compareText } from "../support/order.ts"
import type { Http } from "./http.ts"
import type { WebPort } from "./listener.ts"
import type { ObjectName } from "./problem.ts"

/** Where connections or datagrams come in; what serves them is data (`Stream`). */
export interface StreamListener {
  readonly protocol: StreamProtocol
  /** that clients connect to, of IPv4 or IPv6, in canonical form; absent: every address that has no listener of its own */
  readonly address?: string
  /** 1 to 65535 */
  readonly port: number
}

export type StreamProtocol = "tcp" | "udp"

/** A port that nginx listens on for streams, at all addresses. */
export interface StreamPort {
  readonly protocol: StreamProtocol
  readonly port: number
  /** there may be records by address */
  readonly isByAddress?: true
}

/** `Stream.name` of what serves it. */
export function streamName({ protocol, address, port }: StreamListener): string {
  return `${protocol}:${address === undefined ? port : hostPort(address, port)}`
}

/** `Stream.source`: `namespace/name` of a ConfigMap, `Gateway/namespace/name` and the like of other objects. */
export function streamSource({ kind, namespace, name }: ObjectName): string {
  return [...(kind === "ConfigMap" ? [] : [kind]), namespace, name].join("/")
}

/** The object that `streamSource` made such a text of. */
export function sourceObject(source: string): ObjectName {
  const [name = "", namespace = "", kind = "ConfigMap"] = source.split("/").toReversed()
  return { kind, namespace, name }
}

/** Each port once, in the order of `all`. */
export function portsOf(all: readonly StreamListener[]): readonly StreamPort[] {
  const ports = new Map<string, StreamPort>()
  for (const { protocol, address, port } of all) {
    const name = streamName({ protocol, port })
    const isByAddress = address !== undefined || ports.get(name)?.isByAddress === true
    ports.set(name, { protocol, port, ...(isByAddress && { isByAddress }) })
  }
  return [...ports.values()]
}

/** Whether HTTP listens on a port with TLS, and hands on what is a stream's. */
export function isHandedOn(
  { protocol, port }: StreamPort,
  { http, listeners = [] }: { readonly http: Pick<Http, "ports">; readonly listeners?: readonly WebPort[] },
): boolean {
  if (protocol !== "tcp") return false
  return port === http.ports.httpsPort || listeners.some((it) => it.scheme === "https" && it.port === port)
}

/** Of a `Stream.name`. */
export function parseStreamName(name: string): StreamListener {
  const [, protocol, address, port] = /^(tcp|udp):(?:\[?([^\]]*)\]?:)?(\d+)$/.exec(name) ?? []
  return {
    protocol: protocol === "udp" ? "udp" : "tcp",
    ...(address !== undefined && { address }),
    port: Number(port),
  }
}

/** Those of TCP first, by number; of one port that of all addresses first. */
export function comparePorts(a: StreamListener, b: StreamListener): number {
  return (
    compareText(a.protocol, b.protocol) || a.port - b.port || compareText(a.address ?? "", b.address ?? "")
  )
}
