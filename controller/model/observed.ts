import type { Certificate } from "./certificate.ts"
import type { ObjectName } from "./problem.ts"

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

/** Made when somebody asks: with thousands of objects passes are more frequent than scrapes. */
export interface Observed {
  certificates(): readonly ShownCertificate[]
  /** Each when it is its turn: with thousands the first one does not wait for the last */
  sources(): Iterable<SourceBackends>
}
