import type { Certificate } from "./certificate.ts"

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

/** Whether the backends that the rules of an Ingress name can be reached. Its default backend does not count. */
export interface IngressBackends {
  readonly namespace: string
  readonly name: string
  /** some Service does not exist, or cannot be used */
  readonly lacksService: boolean
  /** some Service that could be used has no endpoint */
  readonly lacksEndpoint: boolean
}

/** Made when somebody asks: with thousands of Ingresses passes are more frequent than scrapes. */
export interface Observed {
  certificates(): readonly ShownCertificate[]
  /** Each when it is its turn: with thousands the first one does not wait for the last */
  ingresses(): Iterable<IngressBackends>
}
