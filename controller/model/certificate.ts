import type {
  Certificate,
  Passthrough as PostedPassthrough,
  TlsHost as PostedTlsHost,
} from "./tls-records.ts"

export type { Authority, Certificate, ClientVerification, Staple } from "./tls-records.ts"

// TLS as data. Field meanings, ranges and what an id is: docs/wire.md, CERTIFICATE to PASSTHROUGH. DER is base64 here as it is posted.

/** Whether two certificates are the same, with their chains and keys. */
export function isSameCertificate(a: Certificate, b: Certificate): boolean {
  const hasSameChain = a.chain.length === b.chain.length && a.chain.every((text, at) => text === b.chain[at])
  return hasSameChain && a.key.equals(b.key)
}

/** What a handshake for a server name gets. */
export interface TlsHost extends PostedTlsHost {
  /** the namespace that it belongs to; absent: the operator's */
  readonly owner?: string
}

/** What a TLS host is called that only handshakes of this listener see, if it has one for `_`. @param listener as `Host.server` */
export function placeAt(listener: string | undefined, host: string): string {
  return listener === undefined ? host : `${listener}/${host}`
}

/** A server name whose connections are handed on undecrypted. */
export interface Passthrough extends PostedPassthrough {
  /** the namespace that it belongs to */
  readonly owner: string
}
