import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"
import { type AllowedNamespaces, readAllowedNamespaces } from "./allowed.ts"
import { type GatewayListener, readListeners } from "./gateway-listener.ts"
import { readGeneration, readObjectName } from "./names.ts"
import { aSecret, type ObjectRef, readLocalRef, readObjectRef } from "./references.ts"

export interface Gateway {
  readonly kind: "Gateway"
  readonly meta: Meta
  readonly generation: number
  readonly className: string
  readonly listeners: readonly GatewayListener[]
  /** that it asks for */
  readonly addresses: readonly GatewayAddress[]
  readonly infrastructure: Infrastructure
  /** in which namespaces ListenerSets may lie that add to it */
  readonly allowedListeners: AllowedNamespaces
  readonly backendCertificate?: ObjectRef
  /** what clients have to show, on any port that is not in `clientsOfPort` */
  readonly clients?: ClientCertificates
  /** absent: nothing, on this port */
  readonly clientsOfPort: readonly { readonly port: number; readonly clients?: ClientCertificates }[]
  /** what its status says that it has */
  readonly ownAddresses: readonly string[]
}

interface GatewayAddress {
  /** IPAddress, Hostname, or the domain-prefixed name of another one */
  readonly type: string
  /** "": any */
  readonly value: string
  /** from where it may be reached; "": not said */
  readonly routability: string
}

/** What is said of the objects that are made for it. */
interface Infrastructure {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly parameters?: ObjectRef
}

export interface ClientCertificates {
  readonly authorities: readonly ObjectRef[]
  /** AllowInsecureFallback: who shows none, or one that cannot be verified, comes in all the same */
  readonly mode: "AllowValidOnly" | "AllowInsecureFallback"
}

export function readGateway(at: Reader, meta: Meta): Gateway | undefined {
  const generation = readGeneration(at)
  const spec = at.required("spec", (spec) => readSpec(spec, meta.namespace))
  const ownAddresses = at.optional("status", (status) => status.list("addresses", readOwnAddress)) ?? []
  return spec && at.accepted({ kind: "Gateway", meta, generation, ...spec, ownAddresses })
}

function readSpec(at: Reader, namespace: string) {
  const tls = at.expected("tls", (tls) => readTls(tls, namespace))
  const allowed = at.expected("allowedListeners", (allowed) =>
    allowed.accepted(readAllowedNamespaces(allowed, "None")),
  )
  return at.accepted({
    className: readObjectName(at, "gatewayClassName"),
    listeners: readListeners(at, namespace),
    addresses: at.every("addresses", readAddress),
    infrastructure:
      at.expected("infrastructure", (it) => readInfrastructure(it, namespace)) ?? noInfrastructure,
    allowedListeners: allowed ?? ({ from: "None" } as const),
    ...(tls ?? { clientsOfPort: [] }),
  })
}

const noInfrastructure: Infrastructure = { labels: {}, annotations: {} }

function readAddress(at: Reader): GatewayAddress | undefined {
  return at.accepted({
    type: at.text("type", "IPAddress"),
    value: at.text("value"),
    routability: at.text("routability"),
  })
}

function readOwnAddress(at: Reader): string | undefined {
  return at.accepted(at.text("value")) || undefined
}

function readInfrastructure(at: Reader, namespace: string): Infrastructure | undefined {
  const parameters = at.expected("parametersRef", (ref) =>
    readLocalRef(ref, namespace, { group: "", kind: "" }),
  )
  return at.accepted({
    labels: at.textMap("labels"),
    annotations: at.textMap("annotations"),
    ...(parameters && { parameters }),
  })
}

function readTls(at: Reader, namespace: string) {
  const backendCertificate = at.expected("backend", (backend) =>
    backend.expected("clientCertificateRef", (ref) => readObjectRef(ref, namespace, aSecret)),
  )
  const frontend = at.expected("frontend", (frontend) => readFrontend(frontend, namespace))
  return at.accepted({
    ...(backendCertificate && { backendCertificate }),
    ...(frontend ?? { clientsOfPort: [] }),
  })
}

function readFrontend(at: Reader, namespace: string) {
  const clients = at.expected("default", (tls) => readClients(tls, namespace))?.clients
  const clientsOfPort = at.every("perPort", (entry) => {
    const port = entry.port("port")
    if (port === undefined) entry.refuse("port", "field-missing", "is missing or no port")
    const own = entry.required("tls", (tls) => readClients(tls, namespace))
    return own && entry.accepted({ port: port ?? 0, ...own })
  })
  return at.accepted({ ...(clients && { clients }), clientsOfPort })
}

function readClients(at: Reader, namespace: string): { readonly clients?: ClientCertificates } | undefined {
  const clients = at.expected("validation", (validation) => readValidation(validation, namespace))
  return at.accepted(clients ? { clients } : {})
}

function readValidation(at: Reader, namespace: string): ClientCertificates | undefined {
  return at.accepted({
    authorities: at.every("caCertificateRefs", (ref) =>
      readObjectRef(ref, namespace, { group: "", kind: "ConfigMap" }),
    ),
    mode: at.oneOf("mode", ["AllowValidOnly", "AllowInsecureFallback"], "AllowValidOnly"),
  })
}
