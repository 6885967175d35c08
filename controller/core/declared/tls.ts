import { type Authority, placeAt, type TlsHost } from "../../model/certificate.ts"
import { sharedServer } from "../../model/listener.ts"
import type { Problem } from "../../model/problem.ts"
import type { Host } from "../../model/route.ts"
import type { KeyPair } from "../../model/tls-secret.ts"

/** What is said of handshakes for one name. */
export interface DeclaredTls {
  /** the listener whose handshakes alone see it, as `Host.server`; absent: those of all listeners that have none of their own */
  readonly on?: string
  /** as `DeclaredHost.host` */
  readonly host: string
  /** as `Host.listener` */
  readonly listener?: string
  /** said by a listener that is on the ports of all: `_` shows its certificate, too, and a name that another front end has does not */
  readonly isOfListener?: true
  /** the namespace that it belongs to */
  readonly owner: string
  /** absent: no certificate is wanted for this very name */
  readonly server?: ServerCertificates
  readonly settings: TlsSettings
  /** of the settings */
  readonly problems: readonly Problem[]
}

/** By what names are told apart, and put in order. */
export function tlsPlace({ on, host }: Pick<DeclaredTls, "on" | "host">): string {
  return placeAt(on, host)
}

/** That of what is said of handshakes for a host. */
export function tlsPlaceOf({ server, host }: Pick<Host, "server" | "host">): string {
  return server === sharedServer ? host : placeAt(server, host)
}

/** The certificates that are wanted for a name. */
export interface ServerCertificates {
  /** of different types of keys; none: the default one */
  readonly pairs: readonly SecretPair[]
  /** `namespace/name` of those that it depends on */
  readonly secrets: readonly string[]
  readonly problems: readonly Problem[]
}

/** A certificate, and where it is from. */
export interface SecretPair extends KeyPair {
  /** `namespace/name` */
  readonly secret: string
}

/** Settings of a handshake besides certificates. */
export interface TlsSettings extends Pick<TlsHost, "ciphers" | "prefersServerCiphers" | "clientCertificate"> {
  /** that of `clientCertificate` */
  readonly authority?: Authority
}

/** Where nothing is said: one object for all. */
export const noSettings: TlsSettings = {}
