import type { LoadBalance } from "../../model/backend.ts"
import type { Clients } from "../../model/http/clients.ts"
import type { Compression } from "../../model/http/compression.ts"
import type { Filters } from "../../model/http/filters.ts"
import type { Forwarding } from "../../model/http/forwarding.ts"
import type { Hashes } from "../../model/http/hashes.ts"
import type { Headers } from "../../model/http/headers.ts"
import type { Hsts } from "../../model/http/hsts.ts"
import type { Listening } from "../../model/http/listening.ts"
import type { Logs } from "../../model/http/logs.ts"
import type { Processes } from "../../model/http/processes.ts"
import type { Proxying } from "../../model/http/proxying.ts"
import type { Resolving } from "../../model/http/resolving.ts"
import type { Streams } from "../../model/http/streams.ts"
import type { Tls } from "../../model/http/tls.ts"
import type { Upstream } from "../../model/http/upstream.ts"
import type { SecretFile } from "../../model/secret-file.ts"
import type { Replacement } from "./replacements.ts"

/** The ConfigMap's keys after parsing, with their defaults in place: one field for each key that has an effect (key-table.ts). Most go into the model as they are. */
export interface Settings
  extends Processes,
    Listening,
    TlsSettings,
    OcspSettings,
    Hsts,
    Clients,
    Forwarding,
    Headers,
    FilterSettings,
    Compression,
    Proxying,
    Upstream,
    Resolving,
    Logs,
    Streams,
    Hashes,
    ErrorSettings,
    ResponseSettings,
    PermissionSettings,
    RouteSettings {}

export interface TlsSettings extends Omit<Tls, "dhParam" | "ticketKey" | "formerTicketKey"> {
  readonly dhParam: SecretFile | undefined
  readonly ticketKey: SecretFile | undefined
}

export interface OcspSettings {
  /** responders are asked about the certificates that are served, and what they say is stapled */
  readonly staplesOcsp: boolean
}

export interface FilterSettings extends Omit<Filters, "statusReaders"> {
  readonly statusReadersIpv4: readonly string[]
  readonly statusReadersIpv6: readonly string[]
}

export interface ErrorSettings {
  /** as `codes` of model/http/errors.ts */
  readonly errorCodes: readonly number[]
  readonly passesErrors: boolean
}

export interface ResponseSettings {
  readonly proxyHttpVersion: "1.0" | "1.1"
  readonly cookieDomain: Replacement
  readonly cookiePath: Replacement
  /** text, `off` or `default` */
  readonly redirectFrom: string
  /** text or `off` */
  readonly redirectTo: string
}

export interface PermissionSettings {
  /** annotations may name Secrets and ConfigMaps of other namespaces */
  readonly allowsCrossNamespaceResources: boolean
  /** what `custom-headers` may set, in exactly this spelling */
  readonly allowedResponseHeaders: readonly string[]
}

/** What holds for routes and backends whose Ingress says nothing. */
export interface RouteSettings {
  readonly loadBalance: LoadBalance
  /** one endpoint: the Service's own address */
  readonly serviceUpstream: boolean
  /** of redirects to HTTPS and between a host and its `www.` */
  readonly httpRedirectCode: 301 | 302 | 307 | 308
  /** paths of Ingresses that begin with one of these are never redirected to HTTPS */
  readonly noTlsRedirectLocations: readonly string[]
  /** hosts with a certificate are redirected to HTTPS */
  readonly sslRedirect: boolean
  /** and those without */
  readonly forceSslRedirect: boolean
  /** redirects to HTTPS keep the slash at the end */
  readonly preserveTrailingSlash: boolean
  /** redirects name the port */
  readonly usePortInRedirects: boolean
  /** requests that no Ingress asks for are logged */
  readonly logsDefaultBackend: boolean
}
