import { connect, type DetailedPeerCertificate, type TLSSocket } from "node:tls"
import type { Address } from "../sides.ts"
import type { Failed } from "./answer.ts"
import { reasonFor, type SendOptions, tlsOptions } from "./send.ts"

/** What a side shows of itself to a client that asks for a host by TLS. */
export type Handshake = Shown | Failed

interface Shown {
  readonly kind: "shown"
  readonly certificate: Certificate
  /** why it is not trusted; absent: it is */
  readonly untrusted?: string
  /** as `TLSv1.3` */
  readonly version: string
  /** of `h2` and `http/1.1`; "" when none was chosen (ALPN) */
  readonly protocol: string
}

interface Certificate {
  /** SHA-256 */
  readonly fingerprint: string
  /** DNS names and addresses, sorted */
  readonly names: readonly string[]
  readonly issuer: string
  /** as `2027-02-19` */
  readonly notAfter: string
}

/** A handshake as a browser begins it, and nothing after it. Certificates that are not trusted are shown as well. Never rejects. */
export function shakeHands(host: string, address: Address, options: SendOptions): Promise<Handshake> {
  const { promise, resolve } = Promise.withResolvers<Handshake>()
  const socket = connect({
    ...address,
    ...tlsOptions(host, { ...options, isInsecure: true }),
    ALPNProtocols: ["h2", "http/1.1"],
  })
  const timer = setTimeout(() => resolve({ kind: "failed", why: "slow" }), options.timeoutMs)
  socket.once("secureConnect", () => resolve(shown(socket)))
  socket.on("error", (error) => resolve({ kind: "failed", why: reasonFor(error) }))
  socket.once("close", () => resolve({ kind: "failed", why: "handshake" }))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}

function shown(socket: TLSSocket): Handshake {
  const { authorized, authorizationError } = socket
  const certificate = socket.getPeerCertificate(true)
  // a server may show none
  if (certificate.fingerprint256 === undefined) return { kind: "failed", why: "handshake" }
  return {
    kind: "shown",
    certificate: certificateOf(certificate),
    ...(!authorized && { untrusted: String(authorizationError) }),
    version: socket.getProtocol() ?? "",
    protocol: socket.alpnProtocol || "",
  }
}

function certificateOf({
  fingerprint256,
  subject,
  subjectaltname = "",
  issuer,
  valid_to,
}: DetailedPeerCertificate) {
  const names = subjectaltname.split(", ").map((name) => name.replace(/^[^:]*:/, ""))
  return {
    fingerprint: fingerprint256.replaceAll(":", "").toLowerCase(),
    names: subjectaltname === "" ? [commonName(subject)] : names.sort(),
    issuer: commonName(issuer),
    notAfter: dateOf(valid_to),
  }
}

function dateOf(text: string): string {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString().slice(0, 10)
}

function commonName(name: DetailedPeerCertificate["subject"] | undefined): string {
  return [name?.CN ?? name?.O ?? ""].flat().join(" ")
}
