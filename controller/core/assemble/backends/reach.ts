import { isIP } from "node:net"
import type { NameAnswer } from "../../../model/name-answer.ts"
import type { EndpointSlice } from "../../../model/objects/endpoint-slice.ts"
import type { Protocol, Service, ServicePort } from "../../../model/objects/service.ts"
import { shown } from "../../../model/shown.ts"
import type { EndpointRules } from "../../../support/judge-endpoint.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { complaint } from "../../declared/problems.ts"
import type { Settings } from "../../options/settings.ts"
import type { TranslateOptions } from "../../options/translation.ts"
import { askedFault } from "./asked-service.ts"
import type { CommonBalancing } from "./chosen-balancing.ts"
import { clusterEndpoint } from "./cluster-endpoint.ts"
import { type Endpoints, endpointsOf, findPort, withoutPort } from "./endpoints.ts"
import { externalEndpoints, outsideEndpoints, staleMessage, wantedName } from "./external.ts"

/** What holds for every backend of a pass. The same object while nothing in it changes. */
export interface Common {
  readonly options: TranslateOptions
  /** where endpoints may be: those of the options, with what the objects say of wick's own places */
  readonly rules: EndpointRules
  /** the ConfigMap's, for backends of which nothing is said */
  readonly balancing: CommonBalancing
  readonly serviceUpstream: boolean
  /** of services that are asked about requests */
  readonly authNamespaces: Settings["authNamespaces"]
  /** of this controller; undefined: not known, or zones make no difference */
  readonly zone: string | undefined
}

/** The name that DNS has to be asked for, as a key of `Facts.names`; undefined: none. */
export function lookedUpName(
  { outside }: BackendRef,
  service: Service | undefined,
  { disableSvcExternalName }: Pick<TranslateOptions, "disableSvcExternalName">,
): string | undefined {
  if (service !== undefined) return wantedName(service, disableSvcExternalName)
  return outside === undefined || isIP(outside) !== 0 ? undefined : outside
}

/** The endpoints, or a sentence that says whose mistake it is that there are none. */
export interface Reached extends Endpoints {
  /** name of a Service of type ExternalName, in lower case without a dot at its end */
  readonly externalName?: string
  readonly fault?: string
  readonly warning?: string
}

/** What a snapshot holds about one Service, and what is wanted of it. */
export interface Behind {
  readonly service: Service | undefined
  readonly slices: readonly EndpointSlice[]
  /** of DNS, about the Service's name */
  readonly answer: NameAnswer | undefined
  readonly common: Common
  /** whether each endpoint is to say in which zone it is */
  readonly marksZones: boolean
}

/** Finds the endpoints behind a Service port, or behind a name or address where there is no such Service. */
export function reach(
  { ref: asked, loadBalancing }: DeclaredBackend,
  { service, slices, answer, common, marksZones }: Behind,
): Reached {
  if (service === undefined) {
    return asked.outside === undefined
      ? unreachable(asked, "it does not exist")
      : reachHost(asked.outside, Number(asked.port), answer, common)
  }
  const ref = withPort(asked, service)
  const forbidden = askedFault(asked, service, common)
  if (forbidden !== undefined) return unreachable(ref, forbidden)
  if (service.type === "ExternalName") return reachOutside(ref, service, answer, common)
  if (ref.port === "") return unreachable(ref, "none of its ports is named")
  const port = findPort(service, ref.port, ref.protocol)
  if (port === undefined) return unreachable(ref, withoutPort(ref.port, ref.protocol))
  const find = (loadBalancing.serviceUpstream ?? common.serviceUpstream) ? clusterOrPods : pods
  return find(service, port, slices, { ...common, marksZones, protocol: ref.protocol ?? "TCP" })
}

/** The first port has a number only once the Service is known. */
function withPort(ref: BackendRef, { ports: [first] }: Service): BackendRef {
  return ref.port === "*" && first !== undefined ? { ...ref, port: String(first.port) } : ref
}

function reachOutside(
  ref: BackendRef,
  service: Service,
  answer: NameAnswer | undefined,
  { options, rules }: Common,
): Reached {
  if (ref.protocol !== undefined && findPort(service, ref.port, ref.protocol) === undefined)
    return unreachable(ref, withoutPort(ref.port, ref.protocol))
  const { endpoints, problems, fault } = externalEndpoints(service, ref.port, {
    isDisabled: options.disableSvcExternalName,
    ...rules,
    answer,
  })
  if (fault !== undefined) return unreachable(ref, fault)
  const externalName = wantedName(service, options.disableSvcExternalName)?.replace(/\.$/, "")
  return { endpoints, problems, ...(externalName !== undefined && { externalName }) }
}

function reachHost(host: string, port: number, answer: NameAnswer | undefined, { rules }: Common): Reached {
  const { endpoints, problems, fault } = outsideEndpoints(host, port, { ...rules, answer })
  if (fault !== undefined) return { endpoints, problems, fault: `Cannot reach ${shown(host)}: ${fault}` }
  const stale = answer?.kind === "found" ? answer.stale : undefined
  return { endpoints, problems, ...(stale && { warning: staleMessage(host, stale) }) }
}

function unreachable({ serviceKey }: BackendRef, reason: string): Reached {
  return { endpoints: [], problems: [], fault: `Cannot reach Service ${shown(serviceKey)}: ${reason}` }
}

type Find = (
  service: Service,
  port: ServicePort,
  slices: readonly EndpointSlice[],
  rules: Common & Pick<Behind, "marksZones"> & { readonly protocol: Protocol },
) => Endpoints

const pods: Find = (service, port, slices, { rules, zone, marksZones, protocol }) =>
  endpointsOf(service, port, slices, rules, zone, marksZones, protocol)

const clusterOrPods: Find = (service, port, slices, common) => {
  const cluster = clusterEndpoint(service, port, common.rules)
  if (cluster.kind === "endpoint") return { endpoints: [cluster.endpoint], problems: [] }
  const { endpoints, problems } = pods(service, port, slices, common)
  const { namespace, name } = service.meta
  const message = `Cannot use the address of the Service, as service-upstream asks: ${cluster.reason}; its pods are used`
  const problem = complaint(
    { kind: "Service", namespace, name },
    "spec.clusterIP",
    "no-cluster-address",
    message,
  )
  return { endpoints, problems: [...problems, problem] }
}
