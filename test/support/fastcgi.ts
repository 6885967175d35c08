// A FastCGI responder, as far as nginx uses the protocol: one request at a time on a connection, which is kept if asked for.
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"

export interface FastCgiRequest {
  readonly params: ReadonlyMap<string, string>
  readonly body: string
}

const headBytes = 8
const BEGIN = 1
const END = 3
const PARAMS = 4
const STDIN = 5
const STDOUT = 6
const KEEP_CONNECTION = 1

/** Content of a record is at most 64 KiB. */
function recordOf(type: number, content: Buffer): Buffer {
  const head = Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 0xff, 0, 0])
  return Buffer.concat([head, content])
}

function paramsOf(bytes: Buffer): Map<string, string> {
  const params = new Map<string, string>()
  let at = 0
  const length = (): number => {
    const short = bytes[at] ?? 0
    at += short < 128 ? 1 : 4
    return short < 128 ? short : bytes.readUInt32BE(at - 4) & 0x7fffffff
  }
  while (at < bytes.length) {
    const [name, value] = [length(), length()]
    const text = bytes.toString("latin1", at, at + name + value)
    params.set(text.slice(0, name), text.slice(name))
    at += name + value
  }
  return params
}

/** Answers with what `answer` returns: header lines, an empty line, the body. */
export class FastCgiServer implements AsyncDisposable {
  connections = 0
  requests = 0
  /** Set when something came that is no FastCGI. */
  isConfused = false
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  constructor(answer: (request: FastCgiRequest) => string) {
    this.#server = createServer((socket) => {
      this.connections += 1
      this.#sockets.add(socket)
      socket.on("error", () => {}).once("close", () => this.#sockets.delete(socket))
      this.#serve(socket, answer)
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve))
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(socket: Socket, answer: (request: FastCgiRequest) => string): void {
    let isKept = false
    const params: Buffer[] = []
    const body: Buffer[] = []
    const take = (type: number, content: Buffer) => {
      if (type === BEGIN) isKept = ((content[2] ?? 0) & KEEP_CONNECTION) !== 0
      if (type === PARAMS) params.push(content)
      if (type === STDIN) body.push(content)
      if (type !== STDIN || content.length > 0) return
      this.requests += 1
      const request = {
        params: paramsOf(Buffer.concat(params.splice(0))),
        body: `${Buffer.concat(body.splice(0))}`,
      }
      socket.write(recordOf(STDOUT, Buffer.from(answer(request))))
      socket.write(Buffer.concat([recordOf(STDOUT, Buffer.alloc(0)), recordOf(END, Buffer.alloc(headBytes))]))
      if (!isKept) socket.end()
    }
    const confused = () => {
      this.isConfused = true
      socket.destroy()
    }
    socket.on("data", reader(take, confused))
  }
}

/** Cuts what comes in pieces into records. */
function reader(
  take: (type: number, content: Buffer) => void,
  confused: () => void,
): (piece: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (piece) => {
    rest = Buffer.concat([rest, piece])
    while (rest.length >= headBytes && rest[0] === 1) {
      const contentEnd = headBytes + rest.readUInt16BE(4)
      const end = contentEnd + (rest[6] ?? 0)
      if (rest.length < end) return
      take(rest[1] ?? 0, rest.subarray(headBytes, contentEnd))
      rest = rest.subarray(end)
    }
    if (rest.length > 0 && rest[0] !== 1) confused()
  }
}
