import { hostPort } from "../support/address.ts"

/** A port that nginx listens on for requests. */
export interface WebPort {
  readonly scheme: "http" | "https"
  readonly port: number
}

/** A port of listeners that have hosts of their own. */
export interface ListenerPort extends WebPort {
  /** HTTP/3, too, where `Listening.usesHttp3` */
  readonly hasHttp3?: true
}

/** Where requests come in: what clients have connected to. */
export interface Listener extends WebPort {
  /** of IPv4 or IPv6, in canonical form; absent: every address */
  readonly address?: string
}

/** `Host.server` of hosts that requests of all listeners see that have none of their own. */
export const sharedServer = "main"

/** `Host.server` of the hosts that only requests of this listener see. There is such a server when it has a host `_`; docs/ingress-module.md, Whose hosts are looked at. */
export function serverOf({ scheme, address = "*", port }: Listener): string {
  return `${scheme}:${hostPort(address, port)}`
}
