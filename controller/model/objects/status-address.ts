import { type Findings, Reader } from "./reader.ts"

/** One address under which a Service or an Ingress is reached: an IP, a name, or from some load balancers both; what there is not is "". */
export interface StatusAddress {
  /** IPv4 or IPv6 */
  readonly ip: string
  readonly hostname: string
}

const none: readonly StatusAddress[] = []

/** The addresses in the status of a Service or an Ingress, in the order written; entries with neither IP nor name are left out. */
export function readStatusAddresses(at: Reader): readonly StatusAddress[] {
  return at.optional("status", readStatus) ?? none
}

/** The same of an Ingress as an API server sends it. Nobody is told what is wrong with it: its next writer mends it. */
export function readIngressStatus(raw: unknown): readonly StatusAddress[] {
  const unheard: Findings = { object: { kind: "Ingress", namespace: "", name: "" }, problems: [], where: "" }
  return readStatusAddresses(new Reader(raw, unheard))
}

function readStatus(status: Reader): readonly StatusAddress[] | undefined {
  return status.optional("loadBalancer", (balancer) =>
    balancer.list("ingress", readAddress).filter(({ ip, hostname }) => ip !== "" || hostname !== ""),
  )
}

function readAddress(at: Reader): StatusAddress | undefined {
  return at.accepted({ ip: at.text("ip"), hostname: at.text("hostname") })
}

/** Do they say the same? Their order means nothing. */
export function sameAddresses(a: readonly StatusAddress[], b: readonly StatusAddress[]): boolean {
  return a === b || (a.length === b.length && printed(a) === printed(b))
}

function printed(addresses: readonly StatusAddress[]): string {
  return addresses
    .map(({ ip, hostname }) => `${ip} ${hostname}`)
    .sort()
    .join("\n")
}
