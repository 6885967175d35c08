import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"
import { readGeneration, readHostnames } from "./names.ts"
import { type BackendRef, type ParentRef, readBackendRef, readParentRefs } from "./references.ts"

interface StreamRoute {
  readonly meta: Meta
  readonly generation: number
  readonly parents: readonly ParentRef[]
  /** one, as the API has it */
  readonly rules: readonly StreamRouteRule[]
}

interface StreamRouteRule {
  /** "": it has none */
  readonly name: string
  readonly backends: readonly BackendRef[]
}

/** TLS connections by the name that their clients ask for. */
export interface TlsRoute extends StreamRoute {
  readonly kind: "TLSRoute"
  readonly hostnames: readonly string[]
}

export interface TcpRoute extends StreamRoute {
  readonly kind: "TCPRoute"
}

export interface UdpRoute extends StreamRoute {
  readonly kind: "UDPRoute"
}

export function readTlsRoute(at: Reader, meta: Meta): TlsRoute | undefined {
  const generation = readGeneration(at)
  const spec = at.required("spec", (spec) => {
    const common = readSpec(spec, meta.namespace)
    const hostnames = readHostnames(spec)
    return spec.accepted({ ...common, hostnames })
  })
  return spec && at.accepted({ kind: "TLSRoute", meta, generation, ...spec })
}

export function readTcpRoute(at: Reader, meta: Meta): TcpRoute | undefined {
  const route = readWithoutNames(at, meta)
  return route && { kind: "TCPRoute", ...route }
}

export function readUdpRoute(at: Reader, meta: Meta): UdpRoute | undefined {
  const route = readWithoutNames(at, meta)
  return route && { kind: "UDPRoute", ...route }
}

function readWithoutNames(at: Reader, meta: Meta): StreamRoute | undefined {
  const generation = readGeneration(at)
  const spec = at.required("spec", (spec) => spec.accepted(readSpec(spec, meta.namespace)))
  return spec && at.accepted({ meta, generation, ...spec })
}

function readSpec(at: Reader, namespace: string) {
  const parents = readParentRefs(at)
  const rules = at.every("rules", (rule) =>
    rule.accepted({
      name: rule.text("name"),
      backends: rule.every("backendRefs", (ref) => readBackendRef(ref, namespace)),
    }),
  )
  return { parents, rules }
}
