// What an example takes to be in the cluster: Services with endpoints, and Secrets with something usable in them.
import { type Json, secret, service, slice } from "../../harness/manifests.ts"
import type { Authority } from "../../harness/pki.ts"

type Texts = Readonly<Record<string, string>>

interface Needed {
  /** `namespace/name` */
  readonly name: string
}
interface NeededService extends Needed {
  readonly port: number
}
interface NeededSecret extends Needed {
  readonly data: Texts
}

/** Slices of a Service. */
export type Endpoints = (service: string, port: number) => readonly Json[]

const somewhere: Endpoints = (name, port) => [slice(name, ["10.0.0.1", "10.0.0.2"], port)]

/**
 * Objects that Ingresses and routes name and that are not there.
 *
 * @param authority vouches for hosts and clients
 */
export async function lackingBeside(
  objects: readonly Json[],
  authority: Authority,
  endpoints: Endpoints = somewhere,
): Promise<Json[]> {
  const isLacking = (kind: string, { name }: Needed) =>
    !objects.some((object) => object.kind === kind && fullNameOf(object) === name)
  const ingresses = objects.filter(({ kind }) => kind === "Ingress")
  const named = [...ingresses.flatMap(servicesOf), ...objects.filter(isRoute).flatMap(backendsOf)]
  const services = named.filter((needed) => isLacking("Service", needed))
  const secrets = (await Promise.all(ingresses.map((each) => secretsOf(each, authority)))).flat()
  const wanted = secrets.filter((needed) => isLacking("Secret", needed))
  return [
    ...distinct(services).flatMap(({ name, port }) => [service(name, port), ...endpoints(name, port)]),
    ...distinct(wanted).map(({ name, data }) => secret(name, data)),
  ]
}

function distinct<T extends Needed>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.name, item])).values()]
}

interface Metadata {
  readonly namespace: string
  readonly name: string
  readonly annotations?: Texts
}

function fullNameOf({ metadata }: Json): string {
  const { namespace, name } = metadata as Metadata
  return `${namespace}/${name}`
}

function isRoute({ kind }: Json): boolean {
  return typeof kind === "string" && kind.endsWith("Route")
}

/** Those of its namespace. */
function backendsOf({ metadata, spec }: Json): NeededService[] {
  const { namespace } = metadata as Metadata
  const backends = JSON.stringify(spec).matchAll(/"name":"([^"]+)","port":(\d+)/g)
  return [...backends].map(([, name, port]) => ({ name: `${namespace}/${name}`, port: Number(port) }))
}

/** Its backends, and Services that its annotations ask by name. */
export function servicesOf({ metadata, spec }: Json): NeededService[] {
  const { namespace, annotations = {} } = metadata as Metadata
  const backends = JSON.stringify(spec).matchAll(/"name":"([^"]+)","port":\{"number":(\d+)\}/g)
  const urls = Object.values(annotations)
    .join(" ")
    .matchAll(/:\/\/([\w-]+)\.([\w-]+)\.svc[\w.]*(?::(\d+))?/g)
  return [
    ...[...backends].map(([, name, port]) => ({ name: `${namespace}/${name}`, port: Number(port) })),
    ...[...urls].map(([, name, where, port = "80"]) => ({ name: `${where}/${name}`, port: Number(port) })),
  ]
}

/** `jane` with the password `open sesame`. */
const users = { auth: "jane:{SHA}W8r/fyL/UzygmbNAjq2HbA67qac=" }

/** Certificates for its hosts, and what its annotations name: users, or certificates. */
async function secretsOf({ metadata, spec }: Json, authority: Authority): Promise<NeededSecret[]> {
  const { namespace, annotations = {} } = metadata as Metadata
  const full = (name: string) => (name.includes("/") ? name : `${namespace}/${name}`)
  const { tls = [] } = spec as { tls?: readonly { hosts?: readonly string[]; secretName?: string }[] }
  const ofHosts = tls.flatMap(({ hosts = [], secretName }) =>
    secretName === undefined ? [] : [{ hosts, name: full(secretName) }],
  )
  const named = Object.entries(annotations).filter(([key]) => key.endsWith("-secret"))
  return await Promise.all([
    ...ofHosts.map(async ({ name, hosts }) => ({ name, data: await pairFor(hosts, authority) })),
    ...named.map(async ([key, name]) => ({
      name: full(name),
      data: /tls|ssl/.test(key) ? await pairFor(["client"], authority) : users,
    })),
  ])
}

async function pairFor(names: readonly string[], authority: Authority): Promise<Texts> {
  const identity = await authority.issue({ cn: names[0] ?? "nobody", names })
  return identity.tlsData({ "ca.crt": authority.pem })
}
