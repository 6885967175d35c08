// A client of TLS that keeps its connection: requests go over it one after the other, and what it may be resumed with can be taken to another.
import { constants } from "node:crypto"
import { once } from "node:events"
import { Agent } from "node:http"
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2"
import { type ConnectionOptions, connect, type SecureVersion, type TLSSocket } from "node:tls"
import { type Answer, ask, type Question } from "./http.ts"
import type { Identity } from "./pki.ts"
import { patienceMs, until } from "./until.ts"

export interface TlsClientOptions {
  /** SNI, as it is written; default: none */
  readonly servername?: string
  /** shown when the server asks for a certificate, with what is between it and its root */
  readonly identity?: Identity | undefined
  /** the only version of TLS; default: any */
  readonly version?: Extract<SecureVersion, "TLSv1.2" | "TLSv1.3">
  /** to be resumed, as `TlsClient.session` gave it */
  readonly session?: Buffer | undefined
  /** default `h1` */
  readonly protocol?: "h1" | "h2"
  /** address of the server, default this machine's */
  readonly host?: string
  /** whether tickets of TLS 1.2 are taken; default true */
  readonly takesTickets?: boolean
}

/** Node's types do not have it. */
interface Naming extends TLSSocket {
  setServername(name: string): void
}

export class TlsClient implements AsyncDisposable {
  readonly socket: TLSSocket
  readonly #agent: Agent
  readonly #http2: ClientHttp2Session | undefined
  readonly #sessions: Buffer[] = []

  private constructor(socket: TLSSocket, isHttp2: boolean) {
    this.socket = socket
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 })
    this.#agent.createConnection = () => socket
    socket.on("error", () => {})
    socket.on("session", (session: Buffer) => this.#sessions.push(session))
    if (!isHttp2) return
    this.#http2 = connectHttp2("https://127.0.0.1", { createConnection: () => socket })
    this.#http2.on("error", () => {})
  }

  /** Resolves when the handshake is done. @throws when it fails, as far as the client knows: in TLS 1.3 a refusal comes with the first answer */
  static async connect(port: number, options: TlsClientOptions = {}): Promise<TlsClient> {
    const isHttp2 = options.protocol === "h2"
    const socket = connect({ port, host: options.host ?? "127.0.0.1", ...tlsOptions(options) }) as Naming
    // Not as an option: Node would not offer a session that it got under another name.
    if (options.servername !== undefined) socket.setServername(options.servername)
    const secured = once(socket, "secureConnect", { signal: AbortSignal.timeout(patienceMs) })
    const client = new TlsClient(socket, isHttp2)
    await secured
    return client
  }

  /** Whether the server has said goodbye, or closed the connection. */
  get isClosed(): boolean {
    return this.socket.destroyed || (this.#http2?.closed ?? false)
  }

  get isResumed(): boolean {
    return this.socket.isSessionReused()
  }

  /** The latest session or ticket. Of TLS 1.3 it comes with or after an answer. */
  async session(): Promise<Buffer> {
    await until("a session", () => this.#sessions.length > 0)
    return this.#sessions.at(-1) ?? Buffer.alloc(0)
  }

  /** One request on this connection. @throws when the server closes it instead */
  ask(question: Question): Promise<Answer> {
    return this.#http2 === undefined ? ask({ agent: this.#agent }, question) : askHttp2(this.#http2, question)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http2?.destroy()
    this.#agent.destroy()
    this.socket.destroy()
  }
}

function tlsOptions(options: TlsClientOptions): ConnectionOptions {
  const { identity, version, session, protocol = "h1", takesTickets = true } = options
  return {
    rejectUnauthorized: false,
    ALPNProtocols: [protocol === "h2" ? "h2" : "http/1.1"],
    ...(identity && { cert: identity.chainPem, key: identity.keyPem }),
    ...(version && { minVersion: version, maxVersion: version }),
    ...(session && { session }),
    ...(!takesTickets && { secureOptions: constants.SSL_OP_NO_TICKET }),
  }
}

function askHttp2(session: ClientHttp2Session, question: Question): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const stream = session.request({
    ":method": question.method ?? "GET",
    ":path": question.path ?? "/",
    ...(question.host !== undefined && { ":authority": question.host }),
    ...question.headers,
  })
  let headers: Record<string, string | string[]> = {}
  let body = ""
  stream.setTimeout(question.timeoutMs ?? patienceMs, () => stream.destroy(new Error("No answer in time")))
  stream.on("response", (fields) => {
    headers = Object.fromEntries(Object.entries(fields)) as typeof headers
  })
  stream.setEncoding("utf8").on("data", (text: string) => {
    body += text
  })
  stream.on("error", reject)
  stream.on("end", () => {
    const status = Number(headers[":status"])
    if (status > 0) return resolve({ status, headers, body, json: () => JSON.parse(body) })
    const how = session.destroyed ? "with its connection" : `with code ${stream.rstCode}`
    reject(new Error(`The stream ended without an answer, ${how}`))
  })
  stream.end(question.body)
  return promise
}
