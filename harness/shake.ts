// Handshakes with a server of HTTPS, for those who want to know how it came to an agreement.
import { once } from "node:events"
import {
  type CipherNameAndProtocol,
  type ConnectionOptions,
  connect,
  type DetailedPeerCertificate,
  type EphemeralKeyInfo,
  type SecureVersion,
} from "node:tls"
import { patienceMs } from "./until.ts"

export interface Shaken {
  readonly version: string | null
  readonly cipher: CipherNameAndProtocol
  /** of the exchange of keys, as far as Node tells: in TLS 1.2 and below */
  readonly exchange: EphemeralKeyInfo | object | null
  readonly isResumed: boolean
  /** to be resumed; the last one that the server gave */
  readonly session: Buffer | undefined
}

/** Also takes what today's clients do not: old versions, weak ciphers. */
export const lenient: ConnectionOptions = { minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" }

export function only(version: SecureVersion): ConnectionOptions {
  return { ...lenient, minVersion: version, maxVersion: version }
}

/** One handshake and one request, as sessions of TLS 1.3 come with an answer. Rejects when either fails. */
export async function shake(port: number, options: ConnectionOptions = {}): Promise<Shaken> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options })
  let session: Buffer | undefined
  socket.on("session", (given: Buffer) => {
    session = given
  })
  await once(socket, "secureConnect", { signal: AbortSignal.timeout(patienceMs) })
  const how = {
    version: socket.getProtocol(),
    cipher: socket.getCipher(),
    exchange: socket.getEphemeralKeyInfo(),
    isResumed: socket.isSessionReused(),
  }
  socket.write("GET / HTTP/1.1\r\nHost: shake.test\r\nConnection: close\r\n\r\n")
  socket.resume()
  await once(socket, "end", { signal: AbortSignal.timeout(patienceMs) })
  socket.destroy()
  return { ...how, session }
}

/** The certificates that a server shows, the leaf first; nothing else is done on the connection. */
export async function shownChain(port: number, options: ConnectionOptions = {}): Promise<readonly Buffer[]> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options })
  await once(socket, "secureConnect", { signal: AbortSignal.timeout(patienceMs) })
  const chain: Buffer[] = []
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  while (next?.raw !== undefined && !chain.some((raw) => raw.equals(next?.raw ?? raw))) {
    chain.push(next.raw)
    next = next.issuerCertificate
  }
  socket.destroy()
  return chain
}

/** Whether each of these handshakes is taken; the code of the refusal if not. */
export async function outcome(port: number, options: ConnectionOptions): Promise<string> {
  return shake(port, options).then(
    ({ version, cipher }) => `${version} ${cipher.name}`,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
}
