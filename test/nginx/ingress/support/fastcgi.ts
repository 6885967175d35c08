// A FastCGI server (fastcgi-archives.github.io, "FastCGI Specification") that answers each request with the text it is
// told, once the request is complete; text that is undefined: never.
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

const [END_REQUEST, STDIN, STDOUT] = [3, 5, 6]
const HEAD_BYTES = 8
const MOST_BYTES = 65_535

export interface FastCgi extends AsyncDisposable {
  readonly port: number
  /** How many requests have begun. */
  readonly requests: number
}

export async function fastCgi(answer: () => string | undefined): Promise<FastCgi> {
  let requests = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    requests += 1
    sockets.add(socket.on("error", () => {}))
    let buffered = Buffer.alloc(0)
    socket.on("data", (chunk: Buffer) => {
      if (socket.writableEnded) return
      buffered = Buffer.concat([buffered, chunk])
      for (;;) {
        const length = recordBytes(buffered)
        if (length === undefined) return
        const ends = buffered[1] === STDIN && buffered.readUInt16BE(4) === 0
        buffered = buffered.subarray(length)
        const text = ends ? answer() : undefined
        if (text !== undefined) socket.end(response(text))
      }
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return requests
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}

/** Length of the record at the front with its padding; undefined while it is not complete. */
function recordBytes(bytes: Buffer): number | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  const length = HEAD_BYTES + bytes.readUInt16BE(4) + bytes.readUInt8(6)
  return bytes.length < length ? undefined : length
}

function response(text: string): Buffer {
  const records: Buffer[] = []
  for (let at = 0; at < text.length; at += MOST_BYTES)
    records.push(record(STDOUT, Buffer.from(text.slice(at, at + MOST_BYTES), "latin1")))
  return Buffer.concat([...records, record(STDOUT, Buffer.alloc(0)), record(END_REQUEST, Buffer.alloc(8))])
}

function record(type: number, content: Buffer): Buffer {
  const head = Buffer.of(1, type, 0, 1, 0, 0, 0, 0)
  head.writeUInt16BE(content.length, 4)
  return Buffer.concat([head, content])
}
