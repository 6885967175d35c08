// Mosquitto with its own clients and with many that stay, an SMTP server that is told by PROXY protocol who sends, syslog over UDP.
import { readFileSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { connect as connectTls } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { secret } from "../../../../harness/manifests.ts"
import { type Authority, rootAuthority } from "../../../../harness/pki.ts"
import { until } from "../../../../harness/until.ts"
import { Program, packaged, run } from "./program.ts"
import { type Entry, listens, Served } from "./served.ts"

let served: Served
let authority: Authority
beforeAll(async () => {
  authority = await rootAuthority()
  const own = await authority.issue({ names: ["localhost"] })
  const entries: Readonly<Record<string, Entry>> = {
    mqtt: {},
    // The same broker without TLS, which ends at wick.
    "mqtt-ended": { json: (service) => ({ service, tls: { secret: "demo/mqtt-tls" } }) },
    "mqtt-tls": { json: (service) => ({ names: { localhost: service } }) },
    smtp: { suffix: "::PROXY" },
    syslog: { protocol: "udp" },
  }
  served = await Served.start(entries, {}, [secret("demo/mqtt-tls", own.tlsData())])
})
afterAll(() => served[Symbol.asyncDispose]())

function write(name: string, ...lines: readonly string[]): string {
  const file = join(served.dir, name)
  writeFileSync(file, `${lines.join("\n")}\n`)
  return file
}

async function startMosquitto(): Promise<Program> {
  const own = await authority.issue({ names: ["localhost"] })
  const conf = write(
    "mosquitto.conf",
    "allow_anonymous true",
    "user root",
    `listener ${served.place("mqtt").own} 127.0.0.1`,
    `listener ${served.place("mqtt-ended").own} 127.0.0.1`,
    `listener ${served.place("mqtt-tls").own} 127.0.0.1`,
    `certfile ${write("mqtt.crt", own.chainPem)}`,
    `keyfile ${write("mqtt.key", own.keyPem)}`,
  )
  write("ca.crt", authority.pem)
  const isReady = () => listens(served.place("mqtt-tls").own)
  return Program.start({ program: packaged("sbin/mosquitto"), args: ["-c", conf], isReady })
}

/** A client that stays: MQTT 3.1.1, CONNECT with a clean session, then SUBSCRIBE. */
async function subscribed(socket: Socket, id: string, topic: string): Promise<Subscriber> {
  const chunks: Buffer[] = []
  socket.on("error", () => {}).on("data", (chunk: Buffer) => chunks.push(chunk))
  const hasHeard = (bytes: Buffer | string) => Buffer.concat(chunks).includes(bytes)
  const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)])
  const packet = (type: number, ...parts: readonly Buffer[]) => {
    const body = Buffer.concat(parts)
    return Buffer.concat([Buffer.from([type, body.length]), body])
  }
  const hello = packet(0x10, text("MQTT"), Buffer.from([4, 2, 0, 0]), text(id))
  socket.write(Buffer.concat([hello, packet(0x82, Buffer.from([0, 1]), text(topic), Buffer.from([0]))]))
  // CONNACK and SUBACK
  await until(`${id} to be taken`, () => hasHeard(Buffer.from([0x90, 3, 0, 1, 0])))
  return { hasHeard, close: () => void socket.destroy() }
}

interface Subscriber {
  hasHeard(bytes: Buffer | string): boolean
  close(): void
}

test("Mosquitto: a thousand clients that stay all get a message, half of them by TLS that ends here, and TLS passes through by server name, or ends here", async () => {
  await using _ = await startMosquitto()
  const { port } = served.place("mqtt")
  const host = "127.0.0.1"
  const plain = () => connect({ port, host })
  const { port: tlsPort } = served.place("mqtt-ended")
  const overTls = () => connectTls({ port: tlsPort, host, servername: "localhost", ca: authority.pem })
  const all = [plain, overTls].flatMap((open) => Array.from({ length: 500 }, () => open))
  const clients = await Promise.all(all.map((open, at) => subscribed(open(), `client-${at}`, "news")))
  await run(packaged("bin/mosquitto_pub"), [
    "-h",
    "127.0.0.1",
    "-p",
    String(port),
    "-t",
    "news",
    "-m",
    "to all",
  ])
  await until("the message at all", () => clients.every((client) => client.hasHeard("newsto all")))
  for (const client of clients) client.close()

  for (const name of ["mqtt-tls", "mqtt-ended"]) {
    const ca = ["--cafile", join(served.dir, "ca.crt")]
    const tls = ["-h", "localhost", "-p", String(served.place(name).port), ...ca]
    await run(packaged("bin/mosquitto_pub"), [...tls, "-t", name, "-m", "by TLS", "-r"])
    expect(await run(packaged("bin/mosquitto_sub"), [...tls, "-t", name, "-C", "1"])).toBe("by TLS\n")
  }
})

const smtpServer = `
import asyncio, sys
from aiosmtpd.controller import Controller
class Handler:
    async def handle_PROXY(self, server, session, envelope, data):
        session.client = f"{data.src_addr}:{data.src_port} v{data.version}"
        return True
    async def handle_DATA(self, server, session, envelope):
        print(session.client, envelope.mail_from, envelope.content.decode(), flush=True)
        return "250 OK"
controller = Controller(Handler(), hostname="127.0.0.1", port=int(sys.argv[1]), proxy_protocol_timeout=120)
controller._trigger_server = lambda: None
controller.start()
asyncio.new_event_loop().run_forever()
`

const smtpClient = `
import smtplib, sys
client = smtplib.SMTP("127.0.0.1", int(sys.argv[1]))
print(client.sock.getsockname()[1])
client.sendmail("a@sender.test", ["b@receiver.test"], "Subject: Hello\\n\\nIt works")
client.quit()
`

test("SMTP: the server learns by PROXY protocol who sends", async () => {
  const { port, own } = served.place("smtp")
  await using server = await Program.start({
    program: "python3",
    args: ["-c", smtpServer, String(own)],
    isReady: () => listens(own),
  })
  const from = (await run("python3", ["-c", smtpClient, String(port)])).trim()
  await until("the mail", () => server.said.includes("It works"))
  expect(server.said).toContain(`127.0.0.1:${from} v1 a@sender.test Subject: Hello`)
})

test("syslog over UDP: every datagram arrives, whole, of many senders", async () => {
  const { port, own } = served.place("syslog")
  const log = join(served.dir, "syslog.log")
  const conf = write(
    "rsyslog.conf",
    `module(load="imudp")`,
    `input(type="imudp" address="127.0.0.1" port="${own}")`,
    `template(name="line" type="string" string="%programname%: %msg%\\n")`,
    `*.* action(type="omfile" file="${log}" template="line")`,
  )
  const lines = () =>
    readFileSync(log, { encoding: "utf8", flag: "a+" })
      .split("\n")
      .filter((line) => line !== "")
  const logger = (to: number, text: string) =>
    run("logger", ["--server", "127.0.0.1", "--port", String(to), "--udp", "--tag", "test", text])
  await using _ = await Program.start({
    program: packaged("sbin/rsyslogd"),
    args: [
      "-n",
      "-f",
      conf,
      "-i",
      join(served.dir, "rsyslog.pid"),
      "-M",
      packaged("lib/*-linux-gnu*/rsyslog"),
    ],
    isReady: async () => {
      await logger(own, "ready")
      return lines().includes("test: ready")
    },
  })
  const long = "x".repeat(900)
  await Promise.all(Array.from({ length: 20 }, (_, at) => logger(port, `${at} ${long}`)))
  await until("all of them", () => lines().filter((line) => line.endsWith(long)).length === 20)
})
