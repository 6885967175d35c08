import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import type { Json } from "./manifests.ts"
import { shared } from "./paths.ts"

// 598 Ingresses that people have published for ingress-nginx, kept beside the project and no part of it.

const file = join(shared, "corpus/objects.yaml")

/** Where it is missing, what needs it is left out. */
export const hasCorpus = existsSync(file)

/** An Ingress as somebody wrote it, made ours by its class; `app` ones come from applications, the others were written to test or chosen as rare. */
export interface Sample {
  readonly kind: "app" | "fixture" | "rare"
  readonly ingress: CorpusIngress
  /** stock nginx refuses its snippets */
  readonly breaks: boolean
  /** in these words */
  readonly refusal?: string
}

export interface CorpusIngress extends Json {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly annotations: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly ingressClassName?: string
    readonly defaultBackend?: Backend
    readonly rules?: readonly {
      readonly host?: string
      readonly http?: { readonly paths?: readonly CorpusPath[] }
    }[]
  }
}

interface CorpusPath {
  readonly path?: string
  readonly pathType?: string
  readonly backend?: Backend
}

interface Backend {
  readonly service?: {
    readonly name: string
    readonly port?: { readonly number?: number; readonly name?: string }
  }
}

export function readCorpus(): readonly Sample[] {
  const rows: { sample: Sample["kind"]; ingress: CorpusIngress; breaks?: string }[] = parse(
    readFileSync(file, "utf8"),
  )
  return rows.map(({ sample, ingress, breaks }) => ({
    kind: sample,
    ingress: ours(ingress),
    breaks: breaks !== undefined,
    ...(breaks !== undefined && { refusal: breaks }),
  }))
}

function ours(ingress: CorpusIngress): CorpusIngress {
  const { "kubernetes.io/ingress.class": _, ...annotations } = ingress.metadata.annotations ?? {}
  const metadata = { ...ingress.metadata, annotations }
  return { ...ingress, metadata, spec: { ...ingress.spec, ingressClassName: "nginx" } }
}

/** A Service for each that these Ingresses name, with one endpoint at this port of 127.0.0.1 behind all its ports. */
export function servicesOf(ingresses: readonly CorpusIngress[], endpointPort: number): Json[] {
  const ports = new Map<string, Map<string, Json>>()
  for (const { metadata, spec } of ingresses) {
    for (const { service } of backendsOf(spec)) {
      if (service === undefined) continue
      const key = `${metadata.namespace}/${service.name}`
      const known = ports.get(key) ?? new Map<string, Json>()
      const { number = 10_000 + known.size, name = `p${number}` } = service.port ?? {}
      ports.set(key, known.set(name, { name, port: number, targetPort: number, protocol: "TCP" }))
    }
  }
  return [...ports].flatMap(([key, known]) => serviceWith(key, [...known.values()], endpointPort))
}

function backendsOf({ defaultBackend, rules = [] }: CorpusIngress["spec"]): Backend[] {
  const ofRules = rules.flatMap(({ http }) => http?.paths?.flatMap(({ backend }) => backend ?? []) ?? [])
  return defaultBackend === undefined ? ofRules : [defaultBackend, ...ofRules]
}

function serviceWith(key: string, ports: readonly Json[], port: number): Json[] {
  const [namespace = "", name = ""] = key.split("/")
  const labels = { "kubernetes.io/service-name": name }
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace, name },
      spec: { type: "ClusterIP", clusterIP: "10.96.0.1", ports },
    },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { namespace, name: `${name}-0`, labels },
      addressType: "IPv4",
      ports: ports.map((it) => ({ ...it, port })),
      endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready: true } }],
    },
  ]
}
