import { compareText } from "../support/order.ts"

/** What hosts are told apart by. */
export interface HostName {
  /** whose requests see it: `sharedServer`, or what `serverOf` a listener is */
  readonly server: string
  readonly host: string
}

/** The order of hosts: those of a listener stand together. */
export function byHost(a: HostName, b: HostName): number {
  return compareText(a.server, b.server) || compareText(a.host, b.host)
}
