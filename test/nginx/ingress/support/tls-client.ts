// Clients of TLS with certificates of their own, over HTTP/1.1 and HTTP/2; they trust every server.
import { once } from "node:events"
import { Agent, request } from "node:http"
import { connect as connectHttp2 } from "node:http2"
import { text } from "node:stream/consumers"
import { connect, type TLSSocket } from "node:tls"
import type { Identity } from "../../../support/pki.ts"

export interface Hello {
  readonly port: number
  /** The server name that is asked for; "" asks for none. */
  readonly name: string
  readonly identity?: Identity | undefined
  /** Default both. */
  readonly version?: "TLSv1.2" | "TLSv1.3"
  /** Default HTTP/1.1. */
  readonly protocol?: "http/1.1" | "h2"
  readonly session?: Buffer | undefined
}

export interface Question {
  readonly host: string
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** One connection, on which one request is made after the other. */
export interface Connection extends Disposable {
  readonly socket: TLSSocket
  /** Rejects when the server does not take requests on this connection any more. */
  ask(question: Question): Promise<Answer>
}

export async function connectTls(hello: Hello): Promise<Connection> {
  const { name, identity, version, protocol = "http/1.1", session } = hello
  const socket = connect({
    host: "127.0.0.1",
    port: hello.port,
    servername: name,
    rejectUnauthorized: false,
    ALPNProtocols: [protocol],
    ...(identity && { cert: identity.chainPem, key: identity.keyPem }),
    ...(version && { minVersion: version, maxVersion: version }),
    ...(session && { session }),
  })
  await once(socket, "secureConnect")
  return protocol === "h2" ? overHttp2(socket) : overHttp1(socket)
}

function overHttp1(socket: TLSSocket): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agent.createConnection = () => socket
  return {
    socket,
    async ask({ host, path = "/", method = "GET", headers = {}, body }) {
      const sent = request({ agent, path, method, headers: { ...headers, host } })
      sent.end(body)
      const [response] = await once(sent, "response")
      return { status: response.statusCode, headers: response.headers, body: await text(response) }
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

function overHttp2(socket: TLSSocket): Connection {
  const session = connectHttp2("https://unused", { createConnection: () => socket })
  session.on("error", () => {})
  return {
    socket,
    async ask({ host, path = "/", method = "GET", headers = {}, body }) {
      const stream = session.request({
        ...headers,
        ":authority": host,
        ":path": path,
        ":method": method,
      })
      stream.end(body)
      const [{ ":status": status, ...rest }] = await once(stream, "response")
      return { status, headers: rest, body: await text(stream) }
    },
    [Symbol.dispose]: () => session.destroy(),
  }
}

/** One request on a connection of its own. */
export async function askTls(hello: Hello, question: Question): Promise<Answer> {
  using connection = await connectTls(hello)
  return await connection.ask(question)
}
