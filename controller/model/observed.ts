import type { Certificate } from "./certificate.ts"
import type { ObjectName } from "./problem.ts"
import type { StreamListener } from "./stream-listener.ts"

// What people watch over besides Problems, for metrics.

/** A certificate that a name shows. A name with keys of several types shows several. */
export interface ShownCertificate {
  /** as `Host.host` */
  readonly host: string
  /** `namespace/name` of the Secret; absent: the certificate that nginx was started with */
  readonly secret?: string
  /** absent without a Secret */
  readonly certificate?: Certificate
}

/** Whether the backends that the rules of an object name can be reached. The default backend of an Ingress does not count. */
export interface SourceBackends {
  readonly source: ObjectName
  /** some Service does not exist, or cannot be used */
  readonly lacksService: boolean
  /** some Service that could be used has no endpoint */
  readonly lacksEndpoint: boolean
}

/** A Service that a port of TCP or UDP leads to. */
export interface PortService extends StreamListener {
  /** that clients ask for; `_` for all that ask for no other one, "" where names make no difference */
  readonly serverName: string
  readonly namespace: string
  readonly service: string
  readonly servicePort: string
  readonly backend: string
}

/** Made when somebody asks: with thousands of objects passes are more frequent than scrapes. */
export interface Observed {
  certificates(): readonly ShownCertificate[]
  /** Each when it is its turn: with thousands the first one does not wait for the last */
  sources(): Iterable<SourceBackends>
  ports(): Iterable<PortService>
}
