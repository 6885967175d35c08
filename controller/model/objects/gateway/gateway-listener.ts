import type { Reader } from "../reader.ts"
import { type AllowedRoutes, readAllowedRoutes } from "./allowed.ts"
import { type ExternalAuthFilter, readExternalAuth } from "./filter-auth.ts"
import { readHostname, readObjectName, readProtocol } from "./names.ts"
import { aSecret, type ObjectRef, readObjectRef } from "./references.ts"

/** Where a Gateway, or a ListenerSet for it, wants requests and connections to come in. */
export interface GatewayListener {
  readonly name: string
  /** "": of every name */
  readonly hostname: string
  readonly port: number
  /** HTTP, HTTPS, TLS, TCP or UDP; others have no meaning here */
  readonly protocol: string
  readonly tls?: ListenerTls
  readonly allowedRoutes: AllowedRoutes
  /** what every request of it goes through, before the filters of its route */
  readonly filters: readonly ListenerFilter[]
}

interface ListenerTls {
  readonly mode: "Terminate" | "Passthrough"
  readonly certificates: readonly ObjectRef[]
  readonly options: Readonly<Record<string, string>>
}

/** `unsupported`: of a kind that is not known here. */
type ListenerFilter =
  | { readonly kind: "external-auth"; readonly auth: ExternalAuthFilter }
  | { readonly kind: "unsupported"; readonly type: string }

const modes = ["Terminate", "Passthrough"] as const

/** @param namespace of the object that has them */
export function readListeners(at: Reader, namespace: string): readonly GatewayListener[] {
  return at.every("listeners", (listener) => readListener(listener, namespace))
}

function readListener(at: Reader, namespace: string): GatewayListener | undefined {
  const port = at.port("port")
  if (port === undefined) at.refuse("port", "field-missing", "is missing or no port")
  const tls = at.expected("tls", (tls) => readTls(tls, namespace))
  const filters = at.expected("filters", (filters) =>
    filters.accepted(filters.every("requests", (filter) => readFilter(filter, namespace))),
  )
  return at.accepted({
    name: readObjectName(at, "name"),
    hostname: readHostname(at, "hostname"),
    port: port ?? 0,
    protocol: readProtocol(at, "protocol"),
    ...(tls && { tls }),
    allowedRoutes: readAllowedRoutes(at),
    filters: filters ?? [],
  })
}

function readTls(at: Reader, namespace: string): ListenerTls | undefined {
  return at.accepted({
    mode: at.oneOf("mode", modes, "Terminate"),
    certificates: at.every("certificateRefs", (ref) => readObjectRef(ref, namespace, aSecret)),
    options: at.textMap("options"),
  })
}

function readFilter(at: Reader, namespace: string): ListenerFilter | undefined {
  const type = at.requiredText("type")
  if (type !== "ExternalAuth") return at.accepted({ kind: "unsupported", type })
  const auth = at.required("externalAuth", (auth) => readExternalAuth(auth, namespace))
  return auth && at.accepted({ kind: "external-auth", auth })
}
