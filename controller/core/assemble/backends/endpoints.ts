import type { Endpoint } from "../../../model/backend.ts"
import { fieldPath } from "../../../model/field-path.ts"
import type { EndpointSlice, SliceEndpoint } from "../../../model/objects/endpoint-slice.ts"
import type { Protocol, Service, ServicePort } from "../../../model/objects/service.ts"
import type { Problem } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import { type EndpointRules, judgeEndpoint } from "../../../support/judge-endpoint.ts"
import { compareText } from "../../../support/order.ts"
import { complaint } from "../../declared/problems.ts"
import { zoneFilter } from "./zones.ts"

export interface Endpoints {
  /** by address, then port; each once */
  readonly endpoints: readonly Endpoint[]
  readonly problems: readonly Problem[]
}

/**
 * The Service port that an object means by `port`: the first whose number, targetPort or name it is, in writing; of streams the first of their
 * protocol whose number it is, else whose name. Source: ingress-nginx, getStreamServices.
 *
 * @param protocol of a stream
 */
export function findPort(service: Service, port: string, protocol?: Protocol): ServicePort | undefined {
  if (protocol === undefined)
    return service.ports.find((candidate) =>
      [String(candidate.port), String(candidate.targetPort), candidate.name].includes(port),
    )
  const ports = service.ports.filter((candidate) => candidate.protocol === protocol)
  return /^\d+$/.test(port)
    ? ports.find((candidate) => candidate.port === Number(port))
    : ports.find((candidate) => candidate.name === port)
}

/** Why there is none: goes on after a colon. */
export function withoutPort(port: string, protocol: Protocol | undefined): string {
  return protocol === undefined
    ? `it has no port ${shown(port)}`
    : `it has no ${protocol} port ${shown(port)}`
}

/**
 * Ready endpoints of a Service port, over all slices and both address families. Only ports of the protocol count.
 *
 * @param zone of this controller; undefined: zones make no difference
 * @param marksZones whether endpoints say that they are in that zone, or in another
 */
export function endpointsOf(
  service: Service,
  port: ServicePort,
  slices: readonly EndpointSlice[],
  rules: EndpointRules,
  zone: string | undefined,
  marksZones = false,
  protocol: Protocol = "TCP",
): Endpoints {
  const found = new Map<string, Endpoint>()
  const problems: Problem[] = []
  const fitting = slices
    .map((slice) => ({ slice, ports: portsOf(slice, port, protocol) }))
    .filter(({ ports }) => ports.length > 0)
  const isMeant = zoneFilter(
    service,
    fitting.map(({ slice }) => slice),
    zone,
  )
  for (const { slice, ports } of fitting) {
    for (const { text, field, zone: there } of readyAddresses(slice, isMeant, problems)) {
      const marked = marksZones ? zoneMark(zone, there) : undefined
      for (const number of ports) {
        const verdict = judgeEndpoint(text, number, rules)
        if (verdict.kind === "refused") problems.push(refusedAddress(slice, field(), text, verdict.reason))
        else found.set(`${verdict.address} ${number}`, endpoint(verdict.address, number, marked))
      }
    }
  }
  return { endpoints: [...found.values()].sort(byAddress), problems }
}

/** Which ports of a slice a Service port leads to; none when the slice is about other ports. */
function portsOf(slice: EndpointSlice, { name, targetPort }: ServicePort, protocol: Protocol): number[] {
  const fixed = typeof targetPort === "number" ? targetPort : undefined
  const asked =
    slice.ports.length === 0
      ? [fixed]
      : slice.ports
          .filter((port) => port.protocol === protocol)
          .map((port) => (name === "" || name === port.name ? (port.port ?? fixed) : fixed))
  return asked.filter((number) => number !== undefined && number >= 1 && number <= 65535) as number[]
}

/** An address as a slice has it, and where. */
interface ReadyAddress {
  readonly text: string
  readonly field: () => string
  /** "" when the slice does not say it */
  readonly zone: string
}

function readyAddresses(
  slice: EndpointSlice,
  isMeant: (endpoint: SliceEndpoint) => boolean,
  problems: Problem[],
): ReadyAddress[] {
  if (slice.addressType === "FQDN") {
    problems.push(
      aboutSlice(slice, "addressType", "address-type", 'Cannot use endpoints of address type "FQDN"'),
    )
    return []
  }
  const ready: ReadyAddress[] = []
  for (const [at, endpoint] of slice.endpoints.entries()) {
    if (!endpoint.ready || !isMeant(endpoint)) continue
    for (const [index, text] of endpoint.addresses.entries()) {
      const field = () => fieldPath("endpoints", at, "addresses", index)
      ready.push({ text, field, zone: endpoint.zone ?? "" })
    }
  }
  return ready
}

function zoneMark(ours: string | undefined, zone: string): Endpoint["zone"] {
  if (ours === undefined || zone === "") return undefined
  return zone === ours ? "ours" : "another"
}

function endpoint(address: string, port: number, zone: Endpoint["zone"]): Endpoint {
  return zone === undefined ? { address, port } : { address, port, zone }
}

function refusedAddress(slice: EndpointSlice, field: string, text: string, reason: string): Problem {
  return aboutSlice(slice, field, "address-refused", `Cannot use endpoint ${shown(text)}: ${reason}`)
}

function aboutSlice({ meta }: EndpointSlice, field: string, code: ProblemCode, message: string): Problem {
  return complaint(
    { kind: "EndpointSlice", namespace: meta.namespace, name: meta.name },
    field,
    code,
    message,
  )
}

function byAddress(a: Endpoint, b: Endpoint): number {
  return compareText(a.address, b.address) || a.port - b.port
}
