// First messages of TLS connections: those that Node sends, and made-up ones.
import { Duplex } from "node:stream"
import { type ConnectionOptions, connect } from "node:tls"

/** What Node sends first. */
export async function clientHello(servername: string, options: ConnectionOptions = {}): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const socket = new Duplex({ read() {}, write: (chunk: Buffer) => resolve(chunk) })
  const tls = connect({ ...options, socket, servername })
  tls.on("error", () => {})
  const hello = await promise
  tls.destroy()
  return hello
}

/** A message in one or more records whose server name comes behind `padding` bytes of another extension. */
export function paddedHello(servername: string, padding: number): Buffer {
  const name = Buffer.concat([Buffer.from([0]), vector(2, Buffer.from(servername))])
  const extensions = Buffer.concat([
    extension(21, Buffer.alloc(padding)),
    extension(0, vector(2, name)),
    extension(43, Buffer.from([2, 3, 4])),
  ])
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    vector(1, Buffer.alloc(32, 9)),
    vector(2, Buffer.from([0x13, 1])),
    vector(1, Buffer.from([0])),
    vector(2, extensions),
  ])
  return inRecords(Buffer.concat([Buffer.from([1]), vector(3, body)]), 16_384)
}

/** The same first message, its record cut into records of so many bytes. */
export function fragmented(hello: Buffer, bytes: number): Buffer {
  return inRecords(hello.subarray(5), bytes)
}

function inRecords(message: Buffer, bytes: number): Buffer {
  const records: Buffer[] = []
  for (let at = 0; at < message.length; at += bytes) {
    records.push(Buffer.from([22, 3, 1]), vector(2, message.subarray(at, at + bytes)))
  }
  return Buffer.concat(records)
}

function extension(kind: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([kind >> 8, kind & 255]), vector(2, content)])
}

function vector(lengthBytes: number, content: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(content.length, 0, lengthBytes)
  return Buffer.concat([length, content])
}
