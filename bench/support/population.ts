import type { Json } from "../../harness/manifests.ts"
import type { Random } from "../../harness/random.ts"
import { drawAnnotations } from "./mix.ts"

// Ingresses as a cluster has them, and the changes that it sees from day to day. The same seed gives the same.

interface Member {
  readonly hosts: readonly string[]
  readonly annotations: Readonly<Record<string, string>>
  readonly endpoints: number
}

/** What happens in a cluster, of 100 changes: pods come and go far more often than anybody edits an Ingress. */
const kinds = [
  { kind: "endpoints", of100: 70 },
  { kind: "Ingress added", of100: 10 },
  { kind: "Ingress deleted", of100: 8 },
  { kind: "annotation changed", of100: 9 },
  { kind: "host added", of100: 3 },
] as const

export type Kind = (typeof kinds)[number]["kind"]

/** What one change comes to: objects to set and to delete. */
export interface Step {
  readonly kind: Kind
  readonly set: readonly Json[]
  readonly deleted: readonly Json[]
}

/** Ingresses with a Service, a slice and a namespace each. */
export class Population {
  readonly #random: Random
  readonly #members = new Map<number, Member>()
  readonly #endpointPort: number
  #next = 0

  /** @param endpointPort of 127.0.0.1: behind every Service */
  constructor(size: number, random: Random, endpointPort: number) {
    this.#random = random
    this.#endpointPort = endpointPort
    for (let at = 0; at < size; at += 1) this.#add()
  }

  /** All objects. */
  objects(): Json[] {
    return [...this.#members.keys()].flatMap((id) => this.#objectsOf(id))
  }

  /** Lets something happen. */
  step(): Step {
    const kind = this.#drawKind()
    const ids = [...this.#members.keys()]
    const id = ids[this.#random.below(ids.length)] ?? 0
    switch (kind) {
      case "endpoints":
        this.#change(id, ({ endpoints }) => ({ endpoints: (endpoints % 5) + 1 }))
        return { kind, set: [this.#slice(id)], deleted: [] }
      case "Ingress added":
        return { kind, set: this.#objectsOf(this.#add()), deleted: [] }
      case "Ingress deleted": {
        const deleted = this.#objectsOf(id)
        this.#members.delete(id)
        return { kind, set: [], deleted }
      }
      case "annotation changed":
        this.#change(id, ({ annotations }) => ({ annotations: this.#edited(annotations) }))
        return { kind, set: [this.#ingress(id)], deleted: [] }
      case "host added":
        this.#change(id, ({ hosts }) => ({ hosts: [...hosts, `h${hosts.length}.app-${id}.test`] }))
        return { kind, set: [this.#ingress(id)], deleted: [] }
      default:
        return kind satisfies never
    }
  }

  #drawKind(): Kind {
    let at = this.#random.below(100)
    for (const { kind, of100 } of kinds) {
      if (at < of100) return kind
      at -= of100
    }
    return "endpoints"
  }

  #add(): number {
    const id = this.#next
    this.#next += 1
    const annotations = drawAnnotations(this.#random)
    // A canary diverts what an older Ingress has.
    const main = annotations.canary === undefined ? undefined : this.#members.get(id - 1)
    this.#members.set(id, {
      hosts: main?.hosts ?? [`app-${id}.test`],
      annotations,
      endpoints: 1 + this.#random.below(5),
    })
    return id
  }

  #change(id: number, change: (member: Member) => Partial<Member>): void {
    const member = this.#members.get(id)
    if (member !== undefined) this.#members.set(id, { ...member, ...change(member) })
  }

  /** One annotation gets another value, comes or goes: as often as Ingresses have it. */
  #edited(annotations: Member["annotations"]): Member["annotations"] {
    const drawn = Object.entries(drawAnnotations(this.#random))
    const edits = drawn.filter(([name, text]) => name !== "canary" && annotations[name] !== text)
    const edit = edits[this.#random.below(Math.max(edits.length, 1))]
    if (edit !== undefined) return { ...annotations, [edit[0]]: edit[1] }
    const names = Object.keys(annotations)
    const dropped = names[this.#random.below(Math.max(names.length, 1))]
    if (dropped === undefined) return { "proxy-read-timeout": "90" }
    return Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== dropped))
  }

  #objectsOf(id: number): Json[] {
    return [this.#ingress(id), this.#service(id), this.#slice(id)]
  }

  #ingress(id: number): Json {
    const { hosts = [], annotations = {} } = this.#members.get(id) ?? {}
    const isPattern = "use-regex" in annotations || "rewrite-target" in annotations
    const backend = { service: { name: `app-${id}`, port: { number: 80 } } }
    const path = isPattern ? "/api(/|$)(.*)" : "/api"
    const paths = [
      { path, pathType: "ImplementationSpecific", backend },
      { path: "/", pathType: "Prefix", backend },
    ]
    const created = new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString()
    return {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: {
        ...named(id),
        creationTimestamp: created,
        annotations: Object.fromEntries(
          Object.entries(annotations).map(([name, text]) => [`nginx.ingress.kubernetes.io/${name}`, text]),
        ),
      },
      spec: { ingressClassName: "nginx", rules: hosts.map((host) => ({ host, http: { paths } })) },
    }
  }

  #service(id: number): Json {
    const ports = [{ port: 80, targetPort: 8080, protocol: "TCP" }]
    return {
      apiVersion: "v1",
      kind: "Service",
      metadata: named(id),
      spec: { type: "ClusterIP", clusterIP: "10.96.0.1", ports },
    }
  }

  #slice(id: number): Json {
    const { endpoints = 0 } = this.#members.get(id) ?? {}
    return {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { ...named(id), labels: { "kubernetes.io/service-name": `app-${id}` } },
      addressType: "IPv4",
      ports: [{ port: this.#endpointPort, protocol: "TCP" }],
      endpoints: Array.from({ length: endpoints }, (_, at) => ({
        addresses: [`127.0.0.${at + 1}`],
        conditions: { ready: true },
      })),
    }
  }
}

/** Canaries are in the namespace of what they divert, which is that of the one before. */
function named(id: number): { namespace: string; name: string } {
  return { namespace: `team-${Math.floor(id / 100)}`, name: `app-${id}` }
}
