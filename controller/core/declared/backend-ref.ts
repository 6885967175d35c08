import { qualifiedName } from "../../model/objects/object.ts"
import type { Protocol } from "../../model/objects/service.ts"
import type { StreamProtocol } from "../../model/stream-listener.ts"
import { contentName } from "../../support/content-name.ts"
import { serviceOfHost } from "../options/external-auth/service.ts"

/** The backend of what no route matches. No Service port has its name. */
export const defaultBackendName = "upstream-default-backend"

/** A Service port as an object names it. */
export interface BackendRef {
  /** names this Service port and no other: `namespace/service:port`, and behind a `>` the canaries that take a share of its requests */
  readonly key: string
  /** `namespace/service`, as in the snapshot; "" for what can be no Service */
  readonly serviceKey: string
  readonly service: string
  /** number or name; "" when the object names none, `*` for the first */
  readonly port: string
  /** as ingress-nginx names the backend, also where no port is given; not always unique */
  readonly shortName: string
  /** then `port` is the number or name of a port of this protocol alone; absent: of any, also by its targetPort */
  readonly protocol?: Extract<Protocol, "TCP" | "UDP">
  /** what answers while there is no such Service: a DNS name or an IP address */
  readonly outside?: string
}

/** A Service of which the first port is meant, whatever that is. */
export function firstPortRef(namespace: string, service: string): BackendRef {
  const serviceKey = `${namespace}/${service}`
  const shortName = `custom-default-backend-${namespace}-${service}`
  return { key: `${serviceKey}:*`, serviceKey, service, port: "*", shortName }
}

/** @param port "" when the object names none */
export function backendRef(namespace: string, service: string, port: string): BackendRef {
  const serviceKey = qualifiedName({ namespace, name: service })
  const shortName = (port === "" ? [namespace, "INVALID"] : [namespace, service, port]).join("-")
  return { key: [serviceKey, port].join(":"), serviceKey, service, port, shortName }
}

/**
 * A Service port as connections of TCP, or datagrams, reach it. A colon comes before the slash in its key, which is its name, too: so it is no
 * backend of requests. (ingress-nginx's `tcp-namespace-service-port` may be one, of namespace `tcp-…`.)
 *
 * @param port number or name
 * @param variant how endpoints are chosen: each way has a backend of its own; "" for that of all that do not say
 */
export function streamBackendRef(
  protocol: StreamProtocol,
  namespace: string,
  service: string,
  port: string,
  variant = "",
): BackendRef {
  const { serviceKey, key } = backendRef(namespace, service, port)
  const own = `${protocol}:${key}${variant && `:${variant}`}`
  return {
    ...{ serviceKey, service, port },
    ...{ key: own, shortName: own },
    protocol: protocol === "tcp" ? "TCP" : "UDP",
  }
}

/**
 * A Service port as it is reached where canaries take a share of its requests.
 *
 * @param canaries names them; without `>`
 */
export function refWithCanaries(ref: BackendRef, canaries: string): BackendRef {
  return { ...ref, key: `${ref.key}>${canaries}` }
}

/** The key of the Service port, whatever canaries it has. */
export function baseKey(key: string): string {
  const end = key.indexOf(">")
  return end < 0 ? key : key.slice(0, end)
}

/** Where somebody beside the rule's own Service is asked: a Service of the cluster if there is one of that name, else what DNS says. */
interface Destination {
  /** a DNS name in lower case, or an IP address */
  readonly host: string
  readonly port: number
  /** where names of one label are looked for; absent: the host is no name of the cluster's, whatever it looks like */
  readonly namespace?: string
}

/** Longer names are no keys that nginx hands on with an attempt (docs/abi.md). */
const maxKeyBytes = 200

/**
 * The backend that a URL names. Its key holds two colons and its name is its key, so it is no other backend's; nothing that is said about balancing is
 * for it.
 *
 * @param kind what it is for: those of two kinds are two backends
 */
export function urlBackendRef(kind: "auth" | "mirror", { host, port, namespace }: Destination): BackendRef {
  const service = namespace === undefined ? undefined : serviceOfHost(host, namespace)
  const isShort = namespace !== undefined && !host.includes(".") && !host.includes(":")
  const text = `${isShort ? `${namespace}/` : ""}${host}`
  const key = `${kind}:${text.length > maxKeyBytes ? contentName(text) : text}:${port}`
  return {
    key,
    serviceKey: service === undefined ? "" : `${service.namespace}/${service.name}`,
    service: service?.name ?? "",
    port: String(port),
    shortName: key,
    outside: host,
  }
}
