import type { ObjectEvent } from "../../input/provider/event.ts"
import { isOfAnnotations } from "../../model/field-path.ts"
import { type KubernetesObject, qualifiedName } from "../../model/objects/object.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import { eventReason } from "../../model/problems/catalogue.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { referenceTo } from "./changes.ts"
import { messageOf } from "./message.ts"

/** Where objects are found that Problems are about. */
export type Objects = Pick<
  Snapshot,
  "ingresses" | "services" | "endpointSlices" | "secrets" | "configMaps" | "pods" | "nodes" | "gateway"
>

type Find = (name: string) => KubernetesObject | undefined

/** A Warning for each Problem, in their order, but for those of objects that are not there, or are none, such as files. */
export function problemEvents(problems: readonly Problem[], objects: Objects): ObjectEvent[] {
  if (problems.length === 0) return []
  const find = finder(objects)
  return problems.flatMap((problem) => {
    const object = find(problem.object)
    return object === undefined ? [] : [problemEvent(problem, object)]
  })
}

function problemEvent(problem: Problem, object: KubernetesObject): ObjectEvent {
  return {
    object: referenceTo(object),
    type: "Warning",
    reason: reasonOf(problem),
    message: messageOf(problem.message),
  }
}

/** Of annotations what ingress-nginx says; otherwise that of the code. A policy that fails or is refused is no fault of the annotation that names it. */
function reasonOf({ field, code }: Problem): string {
  const isOfPolicy = code.startsWith("balancing-policy-")
  return isOfAnnotations(field) && !isOfPolicy ? "AnnotationParsingFailed" : eventReason(code)
}

function finder(objects: Objects): (name: ObjectName) => KubernetesObject | undefined {
  const { services, secrets, configMaps, pods, nodes, gateway } = objects
  const finds: Readonly<Record<string, Find>> = {
    Ingress: indexed(() => objects.ingresses),
    EndpointSlice: indexed(() => [...objects.endpointSlices.values()].flat()),
    Service: (name) => services.get(name),
    Secret: (name) => secrets.get(name),
    ConfigMap: (name) => configMaps.get(name),
    Pod: (name) => pods.get(name),
    Node: (name) => nodes.get(name),
    GatewayClass: (name) => gateway.classes.get(name),
    Gateway: (name) => gateway.gateways.get(name),
    ListenerSet: (name) => gateway.listenerSets.get(name),
    HTTPRoute: (name) => gateway.httpRoutes.get(name),
    GRPCRoute: (name) => gateway.grpcRoutes.get(name),
    TLSRoute: (name) => gateway.tlsRoutes.get(name),
    TCPRoute: (name) => gateway.tcpRoutes.get(name),
    UDPRoute: (name) => gateway.udpRoutes.get(name),
    BackendTLSPolicy: (name) => gateway.backendTlsPolicies.get(name),
    ReferenceGrant: (name) => gateway.referenceGrants.get(name),
  }
  return (object) => finds[object.kind]?.(qualifiedName(object))
}

/** The index is made for the first question: most passes bring no Problem of such a kind. */
function indexed(list: () => readonly KubernetesObject[]): Find {
  let index: ReadonlyMap<string, KubernetesObject> | undefined
  return (name) => {
    index ??= new Map(list().map((object) => [qualifiedName(object.meta), object]))
    return index.get(name)
  }
}
