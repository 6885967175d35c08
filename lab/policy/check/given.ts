/** Requests, endpoints and answers for the properties. */
import type { Random } from "../../../harness/random.ts"
import type { ZoneName } from "../abi.ts"
import { Backend, type Endpoint } from "../backend.ts"
import { type Description, requestOf } from "../description.ts"
import type { Asked, Chosen, Instance } from "../instance.ts"

export interface Tried {
  readonly module: WebAssembly.Module
  readonly description: Description
}

export function ask(
  instance: Instance,
  backend: Backend,
  description: Description,
  n: number,
  more: Asked = {},
): Chosen {
  instance.nowNs += 1000
  return instance.select(backend, { ...requestOf(description, n), ...more })
}

export function end(instance: Instance, backend: Backend, { slot, note }: Chosen, random: Random): void {
  const outcome = random.below(10) < 8 ? 0 : 1 + random.below(4)
  instance.end(backend, {
    slot,
    note,
    outcome,
    attempt: 0,
    status: outcome === 0 ? 200 : 0,
    firstByteNs: random.exponential(5e6),
    headers: { "endpoint-load-metrics": `TEXT application_utilization=${random.next().toFixed(2)}` },
  })
}

export function backendOf(count: number, { config }: Description): Backend {
  return new Backend(endpointsOf(count), config)
}

const zoneNames: readonly ZoneName[] = ["none", "ours", "another"]

export function endpointsOf(count: number, first = 0, isMixed = false): Endpoint[] {
  return times(count, (i) => {
    const n = first + i
    const endpoint = { address: `10.0.${(n >> 8) & 255}.${n & 255}:8080` }
    return isMixed ? { ...endpoint, weight: 1 + (n % 100), zone: zoneNames[n % 3] as ZoneName } : endpoint
  })
}

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

export function elapsed(call: () => unknown): number {
  const begin = performance.now()
  call()
  return performance.now() - begin
}
