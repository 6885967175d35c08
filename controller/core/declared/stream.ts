import type { AddressList } from "../../model/access.ts"
import type { BackendPolicy, LoadBalance } from "../../model/backend.ts"
import type { Authority, ClientVerification } from "../../model/certificate.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import type { StreamListener } from "../../model/stream-listener.ts"
import type { KeyPair } from "../../model/tls-secret.ts"
import type { BackendRef } from "./backend-ref.ts"
import type { PortAsker } from "./listener.ts"
import type { LoadBalancing } from "./load-balancing.ts"
import { complaint } from "./problems.ts"

/** A port of TCP or UDP whose connections or datagrams go to a Service port. */
export interface DeclaredStream extends StreamListener {
  /** serves all clients; with `names` those that ask for none of them, or, where it is absent, nobody */
  readonly backend?: BackendRef
  /** of TCP: what serves clients by the server name that they ask for, by name; one of them at least, or `backend` */
  readonly names: readonly DeclaredServerName[]
  /** of `backend` */
  readonly tls?: StreamTermination
  readonly backendTls?: StreamReencryption
  /** the object that asks for it, and where */
  readonly source: ObjectName
  readonly field: string
  /** who asks for the port itself; absent: `source` */
  readonly listeners?: readonly PortAsker[]
  /** of TCP: clients send a PROXY header */
  readonly acceptsProxyProtocol: boolean
  /** of TCP: the Service gets a PROXY header of this version; absent: none */
  readonly sendsProxyProtocol?: "v1" | "v2"
  /** of the backend; absent: round robin */
  readonly loadBalance?: LoadBalance
  /** chooses instead */
  readonly policy?: BackendPolicy
  /** how endpoints are chosen besides */
  readonly balancing?: StreamBalancing
  readonly settings: StreamSettings
}

/** What of a backend's balancing an entry may say beside its algorithm. */
export type StreamBalancing = Pick<LoadBalancing, "hashBy" | "slowStartMs" | "outlierEjection">

/** A server name and what serves it. */
export interface DeclaredServerName {
  readonly host: string
  readonly backend: BackendRef
  /** absent: what clients send is passed on as it is */
  readonly tls?: StreamTermination
  readonly backendTls?: StreamReencryption
}

/** With what TLS of clients ends at nginx. */
export interface StreamTermination {
  /** of different types of keys; none: handshakes end */
  readonly pairs: readonly KeyPair[]
  /** absent: they are asked for no certificate */
  readonly client?: StreamClients
  /** protocols (ALPN), the best first; absent: none is agreed upon */
  readonly alpn?: readonly string[]
}

/** What clients have to show. */
interface StreamClients extends Pick<ClientVerification, "verify" | "depth"> {
  /** absent: it cannot be had, so nobody's certificate holds */
  readonly authority: Authority | undefined
}

/** How endpoints are spoken to in TLS. */
export interface StreamReencryption {
  /** sent, and what the certificate has to be for; absent: no name is */
  readonly serverName?: string
  /** one of which the certificate has to have instead */
  readonly alternativeNames?: readonly string[]
  /** absent: certificates are not looked at. Without its authority none holds */
  readonly verified?: { readonly authority: Authority | undefined; readonly depth: number }
  /** what endpoints are shown when they ask */
  readonly pair?: KeyPair
}

/** What one port has of its own; what is absent is as the ConfigMap of settings, or nginx, has it. */
export interface StreamSettings {
  readonly timeoutMs?: number
  readonly connectTimeoutMs?: number
  /** of UDP: datagrams of the endpoint that end a session */
  readonly responses?: number
  /** of UDP: datagrams of the client after which a session takes no more; 0: any number */
  readonly requests?: number
  /** of a client at a time */
  readonly connections?: number
  /** new ones of a client */
  readonly connectionsPerSecond?: number
  /** how long sessions stay on an endpoint that is away; absent: until they end */
  readonly drainMs?: number
  /** per second and session; 0: no limit */
  readonly uploadBytes?: number
  readonly downloadBytes?: number
  /** clients that are let in; absent: all */
  readonly allow?: AddressList
  /** clients that are not */
  readonly deny?: AddressList
}

/** All that serve clients of its port. */
export function backendsOfStream({ backend, names }: DeclaredStream): readonly BackendRef[] {
  return [...(backend ? [backend] : []), ...names.map((name) => name.backend)]
}

/** What it has of TLS, one for each that serves clients of its port. */
export function tlsOfStream({
  tls,
  backendTls,
  names,
}: Pick<DeclaredStream, "tls" | "backendTls" | "names">): readonly Pick<
  DeclaredStream,
  "tls" | "backendTls"
>[] {
  return [{ ...(tls && { tls }), ...(backendTls && { backendTls }) }, ...names]
}

/** @param reason goes on after a colon */
export function streamProblem(
  { protocol, port, source, field }: Pick<DeclaredStream, "protocol" | "port" | "source" | "field">,
  code: ProblemCode,
  reason: string,
): Problem {
  const message = `Cannot serve ${protocol.toUpperCase()} port ${port}: ${reason}`
  return complaint(source, field, code, message)
}
