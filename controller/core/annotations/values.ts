import type { LoadBalance } from "../../model/backend.ts"
import type { Protocol, TlsProtocol } from "../../model/policy.ts"
import type { HostClientCertificate, Overrides } from "../../model/route.ts"
import type { Replacement } from "../options/replacements.ts"

/** In the place of a value that was refused and whose absence would ask for less than was meant (`whenRefused` of its entry). */
export const unusable = Symbol("unusable")
export type Unusable = typeof unusable

/** What an Ingress says in its annotations, grouped by where it ends up. What is absent is inherited or at its default. */
export interface AnnotationValues {
  /** part of the route record: a change is a post */
  readonly route: Overrides
  // made into a policy and the route's variables, headers and error backend by steps of translate. A policy is part of a named location: one that
  // another Ingress has already costs nothing, any other a reload
  readonly protocol: ProtocolValues
  readonly responses: ResponseValues
  readonly errors: ErrorValues
  readonly mirror: MirrorValues
  readonly fastcgi: FastCgiValues
  readonly tls: BackendTlsValues
  readonly logs: LogValues
  // read by a step of translate, which makes fields of backends of them: a change is a post
  readonly canary: CanaryValues
  readonly affinity: AffinityValues
  readonly balancing: BalancingValues
  // and fields of routes, and hosts: a change is a post
  readonly routing: RoutingValues
  // and TLS hosts: a change is a post
  readonly handshake: HandshakeValues
  readonly clients: ClientCertificateValues
}

export interface ProtocolValues {
  readonly protocol?: "http" | Protocol
  readonly httpVersion?: "1.0" | "1.1"
  /** template of the `Host` that the backend sees */
  readonly vhost?: string
  readonly connection?: "close" | "keep-alive"
  /** without effect */
  readonly pushesPreloads?: boolean
}

export interface ResponseValues {
  readonly cookieDomain?: Replacement
  readonly cookiePath?: Replacement
  /** text, `off` or `default` */
  readonly redirectFrom?: string
  /** text or `off` */
  readonly redirectTo?: string
  /** a ConfigMap, as `qualify` (mentions.ts) reads it */
  readonly headers?: string
}

export interface ErrorValues {
  /** 400 to 599, in order */
  readonly codes?: readonly number[]
  readonly passesErrors?: boolean
  /** a Service of the same namespace */
  readonly service?: string
}

export interface MirrorValues {
  readonly target?: MirrorTarget
  /** template */
  readonly host?: string
  readonly body?: "on" | "off"
}

export interface MirrorTarget {
  /** template */
  readonly url: string
  /** without port */
  readonly host: string
}

export interface FastCgiValues {
  readonly index?: string
  /** a ConfigMap, as `qualify` (mentions.ts) reads it */
  readonly params?: string
}

/** Ranges as in model/policy.ts, BackendTls. */
export interface BackendTlsValues {
  /** as `qualify` (mentions.ts) reads it */
  readonly secret?: string
  readonly ciphers?: string
  readonly protocols?: readonly TlsProtocol[]
  readonly verifies?: boolean
  readonly verifyDepth?: number
  readonly sendsName?: boolean
  /** template */
  readonly name?: string
}

export interface LogValues {
  readonly isLogged?: boolean
}

/** Which requests an Ingress takes from another one; ranges as in model/backend.ts, TrafficShaping. */
export interface CanaryValues {
  readonly isCanary?: boolean
  readonly weight?: number
  readonly weightTotal?: number
  readonly header?: string
  readonly headerValue?: string
  readonly headerPattern?: string
  readonly cookie?: string
  /** to be used beside an older canary of the same backend */
  readonly isNWay?: boolean
}

/** Sessions; units and ranges as in model/backend.ts, AffinityCookie. */
export interface AffinityValues {
  readonly kind?: "cookie"
  readonly mode?: "balanced" | "persistent"
  /** of a canary: whether it takes part in the sessions of the backend whose place it takes */
  readonly canaryBehavior?: "sticky" | "legacy"
  readonly cookieName?: string
  readonly expiresSeconds?: number
  readonly maxAgeSeconds?: number
  readonly domain?: string
  readonly path?: string
  readonly sameSite?: "None" | "Lax" | "Strict"
  readonly secure?: boolean
  readonly conditionalSameSiteNone?: boolean
  readonly changeOnFailure?: boolean
}

export interface BalancingValues {
  readonly loadBalance?: LoadBalance
  /** text with nginx's variables */
  readonly hashKey?: string
  readonly hashesToSubset?: boolean
  /** 1 to 2^31 - 1 */
  readonly subsetSize?: number
  /** one endpoint: the Service's own address */
  readonly serviceUpstream?: boolean
  readonly slowStartMs?: number
  /** failed attempts in a row, 1 to 1000 */
  readonly outlierFailures?: number
  readonly outlierEjectionMs?: number
}

/** What is absent is as the ConfigMap says, or off. */
export interface RoutingValues {
  readonly usesRegex?: boolean
  /** template */
  readonly rewriteTarget?: string
  readonly logsRewrite?: boolean
  /** template */
  readonly forwardedPrefix?: string
  /** template of an absolute path */
  readonly appRoot?: string
  /** lower-case, each once, in order */
  readonly aliases?: readonly string[]
  /** to this host from the one that has `www.` more or less */
  readonly redirectsWww?: boolean
  /** URL or path, without variables */
  readonly permanentRedirect?: string
  /** 300 to 308 */
  readonly permanentRedirectCode?: number
  /** URL, without variables */
  readonly temporalRedirect?: string
  /** 300 to 307 */
  readonly temporalRedirectCode?: number
  readonly relativeRedirects?: boolean
  readonly usePortInRedirects?: boolean
  readonly preserveTrailingSlash?: boolean
  /** of hosts with a certificate */
  readonly sslRedirect?: boolean
  /** TLS connections for the hosts go to the Service of `/` undecrypted */
  readonly passesTls?: boolean
  readonly forceSslRedirect?: boolean
}

/** TLS towards the clients of a host; ranges as in model/certificate.ts. */
export interface HandshakeValues {
  readonly ciphers?: string
  readonly prefersServerCiphers?: boolean
}

/** What the clients of a host have to show; ranges as in model/certificate.ts. */
export interface ClientCertificateValues {
  /** `namespace/name` */
  readonly secret?: string | Unusable
  readonly verify?: HostClientCertificate["verify"]
  readonly depth?: number
  readonly matchCn?: string | Unusable
  /** URL or path */
  readonly errorPage?: string
  readonly passesCertificate?: boolean
}
