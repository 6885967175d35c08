// A DNS server on loopback, over UDP and TCP, that answers from a table which may change at any time.
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { type AddressInfo, createServer, isIPv4, type Server, SocketAddress } from "node:net"
import { freePorts } from "../../harness/ports.ts"

type Type = "A" | "AAAA" | "CNAME"

interface Record {
  readonly type: Type
  /** an address, or a name */
  readonly data: string
  /** seconds */
  readonly ttl: number
  /** default: the name that was asked for */
  readonly name?: string
}

/** What the server does when it is asked for a name, whatever the type. */
export type Behaviour =
  /** those of the type that is asked for, with all CNAMEs in front of them; none: the name has other records */
  | { readonly kind: "records"; readonly records: readonly Record[] }
  | { readonly kind: "nxdomain" | "servfail" | "refused" | "silence" }

export interface Question {
  readonly name: string
  readonly type: string
  readonly transport: "udp" | "tcp"
}

const types = { A: 1, CNAME: 5, AAAA: 28 } as const
const responseCodes = { records: 0, servfail: 2, nxdomain: 3, refused: 5 } as const

/** More than this does not fit into a UDP answer here. */
const maxUdpBytes = 512

export class DnsServer implements Disposable {
  readonly port: number
  /** everything that was asked, in order */
  readonly questions: Question[] = []
  /** what happens with names of which nothing is said */
  otherwise: Behaviour = { kind: "nxdomain" }
  readonly #names = new Map<string, Behaviour>()
  readonly #udp: Socket
  readonly #tcp: Server
  /** takes the place of everything else while it is there */
  #fault: Behaviour["kind"] | undefined

  private constructor(udp: Socket, tcp: Server) {
    this.port = udp.address().port
    this.#udp = udp
    this.#tcp = tcp
    udp.on("message", (query, { port, address }) => {
      const answer = this.#answer(query, "udp")
      if (answer) udp.send(answer, port, address)
    })
    tcp.on("connection", (socket) => {
      let received = Buffer.alloc(0)
      socket.on("error", () => socket.destroy())
      socket.on("data", (chunk) => {
        received = Buffer.concat([received, chunk])
        while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
          const end = 2 + received.readUInt16BE(0)
          const answer = this.#answer(received.subarray(2, end), "tcp")
          received = received.subarray(end)
          if (answer) socket.write(Buffer.concat([u16(answer.length), answer]))
        }
      })
    })
  }

  static async start(): Promise<DnsServer> {
    const [port = 0] = await freePorts(1)
    const udp = createSocket("udp4").bind(port, "127.0.0.1")
    const tcp = createServer().listen(port, "127.0.0.1")
    await Promise.all([once(udp, "listening"), once(tcp, "listening")])
    return new DnsServer(udp, tcp)
  }

  /** `127.0.0.1:port`, as resolv.conf may name it. */
  get address(): string {
    return `127.0.0.1:${(this.#tcp.address() as AddressInfo).port}`
  }

  /** A name has these addresses, all with this TTL. */
  set(name: string, addresses: readonly string[], ttl = 1): void {
    const records = addresses.map((data): Record => ({ type: isIPv4(data) ? "A" : "AAAA", data, ttl }))
    this.behave(name, { kind: "records", records })
  }

  behave(name: string, behaviour: Behaviour): void {
    this.#names.set(name, behaviour)
  }

  remove(name: string): void {
    this.#names.delete(name)
  }

  /** Every question ends so, until this is called with `undefined`. */
  fail(fault: "servfail" | "refused" | "silence" | undefined): void {
    this.#fault = fault
  }

  /** How often a name was asked for. */
  count(name: string): number {
    return this.questions.filter((question) => question.name === name).length
  }

  /** Nobody listens any more. */
  stop(): void {
    if (!this.#tcp.listening) return
    this.#udp.close()
    this.#tcp.close()
  }

  [Symbol.dispose](): void {
    this.stop()
  }

  #answer(query: Buffer, transport: "udp" | "tcp"): Buffer | undefined {
    const { name, type, end } = questionOf(query)
    this.questions.push({ name, type: nameOfType(type), transport })
    const behaviour = this.#names.get(name) ?? this.otherwise
    const kind = this.#fault ?? behaviour.kind
    if (kind === "silence") return undefined
    const records = kind === "records" && behaviour.kind === "records" ? behaviour.records : []
    const fitting = records.filter((record) => types[record.type] === type || record.type === "CNAME")
    const answer = message(query, end, responseCodes[kind], fitting)
    const isTooLong = transport === "udp" && answer.length > maxUdpBytes
    return isTooLong ? message(query, end, responseCodes[kind], [], true) : answer
  }
}

/** The first question of a query; `end` is where it ends. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length !== 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function nameOfType(number: number): string {
  return Object.entries(types).find(([, value]) => value === number)?.[0] ?? String(number)
}

/** Source: RFC 1035, 4.1. */
function message(
  query: Buffer,
  questionEnd: number,
  responseCode: number,
  records: readonly Record[],
  isTruncated = false,
): Buffer {
  const flags = 0x8180 | (isTruncated ? 0x0200 : 0) | responseCode // an answer, recursion desired and available
  const head = [query.subarray(0, 2), u16(flags), u16(1), u16(records.length), u16(0), u16(0)]
  return Buffer.concat([...head, query.subarray(12, questionEnd), ...records.map(encoded)])
}

function encoded({ name, type, data, ttl }: Record): Buffer {
  const owner = name === undefined ? u16(0xc00c) : encodedName(name) // a pointer to the question's name
  const bytes = type === "CNAME" ? encodedName(data) : encodedAddress(data)
  return Buffer.concat([
    owner,
    u16(types[type]),
    u16(1),
    u16(ttl >>> 16),
    u16(ttl & 0xffff),
    u16(bytes.length),
    bytes,
  ])
}

function encodedName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label, "latin1")]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function encodedAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number))
  const [before = "", after] = new SocketAddress({ address, family: "ipv6" }).address.split("::")
  const groups = (text: string) => text.split(":").filter((group) => group !== "")
  const [front, back] = [groups(before), groups(after ?? "")]
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0")
  return Buffer.concat([...front, ...zeros, ...back].map((group) => u16(Number.parseInt(group, 16))))
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
