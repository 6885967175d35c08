// Pods as far as clients can tell: HTTP servers that answer with their own name, on addresses of the network that build/network.sh makes.
import { Backend, Backends } from "../backends.ts"
import { type Json, slice } from "../manifests.ts"

/** All pods listen on it: an EndpointSlice has one port for all of its endpoints. */
export const podPort = 8080

/** Test files run at the same time, so each has a range of its own. */
const range = `10.244.${process.env.VITEST_POOL_ID ?? 0}`
let last = 0

/** An address of a pod that no other has. */
export function podAddress(): string {
  last += 1
  if (last > 254) throw new Error(`All addresses of ${range}.0/24 are taken`)
  return `${range}.${last}`
}

/** Starts one for each name. */
export async function startPods(...names: readonly string[]): Promise<Backends> {
  const pods = new Backends()
  for (const name of names) pods.push(await new Backend(name, podAddress(), podPort).start())
  return pods
}

/** The EndpointSlice of a Service that has these pods. */
export function sliceOf(service: string, pods: readonly Backend[], part?: string): Json {
  return slice(
    service,
    pods.map(({ address }) => address),
    podPort,
    part,
  )
}
