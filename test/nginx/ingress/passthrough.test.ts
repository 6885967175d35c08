// Connections that are handed on undecrypted by their server name; all others never notice.
import { readFileSync } from "node:fs"
import { connect as connectTls } from "node:tls"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { pem } from "../../../harness/certificates.ts"
import { clientHello, fragmented, paddedHello } from "../../../harness/hello.ts"
import { ask } from "../../../harness/http.ts"
import {
  Client,
  type Passing,
  type PassthroughOptions,
  passingConf,
  passthroughRecord,
  rawTarget,
  startPassing,
  type Target,
  tlsTarget,
} from "../../../harness/ingress/passthrough.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { withField } from "../../../wire/newer.ts"
import { handshake, proxyV1, proxyV2, tlsAgent } from "../../support/agents.ts"
import { tookAtLeast } from "../../support/clock.ts"

/** Subject of the certificate that a server name gets: `endpoint.test` is nginx's own. */
async function subject(port: number, servername: string): Promise<string | undefined> {
  const { certificate } = await handshake(port, { servername })
  return certificate.subject.CN as string | undefined
}

async function untilReceived(target: Target, bytes: Uint8Array): Promise<void> {
  await until("the target to have it all", () => target.received.some((all) => all.equals(bytes)))
}

const streamLog = ({ nginx }: Passing) => readFileSync(`${nginx.dir}/stream.log`, "utf8")

async function activeConnections({ nginx }: Passing): Promise<number> {
  const { body } = await nginx.control("GET", "/status")
  return Number(/Active connections: (\d+)/.exec(body)?.[1])
}

describe("one nginx", () => {
  let passing: Passing
  let raw: Target
  let tls: Target
  beforeAll(async () => {
    ;[passing, raw, tls] = await Promise.all([startPassing(), rawTarget("hello"), tlsTarget()])
    await passing.pass("raw.test", raw.address)
    await passing.pass("tls.test", tls.address)
  })
  afterAll(async () => {
    for (const each of [passing, raw, tls]) await each[Symbol.asyncDispose]()
  })

  test("the target's own certificate is seen, and nginx's for every other name", async () => {
    expect(await subject(passing.port, "tls.test")).toBe("target.test")
    expect(await subject(passing.port, "TLS.test")).toBe("target.test")
    for (const name of ["other.test", "sub.tls.test", "test", ""]) {
      expect(await subject(passing.port, name)).toBe("endpoint.test")
    }
  })

  test("the client's certificate and ALPN reach the target", async () => {
    const socket = connectTls({
      port: passing.port,
      servername: "tls.test",
      rejectUnauthorized: false,
      ALPNProtocols: ["h2", "own/1"],
      cert: pem("client.crt"),
      key: pem("client.key"),
    })
    const chunks = await socket.toArray()
    expect(Buffer.concat(chunks).toString()).toMatch(/^own\/1 client/)
  })

  test("others keep the client's address", async () => {
    const target = { port: passing.port, agent: tlsAgent("other.test") }
    expect((await ask(target, { host: "other.test" })).body).toBe("own 127.0.0.1")
  })

  test.each([
    ["in one piece", (hello: Buffer) => [hello]],
    ["one byte at a time", (hello: Buffer) => [...hello].map((byte) => Buffer.from([byte]))],
    ["in forty segments", (hello: Buffer) => cut(hello, Math.ceil(hello.length / 40))],
    ["in many records", (hello: Buffer) => cut(fragmented(hello, 7), 100)],
  ])("bytes go through as they came: %s", async (_, pieces) => {
    const sent = pieces(await clientHello("raw.test"))
    using client = new Client(passing.port)
    for (const piece of sent) {
      await client.send(piece)
      await new Promise(setImmediate)
    }
    await untilReceived(raw, Buffer.concat(sent))
    await until("the target's words", () => client.answer.toString().startsWith("hello"))
    const more = Buffer.from("anything at all")
    await client.send(more)
    await untilReceived(raw, Buffer.concat([...sent, more]))
  })

  test("what a client sends right behind its first message is not lost", async () => {
    const sent = Buffer.concat([await clientHello("raw.test"), Buffer.alloc(300_000, "early data")])
    using client = new Client(passing.port)
    await client.send(sent)
    await untilReceived(raw, sent)
  })

  test("a message beyond 16 KiB whose name comes early", async () => {
    const protocols = Array.from({ length: 90 }, (_, at) => `${at}`.padStart(200, "p"))
    const hello = await clientHello("raw.test", { ALPNProtocols: protocols })
    expect(hello.length).toBeGreaterThan(16_384)
    using client = new Client(passing.port)
    await client.send(hello)
    await untilReceived(raw, hello)
  })

  test.each([
    [15_900, true],
    [16_500, false],
  ])("a name behind %i other bytes: passed through %s", async (padding, isPassed) => {
    const before = raw.received.length
    const hello = paddedHello("raw.test", padding)
    using client = new Client(passing.port)
    await client.send(hello)
    if (isPassed) await untilReceived(raw, hello)
    else await until("nginx's own answer", () => client.answer.length > 0)
    expect(raw.received.length - before).toBe(isPassed ? 1 : 0)
  })

  test("a connection ends when either side ends it, after what was sent has gone through", async () => {
    const hello = await clientHello("raw.test")
    using client = new Client(passing.port)
    client.socket.end(hello)
    await client.closed
    await untilReceived(raw, hello)
  })

  test("a client that is silent is closed after the time for a head, and counts no more", async () => {
    await using hurried = await startPassing({ server: "client_header_timeout 2s;" })
    await hurried.pass("raw.test", raw.address)
    const before = await activeConnections(hurried)
    const hello = await clientHello("raw.test")
    using silent = new Client(hurried.port)
    using slow = new Client(hurried.port)
    await slow.send(hello.subarray(0, 40))
    await tookAtLeast(1500, () => Promise.all([silent.closed, slow.closed]))
    await until("nobody to count them", async () => (await activeConnections(hurried)) <= before)
    expect(hurried.nginx.errorLog()).toContain("client timed out while its ClientHello was awaited")
  })

  test("a target that is down: the connection is closed, and the log says why", async () => {
    await passing.pass("down.test", "127.0.0.1:1")
    using client = new Client(passing.port)
    await client.send(await clientHello("down.test"))
    await client.closed
    expect(client.answer.length).toBe(0)
    expect(passing.nginx.errorLog()).toContain("connect() failed (111: Connection refused)")
    await until("the access log", () => streamLog(passing).includes("127.0.0.1 502 127.0.0.1:"))
  })

  test("changes are in force for the next connection", async () => {
    await using other = await rawTarget("other")
    const answerer = async () => {
      using client = new Client(passing.port)
      await client.send(await clientHello("turns.test"))
      return await until("an answer", () => client.answer.toString("latin1") || false)
    }
    await passing.pass("turns.test", raw.address)
    expect([await answerer(), await answerer()]).toEqual(["hello", "hello"])
    await passing.pass("turns.test", other.address)
    expect([await answerer(), await answerer()]).toEqual(["other", "other"])
    await passing.pass("turns.test")
    expect(await subject(passing.port, "turns.test")).toBe("endpoint.test")
  })

  test("a record that cannot be read is nobody's, and the log says so", async () => {
    await passing.write("broken.test", Buffer.from([2, 0, 0, 0]))
    expect(await subject(passing.port, "broken.test")).toBe("endpoint.test")
    expect(passing.nginx.errorLog()).toContain(
      'Cannot read the record of passthrough "broken.test": its version 2 is unknown',
    )
  })

  test("a record with a critical field of a time to come is nobody's, one with another is used", async () => {
    const record = passthroughRecord(tls.address)
    await passing.write("newer.test", withField("passthrough", record, 1, 127, Buffer.from("newer")))
    expect(await subject(passing.port, "newer.test")).toBe("target.test")
    await passing.write("newer.test", withField("passthrough", record, 1, 255, Buffer.from("newer")))
    expect(await subject(passing.port, "newer.test")).toBe("endpoint.test")
  })

  test("a thousand at once", async () => {
    const hello = await clientHello("raw.test")
    const clients = Array.from({ length: 1000 }, () => new Client(passing.port))
    await Promise.all(clients.map((client) => client.send(hello)))
    await until("all answers", () => clients.every(({ answer }) => answer.toString().startsWith("hello")))
    for (const client of clients) client[Symbol.dispose]()
    await until("all to be gone", async () => (await activeConnections(passing)) < 100)
  })
})

function cut(bytes: Buffer, length: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += length) pieces.push(bytes.subarray(at, at + length))
  return pieces
}

describe("what is no passthrough's is answered as without the directive", () => {
  let passing: Passing
  let plain: Passing
  beforeAll(async () => {
    ;[passing, plain] = await Promise.all([startPassing(), startPassing({ isOff: true })])
    await passing.pass("db.test", "127.0.0.1:1")
  })
  afterAll(async () => {
    for (const each of [passing, plain]) await each[Symbol.asyncDispose]()
  })

  const broken = async () => {
    const hello = await clientHello("db.test")
    return {
      "plain HTTP": Buffer.from("GET / HTTP/1.1\r\nHost: db.test\r\n\r\n"),
      garbage: Buffer.alloc(300, 0xaa),
      "garbage that looks like TLS": Buffer.concat([Buffer.from([22, 3, 1, 2, 0]), Buffer.alloc(512, 0xaa)]),
      "a hello that is cut off": hello.subarray(0, 100),
      nothing: Buffer.alloc(0),
      "an alert": Buffer.from([21, 3, 1, 0, 2, 1, 0]),
      "a hello of SSL 2.0": Buffer.from("802e0100020015000000100100800200800300800600400400800700c0", "hex"),
    }
  }

  test("garbage, plain HTTP, and clients that give up", async () => {
    for (const [what, bytes] of Object.entries(await broken())) {
      const answers: string[] = []
      for (const { port } of [passing, plain]) {
        using client = new Client(port)
        client.socket.end(bytes)
        await client.closed
        answers.push(client.answer.toString("latin1").replace(/^Date:.*$/m, ""))
      }
      expect([what, answers[0]]).toEqual([what, answers[1]])
    }
  })
})

describe.each<[string, PassthroughOptions]>([
  ["a socket for each of three workers", { listen: "reuseport", workers: 3 }],
  ["deferred accept", { listen: "deferred" }],
  ["HTTP/2", { listen: "http2" }],
])("%s", (_, options) => {
  test("passes through, and serves", async () => {
    await using target = await tlsTarget()
    await using passing = await startPassing(options)
    await passing.pass("tls.test", target.address)
    for (let at = 0; at < 12; at += 1) {
      expect(await subject(passing.port, "tls.test")).toBe("target.test")
      expect(await subject(passing.port, "other.test")).toBe("endpoint.test")
    }
  })
})

test("IPv6, on both sides", async () => {
  await using target = await rawTarget("six", "::1")
  await using passing = await startPassing({ other: (port) => `listen [::1]:${port} ssl;` })
  await passing.pass("six.test", target.address)
  using client = new Client(passing.nginx.site.ports[1] ?? 0, "::1")
  await client.send(await clientHello("six.test"))
  await until("the target's words", () => client.answer.toString().startsWith("six"))
  client.socket.end()
  await until("the access log", () => /^::1 200 ::1:\d+ to \[::1\]:\d+$/m.test(streamLog(passing)))
})

describe("behind PROXY protocol", () => {
  let passing: Passing
  let raw: Target
  beforeAll(async () => {
    raw = await rawTarget("hello")
    passing = await startPassing({ listen: "proxy_protocol", stream: "set_real_ip_from 127.0.0.1;" })
    await passing.pass("raw.test", raw.address)
  })
  afterAll(async () => {
    for (const each of [passing, raw]) await each[Symbol.asyncDispose]()
  })

  test.each([
    ["1", Buffer.from(proxyV1("198.51.100.7", 443))],
    ["2", proxyV2("198.51.100.7", 443)],
  ])("version %s: the header is taken off, and says who the client is", async (_, header) => {
    const hello = await clientHello("raw.test")
    const bytewise = cut(Buffer.concat([header, hello]), 1)
    const from = raw.received.length
    for (const pieces of [[Buffer.concat([header, hello])], [header, hello], bytewise]) {
      using client = new Client(passing.port)
      for (const piece of pieces) {
        await client.send(piece)
        await new Promise(setImmediate)
      }
      await until("the target's words", () => client.answer.toString().startsWith("hello"))
      await until("the target to have it all", () => raw.received.at(-1)?.equals(hello))
    }
    expect(raw.received.slice(from).map((all) => all.equals(hello))).toEqual([true, true, true])
    await until("the access log", () => streamLog(passing).includes("198.51.100.7 200 198.51.100.7:4711 to"))
  })

  test("others are nginx's, header and all", async () => {
    const hello = await clientHello("other.test")
    using client = new Client(passing.port)
    await client.send(Buffer.concat([Buffer.from(proxyV1("198.51.100.7", 443)), hello]))
    await until("nginx's ServerHello", () => client.answer[0] === 22)
  })

  test("a header that does not come in time", async () => {
    await using hurried = await startPassing({
      listen: "proxy_protocol",
      parameters: "proxy_protocol_timeout=500ms",
    })
    await hurried.pass("raw.test", raw.address)
    using client = new Client(hurried.port)
    await client.send("PROXY TCP4")
    await client.closed
    expect(hurried.nginx.errorLog()).toContain("client timed out while its PROXY header was awaited")
  })

  test("a header that is none is nginx's to refuse", async () => {
    using client = new Client(passing.port)
    await client.send(await clientHello("raw.test"))
    await client.closed
    expect(passing.nginx.errorLog()).toContain("broken header")
  })
})

test("connections outlive a reload, and old workers end with them", async () => {
  await using target = await rawTarget("hello")
  await using passing = await startPassing({ workers: 2 })
  await passing.pass("raw.test", target.address)
  const hello = await clientHello("raw.test")
  using client = new Client(passing.port)
  using late = new Client(passing.port)
  await client.send(hello)
  await late.send(hello.subarray(0, 50))
  await until("the target's words", () => client.answer.toString().startsWith("hello"))
  const old = passing.nginx.workers()
  await passing.nginx.reload()
  await client.send("still there")
  await untilReceived(target, Buffer.concat([hello, Buffer.from("still there")]))
  await late.send(hello.subarray(50))
  await until("the old worker to hand on what it had begun", () => late.answer.toString().startsWith("hello"))
  expect(await subject(passing.port, "other.test")).toBe("endpoint.test")
  client.socket.end()
  late.socket.end()
  await until("the old workers to end", () => old.every((pid) => !isAlive(pid)))
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test("without any passthrough nothing is looked at, and the first one counts at once", async () => {
  await using target = await tlsTarget()
  await using passing = await startPassing({ workers: 2 })
  expect(await subject(passing.port, "tls.test")).toBe("endpoint.test")
  await passing.pass("tls.test", target.address)
  expect(await subject(passing.port, "tls.test")).toBe("target.test")
  await passing.pass("tls.test")
  expect(await subject(passing.port, "tls.test")).toBe("endpoint.test")
})

describe("configurations that cannot work are refused", () => {
  const refusal = async (edit: (http: string, main: string) => { http: string; main: string }) => {
    const writer = await zoneWriter()
    const { ok, output } = await checkConf(
      (site) => {
        const conf = passingConf(site, writer, {})
        if (typeof conf === "string") return conf
        return { ...conf, ...edit(conf.http, conf.main ?? "") }
      },
      { ports: 2 },
    )
    return ok ? "taken" : output
  }

  test.each<[string, (http: string, main: string) => { http: string; main: string }, string]>([
    ["as it is", (http, main) => ({ http, main }), "taken"],
    [
      "no stream listener",
      (http, main) => ({ http: http.replace("passthrough.sock ", "other.sock "), main }),
      '"ingress_passthrough" cannot work: there is no server that listens on "unix:',
    ],
    [
      "no TLS",
      (http, main) => ({ http: http.replace(" ssl ", " "), main }),
      'its server block is the default one of no address with "ssl"',
    ],
    [
      "no zone",
      (http, main) => ({
        http: http.replace("ingress_passthrough passthroughs", "ingress_passthrough others"),
        main,
      }),
      '"ingress_passthrough" uses the zone "others", which no "shm_kv" in "wasm" declares',
    ],
    [
      "an address that is no socket",
      (http, main) => ({ http: http.replace(/passthroughs unix:\S+/, "passthroughs 127.0.0.1:1"), main }),
      "hands connections to a listener at unix:PATH",
    ],
    [
      "a time that is none",
      (http, main) => ({
        http: http.replace("passthrough.sock ", "passthrough.sock proxy_protocol_timeout=soon"),
        main,
      }),
      "takes a proxy_protocol_timeout=",
    ],
    [
      "twice",
      (http, main) => ({ http: http.replace(/(ingress_passthrough [^;]+;)/, "$1 $1"), main }),
      "is duplicate",
    ],
  ])("%s", async (_, edit, expected) => {
    expect(await refusal(edit)).toContain(expected)
  })
})
