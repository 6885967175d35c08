// What a large cluster has: applications with a Service, an EndpointSlice and an Ingress each, and Secrets that some of the hosts have their
// certificate from. Objects are as large as those of real clusters, with what nobody reads here.
import { limit } from "../../controller/support/lanes.ts"
import { type Client, pathOf } from "../../harness/cluster/client.ts"
import { ingress, type Json, service, withTls } from "../../harness/manifests.ts"
import { selfSignedIdentity } from "../../harness/pki.ts"

export interface Population {
  readonly applications: number
  /** as many hosts have certificates: less than applications */
  readonly tlsSecrets: number
  /** which nobody mentions */
  readonly otherSecrets: number
}

/** Applications to a namespace. */
const together = 100

/** Requests under way at the same time. */
const maxAtOnce = 16

export function hostOf(at: number): string {
  return `app-${at}.bench.test`
}

/** Makes everything. */
export async function populate(
  api: Client,
  { applications, tlsSecrets, otherSecrets }: Population,
): Promise<void> {
  const tls = (await selfSignedIdentity({ names: ["*.bench.test"] })).tlsData()
  const namespaces = Math.ceil(applications / together)
  const inNamespaces = (at: number) => `team-${at % namespaces}/`
  await inLanes(namespaces, (at) => create(api, namespace(at)))
  await inLanes(otherSecrets, (at) => create(api, secretOf(`${inNamespaces(at)}other-${at}`, tls)))
  await inLanes(applications, async (at) => {
    const name = nameOf(at)
    const plain = ingress(name, `${hostOf(at)}/ → app-${at}:80`, { "proxy-read-timeout": "120" })
    if (at < tlsSecrets) await create(api, secretOf(`${name}-tls`, tls))
    await create(api, annotated(service(name)))
    await create(api, sliceOf(at, 0))
    await create(api, annotated(at < tlsSecrets ? withTls(plain, `${hostOf(at)}=app-${at}-tls`) : plain))
  })
}

/** Replaces the EndpointSlice of an application. @param shift another one brings other addresses */
export async function changeSlice(api: Client, at: number, shift: number): Promise<void> {
  await api.send("PUT", pathOf("EndpointSlice", nameOf(at)), { body: sliceOf(at, shift) })
}

/** Does something with the numbers from 0 to `count` − 1, some at the same time. */
export async function inLanes(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  const working = limit(maxAtOnce)
  await Promise.all(Array.from({ length: count }, (_, at) => working(() => work(at))))
}

function nameOf(at: number): string {
  return `team-${Math.floor(at / together)}/app-${at}`
}

async function create(api: Client, object: Json): Promise<void> {
  const { kind, metadata } = object as { kind: string; metadata: { namespace?: string } }
  await api.send("POST", pathOf(kind, `${metadata.namespace ?? ""}/`), { body: object })
}

function namespace(at: number): Json {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: `team-${at}` } }
}

function secretOf(name: string, stringData: Readonly<Record<string, string>>): Json {
  return { apiVersion: "v1", kind: "Secret", metadata: meta(name), type: "kubernetes.io/tls", stringData }
}

/** As `kubectl apply` leaves it. */
function annotated(object: Json): Json {
  const metadata = object.metadata as { annotations?: Json }
  const applied = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(object) }
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...applied } } }
}

/** Three endpoints, as the controller of EndpointSlices writes them. */
function sliceOf(at: number, shift: number): Json {
  const labels = {
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    "kubernetes.io/service-name": `app-${at}`,
  }
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...meta(nameOf(at)), labels },
    addressType: "IPv4",
    ports: [{ name: "", port: 8080, protocol: "TCP" }],
    endpoints: [0, 1, 2].map((pod) => endpointOf(at, pod, shift)),
  }
}

/** Nobody asks them: they are addresses of no pod. */
function endpointOf(at: number, pod: number, shift: number): Json {
  return {
    addresses: [`10.${100 + (at >> 8)}.${at & 255}.${1 + pod + (shift % 80) * 3}`],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: `node-${at % 50}`,
    zone: "zone-a",
    targetRef: { kind: "Pod", namespace: `team-${Math.floor(at / together)}`, name: `app-${at}-${pod}` },
  }
}

function meta(qualified: string): { namespace: string; name: string } {
  const [namespace = "", name = ""] = qualified.split("/")
  return { namespace, name }
}
