// Connections that begin in another way than with a request, as agents for `ask`.
import { Agent, type ClientRequestArgs } from "node:http"
import { connect, isIPv6, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from "node:tls"

type Open = (port: number, host: string) => Duplex

class OpeningAgent extends Agent {
  readonly #open: Open

  constructor(open: Open) {
    super()
    this.#open = open
  }

  override createConnection({ port, host }: ClientRequestArgs): Duplex {
    return this.#open(Number(port), host ?? "127.0.0.1")
  }
}

/** TLS, whatever the certificate is. @param servername SNI; none without */
export function tlsAgent(servername = ""): Agent {
  return new OpeningAgent((port, host) => encrypted(connect(port, host), servername))
}

/** The header of PROXY protocol first, then TLS if so. */
export function proxyAgent(header: string | Uint8Array, isTls = false): Agent {
  return new OpeningAgent((port, host) => {
    const socket = connect(port, host)
    socket.write(header)
    return isTls ? encrypted(socket, "") : socket
  })
}

function encrypted(socket: Socket, servername: string): TLSSocket {
  return connectTls({ socket, servername, rejectUnauthorized: false })
}

/** Node ends the chain by an issuer that is the certificate itself, or by none. */
function countOf(certificate: DetailedPeerCertificate): number {
  const { issuerCertificate: issuer } = certificate
  return issuer === undefined || issuer === certificate ? 1 : 1 + countOf(issuer)
}

/** The certificate that a server shows, how many come with it, and the protocol that was agreed on with ALPN. */
export async function handshake(
  port: number,
  options: { readonly servername?: string; readonly protocols?: readonly string[] } = {},
): Promise<{ certificate: DetailedPeerCertificate; certificates: number; alpn: string | false | null }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connectTls({
    port,
    host: "127.0.0.1",
    servername: options.servername ?? "",
    ALPNProtocols: [...(options.protocols ?? [])],
    rejectUnauthorized: false,
  })
  socket.once("secureConnect", resolve).once("error", reject)
  await promise
  const certificate = socket.getPeerCertificate(true)
  const answer = { certificate, certificates: countOf(certificate), alpn: socket.alpnProtocol }
  socket.destroy()
  return answer
}

/** Version 1 of PROXY protocol: text. */
export function proxyV1(source: string, destinationPort: number): string {
  const [family, destination] = isIPv6(source) ? ["TCP6", "2001:db8::1"] : ["TCP4", "192.0.2.1"]
  return `PROXY ${family} ${source} ${destination} 4711 ${destinationPort}\r\n`
}

/** Version 2, for IPv4. Source: haproxy, doc/proxy-protocol.txt 2.2. */
export function proxyV2(source: string, destinationPort: number): Buffer {
  const signature = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a])
  const addresses = Buffer.alloc(12)
  addresses.set(source.split(".").map(Number), 0)
  addresses.set([192, 0, 2, 1], 4)
  addresses.writeUInt16BE(4711, 8)
  addresses.writeUInt16BE(destinationPort, 10)
  return Buffer.concat([signature, Buffer.from([0x21, 0x11, 0x00, 0x0c]), addresses])
}
