// Whether nginx serves what the API server has: hosts of Ingresses, and behind each of their Services the addresses of its EndpointSlices.
import { InForce } from "../../../controller/inspect/in-force.ts"
import type { ApiObject, Client } from "../../../harness/cluster/client.ts"
import { until } from "../../../harness/until.ts"
import type { Wick } from "../../../harness/wick.ts"

/** One line each, sorted. */
type State = readonly string[]

/** Waits until both are the same; says what differs when they do not become so. */
export async function untilSame(api: Client, wick: Wick): Promise<State> {
  let wanted: State = []
  let served: State = []
  await until("nginx to serve what the API server has", async () => {
    wanted = await stateOf(api)
    // A worker that makes place for a new one may take a question with it.
    served = await stateInForce(wick).catch(({ message }: Error) => [message])
    return wanted.join("\n") === served.join("\n")
  }).catch((error: Error) => {
    const missing = wanted.filter((line) => !served.includes(line))
    const left = served.filter((line) => !wanted.includes(line))
    throw new Error([error.message, "Missing:", ...missing, "Left:", ...left, "", wick.log()].join("\n"))
  })
  return wanted
}

async function stateOf(api: Client): Promise<State> {
  const ingresses = (await api.list("Ingress")).filter(({ spec }) => spec.ingressClassName === "nginx")
  const slices = await api.list("EndpointSlice")
  return ingresses.flatMap((ingress) => linesOf(ingress, slices)).sort()
}

function linesOf({ metadata, spec }: ApiObject, slices: readonly ApiObject[]): string[] {
  return spec.rules.map(({ host, http }: Rule) => {
    const { name, port } = http.paths[0].backend.service
    const own = slices.filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels?.["kubernetes.io/service-name"] === name,
    )
    return `${host} → ${metadata.namespace}-${name}-${port.number}: ${addressesIn(own)}`
  })
}

/** As tests write them: each host with one path. */
interface Rule {
  readonly host: string
  readonly http: {
    readonly paths: readonly [{ readonly backend: { readonly service: ServiceOfRule } }]
  }
}
interface ServiceOfRule {
  readonly name: string
  readonly port: { readonly number: number }
}

function addressesIn(slices: readonly ApiObject[]): string {
  const all = slices.flatMap(({ endpoints, ports }) =>
    (endpoints as { addresses: [string] }[]).map(({ addresses: [address] }) => `${address}:${ports[0].port}`),
  )
  return [...new Set(all)].sort().join(" ")
}

async function stateInForce(wick: Wick): Promise<State> {
  const inForce = await InForce.find(wick.runtimeDir)
  try {
    const backends = new Map((await inForce.backends()).map(({ name, endpoints }) => [name, endpoints]))
    const hosts = (await inForce.hosts()).filter(({ server, host }) => server === "main" && host !== "_")
    return hosts.map(({ host, routes: [route] }) => {
      const endpoints = backends.get(route?.backend ?? "") ?? []
      const addresses = endpoints.map(({ address, port }) => `${address}:${port}`).sort()
      return `${host} → ${route?.backend}: ${addresses.join(" ")}`
    })
  } finally {
    inForce.close()
  }
}
