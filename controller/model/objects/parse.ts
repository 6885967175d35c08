import { nearest } from "../../support/nearest.ts"
import type { Problem } from "../problem.ts"
import type { ProblemCode } from "../problems/catalogue.ts"
import { shown } from "../shown.ts"
import { ownerLabel, readConfigMap } from "./config-map.ts"
import { readEndpointSlice, serviceNameLabel } from "./endpoint-slice.ts"
import { readBackendTlsPolicy } from "./gateway/backend-tls-policy.ts"
import { readGateway } from "./gateway/gateway.ts"
import { readGatewayClass } from "./gateway/gateway-class.ts"
import { readGrpcRoute } from "./gateway/grpc-route.ts"
import { readHttpRoute } from "./gateway/http-route.ts"
import { readListenerSet } from "./gateway/listener-set.ts"
import { gatewayGroup } from "./gateway/names.ts"
import { readReferenceGrant } from "./gateway/reference-grant.ts"
import { readTcpRoute, readTlsRoute, readUdpRoute } from "./gateway/stream-routes.ts"
import { readIngress } from "./ingress.ts"
import { readIngressClass } from "./ingress-class.ts"
import { kinds } from "./kinds.ts"
import { unknownFields } from "./known-fields.ts"
import { type Kept, type Meta, readMeta, readName } from "./meta.ts"
import { readNamespace } from "./namespace.ts"
import { readNode, zoneLabel } from "./node.ts"
import type { Kind, KubernetesObject, ObjectKey } from "./object.ts"
import { readPod } from "./pod.ts"
import { type Findings, isRecord, Reader } from "./reader.ts"
import { readSecret } from "./secret.ts"
import { readService, topologyMode } from "./service.ts"

/** What became of one value. */
export type Parsed =
  /** `problems`: parts that were left out */
  | { readonly kind: "object"; readonly object: KubernetesObject; readonly problems: readonly Problem[] }
  /** unusable as a whole; `key` says whose new version this would have been, and without one it may have been any object's */
  | { readonly kind: "refused"; readonly key?: ObjectKey; readonly problems: readonly Problem[] }
  /** of a kind that nobody here reads; `problems` when that may surprise */
  | { readonly kind: "ignored"; readonly problems: readonly Problem[] }

export interface ParseOptions {
  /** when an object without creationTimestamp counts as created, milliseconds since 1970 */
  readonly firstSeenMs: (key: ObjectKey) => number
  /** where it was written, for messages: `cart.yaml:12`; "" for objects from an API server */
  readonly origin: string
}

/** How a kind is read. */
interface Reading {
  /** older groups and versions of the same kind, which are refused with a hint; any other group has just the name in common */
  readonly retired: readonly string[]
  readonly keeps: Kept
  readonly read: (at: Reader, meta: Meta) => KubernetesObject | undefined
}

/** Versions that came before `v1`, of kinds that have been there longer or not as long. */
const betas = [`${gatewayGroup}/v1beta1`, `${gatewayGroup}/v1alpha2`]
const alphas = [`${gatewayGroup}/v1alpha2`, `${gatewayGroup}/v1alpha3`]

const readings: Readonly<Record<Kind, Reading>> = {
  Ingress: {
    retired: ["extensions/v1beta1", "networking.k8s.io/v1beta1"],
    keeps: { annotations: "all" },
    read: readIngress,
  },
  IngressClass: { retired: ["networking.k8s.io/v1beta1"], keeps: {}, read: readIngressClass },
  EndpointSlice: {
    retired: ["discovery.k8s.io/v1beta1", "discovery.k8s.io/v1alpha1"],
    keeps: { labels: [serviceNameLabel] },
    read: readEndpointSlice,
  },
  Service: { retired: [], keeps: { annotations: [topologyMode] }, read: readService },
  ConfigMap: { retired: [], keeps: { labels: [ownerLabel] }, read: readConfigMap },
  Secret: { retired: [], keeps: {}, read: readSecret },
  Namespace: { retired: [], keeps: { labels: "all" }, read: readNamespace },
  Pod: { retired: [], keeps: { labels: "all" }, read: readPod },
  Node: { retired: [], keeps: { labels: [zoneLabel] }, read: readNode },
  GatewayClass: { retired: betas, keeps: {}, read: readGatewayClass },
  Gateway: { retired: betas, keeps: { annotations: "all" }, read: readGateway },
  ListenerSet: { retired: [], keeps: {}, read: readListenerSet },
  HTTPRoute: { retired: betas, keeps: { annotations: "all" }, read: readHttpRoute },
  GRPCRoute: { retired: [`${gatewayGroup}/v1alpha2`], keeps: { annotations: "all" }, read: readGrpcRoute },
  TLSRoute: { retired: alphas, keeps: {}, read: readTlsRoute },
  TCPRoute: { retired: alphas, keeps: {}, read: readTcpRoute },
  UDPRoute: { retired: alphas, keeps: {}, read: readUdpRoute },
  BackendTLSPolicy: { retired: alphas, keeps: {}, read: readBackendTlsPolicy },
  ReferenceGrant: { retired: betas, keeps: {}, read: readReferenceGrant },
}

type KindEntry = ReturnType<typeof entryOf>

function entryOf(kind: Kind) {
  return { kind, ...kinds[kind], ...readings[kind] }
}

const entries: ReadonlyMap<string, KindEntry> = new Map(
  (Object.keys(kinds) as Kind[]).map((kind) => [kind, entryOf(kind)]),
)

/** Kinds that somebody may expect to work, and what to write instead. */
const hints: ReadonlyMap<string, string> = new Map([
  [
    "v1 Endpoints",
    "is of a kind that is not read: write an EndpointSlice with the label kubernetes.io/service-name",
  ],
])

/**
 * Turns an unknown value, as YAML or JSON gave it, into one of our objects. What is wrong comes back as Problems; one bad part costs that part
 * and never the whole, except where the whole cannot be used without it.
 */
export function parseObject(value: unknown, options: ParseOptions): Parsed {
  const { kind, apiVersion }: Readonly<Record<string, unknown>> = isRecord(value) ? value : {}
  if (typeof kind !== "string" || typeof apiVersion !== "string") {
    const state = "is no Kubernetes object: apiVersion or kind is missing"
    return { kind: "refused", problems: [textProblem(options, "no-object", state)] }
  }
  const hint = hints.get(`${apiVersion} ${kind}`)
  if (hint !== undefined) return { kind: "ignored", problems: [textProblem(options, "kind-not-read", hint)] }
  const entry = entries.get(kind)
  const isOurs = entry && versionsOf(entry).includes(apiVersion)
  return isOurs ? parseKind(entry, apiVersion, value, options) : ignored(kind, apiVersion, options)
}

function versionsOf({ apiVersion, retired }: KindEntry): readonly string[] {
  return [apiVersion, ...retired]
}

/** A kind that is none, but is nearly one of ours, was written by hand. */
function ignored(kind: string, apiVersion: string, options: ParseOptions): Parsed {
  const ofVersion = [...entries.values()].filter((entry) => versionsOf(entry).includes(apiVersion))
  const names = ofVersion.map((entry) => entry.kind)
  const meant = options.origin === "" ? undefined : nearest(kind, names)
  if (meant === undefined) return { kind: "ignored", problems: [] }
  const state = `is of the unknown kind ${shown(kind)}: did you mean ${meant}?`
  return { kind: "ignored", problems: [textProblem(options, "kind-unknown", state)] }
}

function parseKind(entry: KindEntry, apiVersion: string, value: unknown, options: ParseOptions): Parsed {
  const findings = findingsOf(entry, value, options)
  const { problems } = findings
  const at = new Reader(value, findings)
  const name = at.required("metadata", (metadata) =>
    metadata.accepted(readName(metadata, entry.isNamespaced)),
  )
  if (!name) return { kind: "refused", problems }
  const key: ObjectKey = { kind: entry.kind, ...name }
  if (apiVersion !== entry.apiVersion) {
    at.refuse("apiVersion", "version-retired", `has to be ${entry.apiVersion}, not ${apiVersion}`)
    return { kind: "refused", key, problems }
  }
  if (options.origin !== "")
    for (const { path, state } of unknownFields(entry.kind, value)) at.report(path, "field-unknown", state)
  const meta = readMeta(at.child("metadata"), name, options.firstSeenMs(key), entry.keeps)
  const object = entry.read(at, meta)
  return object ? { kind: "object", object, problems } : { kind: "refused", key, problems }
}

/** The name as it was written, for messages about an object whose name may itself be the trouble. */
function findingsOf({ kind, isNamespaced }: KindEntry, value: unknown, { origin }: ParseOptions): Findings {
  const metadata = isRecord(value) && isRecord(value.metadata) ? value.metadata : {}
  const textOf = (written: unknown) => (typeof written === "string" ? written : "")
  const namespace = isNamespaced ? textOf(metadata.namespace) || "default" : ""
  const object = { kind, namespace, name: textOf(metadata.name) }
  return { object, problems: [], where: origin === "" ? "" : ` (${origin})` }
}

/** A Problem of something that is no object of ours, and so has no name but its place. */
function textProblem({ origin }: ParseOptions, code: ProblemCode, state: string): Problem {
  const object = { kind: "File", namespace: "", name: origin.replace(/:\d+$/, "") }
  return { object, field: origin, code, message: `Text at ${origin} ${state}` }
}
