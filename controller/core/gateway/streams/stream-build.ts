import { fieldPath } from "../../../model/field-path.ts"
import type { BackendRef as ObjectBackend } from "../../../model/objects/gateway/references.ts"
import type { TcpRoute, TlsRoute, UdpRoute } from "../../../model/objects/gateway/stream-routes.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { Service } from "../../../model/objects/service.ts"
import type { Problem } from "../../../model/problem.ts"
import type { StreamProtocol } from "../../../model/stream-listener.ts"
import { contentName } from "../../../support/content-name.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import type { Finding } from "../finding.ts"
import type { Grants } from "../grants.ts"
import { resolveBackend } from "../routes/resolve-backend.ts"
import type { ReadPolicy } from "../tls/policies.ts"

export type StreamRoute = TlsRoute | TcpRoute | UdpRoute

/** A route of connections or datagrams, without its listeners. */
export interface BuiltStream {
  readonly route: StreamRoute
  /** serves them; absent: nothing may, and they are refused */
  readonly backend?: BackendRef
  /** how it is verified by TLS; absent: it is spoken to as clients speak, or without */
  readonly policy?: ReadPolicy
  /** that one, and those that take a part of it by weight */
  readonly backends: readonly DeclaredBackend[]
  /** `namespace/name` of Services that it names */
  readonly services: readonly string[]
  readonly findings: readonly Finding[]
  /** of its annotations, which have no effect */
  readonly problems: readonly Problem[]
}

interface Share {
  readonly ref: BackendRef
  readonly policy: ReadPolicy | undefined
  readonly weight: number
}

/** What one route is built with. */
interface StreamWorld {
  readonly grants: Grants
  readonly service: (name: string) => Service | undefined
  readonly policy: (service: string, portName: string) => ReadPolicy | undefined
}

export function buildStream(route: StreamRoute, { service, grants, policy }: StreamWorld): BuiltStream {
  const protocol = route.kind === "UDPRoute" ? "udp" : "tcp"
  const findings: Finding[] = []
  const shares = route.rules.flatMap(({ backends }, at) =>
    backends.flatMap((backend, index): readonly Share[] => {
      const field = fieldPath("spec", "rules", at, "backendRefs", index)
      const namer = { kind: route.kind, namespace: route.meta.namespace }
      const found = service(qualifiedName(backend))
      const upper = protocol === "udp" ? "UDP" : "TCP"
      const { port, finding, isRefused } = resolveBackend(backend, field, namer, found, grants, upper)
      if (finding !== undefined) findings.push(finding)
      if (isRefused || backend.weight === 0) return []
      const judged = route.kind === "TLSRoute" ? policy(qualifiedName(backend), port?.name ?? "") : undefined
      return [{ ref: refOf(protocol, backend), weight: backend.weight, policy: judged }]
    }),
  )
  const services = route.rules.flatMap(({ backends }) => backends.map(qualifiedName))
  const judged = shares.find((share) => share.policy !== undefined)?.policy
  return {
    route,
    ...split(shares, route),
    ...(judged && { policy: judged }),
    services,
    findings,
    problems: [],
  }
}

/** As connections or datagrams reach it: no backend of requests, nor of those that a ConfigMap names. */
function refOf(protocol: StreamProtocol, { namespace, name, port }: ObjectBackend): BackendRef {
  const serviceKey = `${namespace}/${name}`
  const key = `gateway-${protocol}:${serviceKey}:${port}`
  return {
    ...{ key, serviceKey, service: name, port: String(port), shortName: key },
    protocol: protocol === "tcp" ? "TCP" : "UDP",
  }
}

/** A backend that there never is: connections for a name are closed, and reach nobody else on the port. */
export const refusedBackend: BackendRef = {
  ...{ key: "gateway-tcp:refused", serviceKey: "", service: "", port: "" },
  shortName: "gateway-tcp:refused",
  protocol: "TCP",
}

/** Several backends: the first is asked, and the others each take their part of it. */
function split(
  shares: readonly Share[],
  { kind, meta }: StreamRoute,
): Pick<BuiltStream, "backend" | "backends"> {
  const [first, ...others] = shares
  if (first === undefined) return { backends: kind === "TLSRoute" ? [declaredStream(refusedBackend)] : [] }
  if (others.length === 0) return { backend: first.ref, backends: [declaredStream(first.ref)] }
  const id = contentName(`${kind}/${meta.namespace}/${meta.name}`)
  const weightTotal = shares.reduce((sum, { weight }) => sum + weight, 0)
  const parts = others.map(({ ref, weight }, at) =>
    declaredStream(named(ref, `${id}-${at + 1}`), { shaping: { weight, weightTotal } }),
  )
  const main = named(first.ref, id)
  const alternatives = parts.map(({ name }) => name)
  return { backend: main, backends: [declaredStream(main, { alternatives }), ...parts] }
}

function named(ref: BackendRef, id: string): BackendRef {
  const key = `${ref.key}>${id}`
  return { ...ref, key, shortName: key }
}

export function declaredStream(ref: BackendRef, fields: DeclaredBackend["fields"] = {}): DeclaredBackend {
  return { ref, name: ref.key, loadBalancing: { loadBalance: "round_robin" }, fields }
}
