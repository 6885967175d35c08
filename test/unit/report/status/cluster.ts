// What the addresses are found from, as tests write it.
import type { Node } from "../../../../controller/model/objects/node.ts"
import { type KubernetesObject, qualifiedName } from "../../../../controller/model/objects/object.ts"
import { parseObject } from "../../../../controller/model/objects/parse.ts"
import type { Pod } from "../../../../controller/model/objects/pod.ts"
import type { Service } from "../../../../controller/model/objects/service.ts"
import type { Cluster } from "../../../../controller/report/status/addresses.ts"
import type { Json } from "../../../../harness/manifests.ts"

/** The Service `ingress/lb`. */
export function balancer(spec: Json, status: Json = {}): Json {
  return { apiVersion: "v1", kind: "Service", metadata: { namespace: "ingress", name: "lb" }, spec, status }
}

/** What a Pod is beside running, ready, and one of the replicas. */
export interface PodTraits {
  readonly on?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly phase?: string
  readonly ready?: "True" | "False"
  readonly namespace?: string
  readonly isDeleted?: boolean
}

export function pod(name: string, traits: PodTraits = {}): Json {
  const { on = "node-1", labels = { app: "wick" }, phase = "Running", ready = "True" } = traits
  const { namespace = "ingress", isDeleted = false } = traits
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name,
      labels,
      ...(isDeleted && { deletionTimestamp: "2026-01-31T12:00:00Z" }),
    },
    spec: { nodeName: on },
    status: { phase, conditions: [{ type: "Ready", status: ready }] },
  }
}

/** A Node with addresses such as `ExternalIP 192.0.2.1`. */
export function node(name: string, ...addresses: readonly string[]): Json {
  const status = {
    addresses: addresses.map((text) => {
      const [type, address] = text.split(" ")
      return { type, address }
    }),
  }
  return { apiVersion: "v1", kind: "Node", metadata: { name }, status }
}

export function clusterOf(...values: readonly Json[]): Cluster {
  const objects = values.map(parsed)
  const ofKind = <K extends KubernetesObject>(kind: K["kind"]) =>
    new Map(
      objects
        .filter((object): object is K => object.kind === kind)
        .map((object) => [qualifiedName(object.meta), object]),
    )
  return { services: ofKind<Service>("Service"), pods: ofKind<Pod>("Pod"), nodes: ofKind<Node>("Node") }
}

function parsed(value: Json): KubernetesObject {
  const result = parseObject(value, { firstSeenMs: () => 0, origin: "" })
  if (result.kind !== "object") throw new Error(`Not an object: ${JSON.stringify(value)}`)
  return result.object
}
