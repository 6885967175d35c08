// A gRPC service and its client, as far as a proxy can tell: HTTP/2 with framed messages and trailers. The messages are plain text.
import {
  type ClientHttp2Session,
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2"
import { freePorts } from "./ports.ts"

const headBytes = 5

/** A message with its head: u8 0 (not compressed) · u32 length, big endian. */
function framed(text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

/** Cuts what comes in pieces into messages. */
function reader(onMessage: (text: string) => void): (piece: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (piece) => {
    rest = Buffer.concat([rest, piece])
    while (rest.length >= headBytes && rest.length >= headBytes + rest.readUInt32BE(1)) {
      const end = headBytes + rest.readUInt32BE(1)
      onMessage(rest.toString("utf8", headBytes, end))
      rest = rest.subarray(end)
    }
  }
}

/**
 * Answers each message with its own name and the message, as it comes: `/echo/say`. `/echo/fail` answers with a gRPC error and no
 * message, `/echo/busy` with HTTP's 503, and `/echo/reset` ends the stream; `/echo/tick` says something by itself, five times a second.
 */
export class GrpcServer implements AsyncDisposable {
  readonly name: string
  /** How many connections and calls there were. */
  connections = 0
  calls = 0
  /** Header of the latest call. */
  lastHeaders: IncomingHttpHeaders = {}
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #tls: SecureServerOptions | undefined
  #server: Http2Server | Http2SecureServer | undefined
  #port = 0

  /** @param tls absent: it speaks without */
  constructor(name: string, tls?: SecureServerOptions) {
    this.name = name
    this.#tls = tls
  }

  get port(): number {
    return this.#port
  }

  /** How many connections there are. */
  get open(): number {
    return this.#sessions.size
  }

  /** At the port that it had before, if it had one. */
  async start(): Promise<this> {
    const server = this.#tls === undefined ? createServer() : createSecureServer(this.#tls)
    server.on("session", (session) => {
      this.connections += 1
      this.#sessions.add(session)
      session.once("close", () => this.#sessions.delete(session))
    })
    server.on("stream", (stream, headers) => this.#answer(stream, headers))
    if (this.#port === 0) [this.#port = 0] = await freePorts(1)
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve))
    this.#server = server
    return this
  }

  /** Says goodbye on every connection, and closes those that have no call. */
  goAway(): void {
    for (const session of this.#sessions) session.close()
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.destroy()
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined))
    this.#server = undefined
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    this.calls += 1
    this.lastHeaders = headers
    stream.on("error", () => {})
    const grpc = { ":status": 200, "content-type": "application/grpc", "x-endpoint": this.name }
    const path = headers[":path"]
    if (path === "/echo/fail") stream.respond({ ...grpc, "grpc-status": "5" }, { endStream: true })
    else if (path === "/echo/busy") stream.respond({ ":status": 503 }, { endStream: true })
    else if (path === "/echo/reset") stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    else this.#echo(stream, grpc)
    if (path === "/echo/tick") {
      const ticks = setInterval(() => stream.write(framed("tick")), 200)
      stream.once("end", () => clearInterval(ticks)).once("close", () => clearInterval(ticks))
    }
  }

  #echo(stream: ServerHttp2Stream, head: OutgoingHttpHeaders): void {
    stream.respond(head, { waitForTrailers: true })
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "x-last": this.name }))
    const answer = (text: string) => stream.write(framed(`${this.name} ${text}`))
    stream.on("data", reader(answer)).once("end", () => stream.end())
  }
}

/** What a call brought. */
export interface Reply {
  readonly status: number
  readonly messages: readonly string[]
  /** of the trailers, or of the head when there is nothing else */
  readonly grpcStatus: string | undefined
  readonly trailers: Readonly<Record<string, unknown>>
  readonly contentType: string | undefined
  /** of the body, messages or not */
  readonly bytes: number
}

/** A call whose messages go and come as the caller likes. */
export class Call {
  readonly #stream
  readonly #reply: Promise<Reply>
  readonly #messages: string[] = []
  #onMessage: () => void = () => {}

  constructor(session: ClientHttp2Session, path: string) {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    })
    this.#stream = stream
    let head: IncomingHttpHeaders = {}
    let trailers: Readonly<Record<string, unknown>> = {}
    stream.on("response", (headers) => {
      head = headers
    })
    stream.on("trailers", (headers) => {
      trailers = { ...headers }
    })
    let bytes = 0
    stream.on("data", (piece: Buffer) => {
      bytes += piece.length
    })
    stream.on(
      "data",
      reader((text) => {
        this.#messages.push(text)
        this.#onMessage()
      }),
    )
    this.#reply = new Promise((resolve, reject) => {
      stream.on("error", reject)
      stream.on("close", () => {
        const status = Number(head[":status"] ?? 0)
        const grpcStatus = (trailers["grpc-status"] ?? head["grpc-status"]) as string | undefined
        const contentType = head["content-type"]
        resolve({ status, messages: this.#messages, grpcStatus, trailers, contentType, bytes })
      })
    })
    this.#reply.catch(() => {})
  }

  send(text: string): void {
    this.#stream.write(framed(text))
  }

  /** The message that comes next. */
  next(): Promise<string> {
    const seen = this.#messages.length
    return new Promise((resolve) => {
      this.#onMessage = () => resolve(this.#messages[seen] ?? "")
    })
  }

  cancel(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  /** Ends the request. @returns everything that came, when the last of it is there */
  end(): Promise<Reply> {
    this.#stream.end()
    return this.#reply
  }
}

/** A call with these messages. */
export function call(
  session: ClientHttp2Session,
  path: string,
  ...messages: readonly string[]
): Promise<Reply> {
  const one = new Call(session, path)
  for (const message of messages) one.send(message)
  return one.end()
}
