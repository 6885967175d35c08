import { X509Certificate } from "node:crypto"
import { candidatesFor } from "../support/host-name.ts"
import { compareText } from "../support/order.ts"
import type { InForce } from "./in-force.ts"
import type {
  AuthorityInForce,
  CertificateInForce,
  ClientVerificationInForce,
  PassthroughInForce,
  StapleInForce,
  TlsHostInForce,
} from "./in-force-tls.ts"

// What is in force for TLS, put together: hosts with what their certificates say of themselves. Names are those of the control API, moments
// those of ISO 8601.

/** A TLS host with everything that it names. */
export interface ShownHost extends Omit<TlsHostInForce, "certificates" | "client_certificate"> {
  readonly certificates: readonly ShownCertificate[]
  readonly client_certificate?: ShownVerification
}

export interface ShownCertificate {
  readonly id: string
  /** absent when the host names a certificate that is not there */
  readonly facts?: Facts
  readonly staple_until?: string
}

/** What the leaf says of itself. */
interface Facts {
  readonly subject: string
  readonly names: readonly string[]
  readonly issuer: string
  /** subjects of the others in the chain */
  readonly chain: readonly string[]
  /** as `ec prime256v1`, `rsa 2048` */
  readonly key: string
  readonly not_before: string
  readonly not_after: string
  readonly expiry?: "expired" | "soon"
}

interface ShownVerification extends ClientVerificationInForce {
  /** subjects; absent when the authority is not there */
  readonly subjects?: readonly string[]
  readonly crls?: number
}

export interface ShownTls {
  readonly tls_hosts: readonly ShownHost[]
  readonly passthroughs: readonly PassthroughInForce[]
}

const soonMs = 10 * 86_400_000

/** Everything, by name. */
export async function allTls(inForce: InForce, nowMs: number): Promise<ShownTls> {
  const certificates = byName(await inForce.tls("certificates"), ({ id }) => id)
  const staples = byName(await inForce.tls("staples"), ({ certificate }) => certificate)
  const authorities = byName(await inForce.tls("authorities"), ({ id }) => id)
  const facts = new Map(
    [...certificates].map(([id, certificate]) => [id, certificateFacts(certificate, nowMs)]),
  )
  const hosts = (await inForce.tls("tls_hosts")).map((host) =>
    shownHost(host, { facts, staples, authorities }),
  )
  const passthroughs = await inForce.tls("passthroughs")
  return {
    tls_hosts: hosts.toSorted((a, b) => compareText(a.host, b.host)),
    passthroughs: passthroughs.toSorted((a, b) => compareText(a.host, b.host)),
  }
}

/** What connections for a name get: a passthrough, or the TLS host that a handshake finds, the default's certificates in the place of none. */
export async function tlsOf(inForce: InForce, wanted: string, nowMs: number): Promise<ShownTls> {
  const name = wanted.toLowerCase().replace(/\.$/, "")
  const passthrough = await inForce.tlsNamed("passthroughs", name)
  if (passthrough) return { tls_hosts: [], passthroughs: [passthrough] }
  const host = await firstHost(inForce, [...candidatesFor(name), ":default"])
  if (!host) return { tls_hosts: [], passthroughs: [] }
  const own = host.certificates.length > 0
  const { certificates = [] } = own ? host : ((await inForce.tlsNamed("tls_hosts", ":default")) ?? {})
  return {
    tls_hosts: [shownHost({ ...host, certificates }, await named(inForce, host, certificates, nowMs))],
    passthroughs: [],
  }
}

async function firstHost(inForce: InForce, names: readonly string[]): Promise<TlsHostInForce | undefined> {
  for (const name of names) {
    const host = await inForce.tlsNamed("tls_hosts", name)
    if (host) return host
  }
  return undefined
}

/** What hosts name, by id. */
interface Named {
  readonly facts: ReadonlyMap<string, Facts>
  readonly staples: ReadonlyMap<string, StapleInForce>
  readonly authorities: ReadonlyMap<string, AuthorityInForce>
}

async function named(
  inForce: InForce,
  { client_certificate: client }: TlsHostInForce,
  ids: readonly string[],
  nowMs: number,
): Promise<Named> {
  const found = <T>(list: readonly (T | undefined)[]) => list.filter((one) => one !== undefined)
  const certificates = found(await Promise.all(ids.map((id) => inForce.tlsNamed("certificates", id))))
  const staples = found(await Promise.all(ids.map((id) => inForce.tlsNamed("staples", id))))
  const authority = client && (await inForce.tlsNamed("authorities", client.authority))
  return {
    facts: new Map(certificates.map((certificate) => [certificate.id, certificateFacts(certificate, nowMs)])),
    staples: byName(staples, ({ certificate }) => certificate),
    authorities: byName(found([authority]), ({ id }) => id),
  }
}

function shownHost(host: TlsHostInForce, { facts, staples, authorities }: Named): ShownHost {
  const { certificates, client_certificate: client, ...others } = host
  const authority = client && authorities.get(client.authority)
  return {
    ...others,
    certificates: certificates.map((id) => shownCertificate(id, facts.get(id), staples.get(id))),
    ...(client && { client_certificate: { ...client, ...(authority && authorityFacts(authority)) } }),
  }
}

function shownCertificate(id: string, facts?: Facts, staple?: StapleInForce): ShownCertificate {
  const until = staple && new Date(staple.until_ms).toISOString()
  return { id, ...(facts && { facts }), ...(until && { staple_until: until }) }
}

function authorityFacts({ certificates, crls }: AuthorityInForce) {
  return { subjects: certificates.map((der) => lineOf(parsed(der)?.subject)), crls: crls.length }
}

/** What is said of a certificate and its chain. */
export function certificateFacts(
  { chain: [leaf = "", ...others] }: Pick<CertificateInForce, "chain">,
  nowMs: number,
): Facts {
  const certificate = parsed(leaf)
  const leftMs = (certificate?.validToDate.getTime() ?? Number.NaN) - nowMs
  return {
    subject: lineOf(certificate?.subject),
    names: namesOf(certificate),
    issuer: lineOf(certificate?.issuer),
    chain: others.map((der) => lineOf(parsed(der)?.subject)),
    key: keyOf(certificate),
    not_before: certificate?.validFromDate.toISOString() ?? "",
    not_after: certificate?.validToDate.toISOString() ?? "",
    ...(leftMs <= soonMs && { expiry: leftMs <= 0 ? "expired" : "soon" }),
  }
}

/** Undefined for what this Node's OpenSSL does not take. */
function parsed(der: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(der, "base64"))
  } catch {
    return undefined
  }
}

/** `CN=a.test, O=A`: Node writes a line for each part. */
function lineOf(name: string | undefined): string {
  return name === undefined ? "unreadable" : name.split("\n").join(", ")
}

function namesOf(certificate: X509Certificate | undefined): string[] {
  const names = certificate?.subjectAltName?.split(", ") ?? []
  return names.map((name) => name.replace(/^(DNS|IP Address):/, ""))
}

function keyOf(certificate: X509Certificate | undefined): string {
  const { asymmetricKeyType = "unknown", asymmetricKeyDetails: details } = certificate?.publicKey ?? {}
  return [asymmetricKeyType, details?.namedCurve ?? details?.modulusLength].filter(Boolean).join(" ")
}

function byName<T>(things: readonly T[], nameOf: (thing: T) => string): Map<string, T> {
  return new Map(things.map((thing) => [nameOf(thing), thing]))
}
