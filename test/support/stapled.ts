import { connect, type SecureVersion } from "node:tls"

export interface Client {
  readonly port: number
  readonly servername: string
  readonly maxVersion?: SecureVersion
}

/** The OCSP response that a server staples for a client that asks for one. */
export async function stapled(client: Client): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let response: Buffer | undefined
  const socket = connect({ host: "127.0.0.1", requestOCSP: true, rejectUnauthorized: false, ...client })
  socket.on("OCSPResponse", (bytes: Buffer) => {
    if (bytes?.length > 0) response = bytes
  })
  socket.once("secureConnect", resolve).once("error", reject)
  await promise
  socket.destroy()
  return response
}
