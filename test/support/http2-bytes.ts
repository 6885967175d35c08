// An HTTP/2 client that sends any headers, in any order, as they are: what Node's own client would refuse to send.
import { once } from "node:events"
import { connect } from "node:net"
import type { Duplex } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import { connect as connectByTls } from "node:tls"
import { patienceMs } from "../../harness/until.ts"

const frame = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7 } as const
const flag = { end: 1, endHeaders: 4 } as const
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

export interface Http2Request {
  /** Latin-1; with the pseudo-headers, in order */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** DATA frames; none: the stream ends with the headers */
  readonly body?: readonly string[]
  /** headers behind the body */
  readonly trailers?: Http2Request["headers"]
}

/** Sends one request over a connection of its own. @returns its status, or how the stream or the connection ended */
export async function sendHttp2(
  port: number,
  request: Http2Request,
  { isTls = false } = {},
): Promise<string> {
  const socket = isTls
    ? connectByTls({ port, host: "127.0.0.1", ALPNProtocols: ["h2"], rejectUnauthorized: false })
    : connect(port, "127.0.0.1")
  socket.on("error", () => {})
  const answer = outcome(socket)
  await once(socket, isTls ? "secureConnect" : "connect")
  socket.write(Buffer.concat([Buffer.from(preface), ofFrame(frame.settings, 0, 0, ""), ...framesOf(request)]))
  const said = await Promise.race([answer, pause(patienceMs, "no answer", { ref: false })])
  socket.destroy()
  return said
}

function framesOf({ headers, body = [], trailers }: Http2Request): Buffer[] {
  const isAlone = body.length === 0 && trailers === undefined
  const end = (isLast: boolean) => (isLast ? flag.end : 0)
  return [
    ofFrame(frame.headers, flag.endHeaders + end(isAlone), 1, blockOf(headers)),
    ...body.map((part, at) =>
      ofFrame(frame.data, end(at === body.length - 1 && trailers === undefined), 1, part),
    ),
    ...(trailers === undefined
      ? []
      : [ofFrame(frame.headers, flag.endHeaders + flag.end, 1, blockOf(trailers))]),
  ]
}

function ofFrame(type: number, flags: number, stream: number, payload: string): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, Buffer.from(payload, "latin1")])
}

/** Each as a literal that nobody remembers (RFC 7541, 6.2.2), not compressed. */
function blockOf(headers: Http2Request["headers"]): string {
  return headers.map(([name, value]) => `\0${literal(name)}${literal(value)}`).join("")
}

function literal(text: string): string {
  let rest = text.length - 127
  if (rest < 0) return String.fromCharCode(text.length) + text
  let length = "\x7f"
  for (; rest >= 128; rest >>= 7) length += String.fromCharCode((rest & 127) | 128)
  return length + String.fromCharCode(rest) + text
}

async function outcome(socket: Duplex): Promise<string> {
  let received = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk])
    for (let length = lengthOf(received); received.length >= length; length = lengthOf(received)) {
      const said = meaningOf(received.subarray(0, length))
      if (said !== undefined) return said
      received = received.subarray(length)
    }
  }
  return "closed"
}

function lengthOf(bytes: Buffer): number {
  return bytes.length < 9 ? Number.POSITIVE_INFINITY : 9 + bytes.readUIntBE(0, 3)
}

function meaningOf(bytes: Buffer): string | undefined {
  const type = bytes.readUInt8(3)
  const payload = bytes.subarray(9)
  if (type === frame.headers) return statusOf(payload)
  if (type === frame.reset) return `reset ${payload.readUInt32BE(0)}`
  return type === frame.goaway ? `goaway ${payload.readUInt32BE(4)}` : undefined
}

/** Of the static table, from 0x88 on. */
const statuses = ["200", "204", "206", "304", "400", "404", "500"]

/** As nginx writes it first in a block: from the static table, or as a literal. */
function statusOf(block: Buffer): string {
  const [first = 0, ...rest] = block[0] === 0x20 ? block.subarray(1) : block
  return statuses[first - 0x88] ?? Buffer.from(rest.slice(1, 4)).toString("latin1")
}
