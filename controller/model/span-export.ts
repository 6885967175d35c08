import type { SecretText } from "./secret-file.ts"

/** Where finished spans go, and how. */
export interface SpanExport {
  /** a name or an address; "": what the environment says, if anything */
  readonly collectorHost: string
  readonly collectorPort: number
  /** to `collectorHost`; undefined: without TLS, `closed`: TLS is asked for and cannot be had, so nothing is sent there */
  readonly collectorTls: CollectorTls | "closed" | undefined
  readonly serviceName: string
  /** a finished span waits no longer, unless the collector does not take it */
  readonly scheduleDelayMs: number
  readonly maxBatchSize: number
}

/** TLS to the collector: the authorities that it is judged by, and the certificate that it is shown. */
export interface CollectorTls {
  /** PEM of those whose signature its certificate has to have; nobody else's counts */
  readonly authorities: string
  /** what it is shown, in PEM; absent: nothing */
  readonly identity?: { readonly certificate: string; readonly key: SecretText }
}
