import { compareText } from "../support/order.ts"

/** A port of TCP or UDP that nginx listens on for streams: what serves it is data (`Stream`). */
export interface StreamListener {
  readonly protocol: StreamProtocol
  /** 1 to 65535 */
  readonly port: number
}

export type StreamProtocol = "tcp" | "udp"

/** `Stream.name` of what serves it. */
export function streamName({ protocol, port }: StreamListener): string {
  return `${protocol}:${port}`
}

/** Of a `Stream.name`. */
export function parseStreamName(name: string): StreamListener {
  const [protocol, port] = name.split(":")
  return { protocol: protocol === "udp" ? "udp" : "tcp", port: Number(port) }
}

/** Those of TCP first, by number. */
export function comparePorts(a: StreamListener, b: StreamListener): number {
  return compareText(a.protocol, b.protocol) || a.port - b.port
}
