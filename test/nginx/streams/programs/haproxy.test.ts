// PROXY protocol of both versions between HAProxy and wick, either way: the endpoint learns who the client is.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client, rawTarget, type Target } from "../../../../harness/ingress/passthrough.ts"
import { freePorts } from "../../../../harness/ports.ts"
import { answerOf } from "../../../../harness/streams.ts"
import { until } from "../../../../harness/until.ts"
import { Program, packaged } from "./program.ts"
import { listens, Served } from "./served.ts"

let served: Served
beforeAll(async () => {
  const sends = (send: "v1" | "v2") => (service: string) => ({ service, proxyProtocol: { send } })
  const entries = {
    behind: { suffix: ":PROXY:PROXY" },
    "before-v1": { json: sends("v1") },
    "before-v2": { json: sends("v2") },
  }
  const believed = { "enable-real-ip": "true", "proxy-real-ip-cidr": "127.0.0.0/8" }
  served = await Served.start(entries, believed)
})
afterAll(() => served[Symbol.asyncDispose]())

async function startHaproxy(name: string, ...sections: readonly string[]): Promise<Program> {
  const file = join(served.dir, `${name}.cfg`)
  const [port = 0] = await freePorts(1)
  const defaults = [
    "defaults",
    "  mode tcp",
    "  timeout connect 10s",
    "  timeout client 1m",
    "  timeout server 1m",
  ]
  const ready = [
    "frontend ready",
    "  mode http",
    `  bind 127.0.0.1:${port}`,
    "  http-request return status 200",
  ]
  writeFileSync(file, `${[...defaults, ...ready, ...sections].join("\n")}\n`)
  return Program.start({
    program: packaged("sbin/haproxy"),
    args: ["-db", "-f", file],
    isReady: () => listens(port),
  })
}

/** A frontend and the one server behind it. */
const pair = (name: string, bind: string, server: string) => [
  `listen ${name}`,
  `  bind 127.0.0.1:${bind}`,
  `  server one 127.0.0.1:${server}`,
]

/** Who the target is told the client is, in the header of version 1. */
async function told(target: Target, text: string): Promise<string | undefined> {
  const line = () => target.received.map(String).find((received) => received.includes(text))
  await until(`${text} at the target`, () => line() !== undefined)
  return /^PROXY TCP4 (\S+) \S+ (\d+) \d+\r\n/
    .exec(line() ?? "")
    ?.slice(1)
    .join(":")
}

async function addressOf(client: Client): Promise<string> {
  await until("the connection", () => client.socket.readyState === "open")
  const { localAddress, localPort } = client.socket
  return `${localAddress}:${localPort}`
}

test("HAProxy in front: its headers of version 1 and 2 are believed, and handed on", async () => {
  const { port, own } = served.place("behind")
  await using target = await rawTarget("target", "127.0.0.1", own)
  const [v1 = 0, v2 = 0] = await freePorts(2)
  const front = [
    ...pair("v1", `${v1}`, `${port} send-proxy`),
    ...pair("v2", `${v2}`, `${port} send-proxy-v2`),
  ]
  await using _ = await startHaproxy("front", ...front)
  for (const [version, at] of [
    ["v1", v1],
    ["v2", v2],
  ] as const) {
    using client = new Client(at)
    expect(await answerOf(client, `by ${version}`)).toMatch(/^target/)
    expect(await told(target, `by ${version}`)).toBe(await addressOf(client))
  }
})

test("HAProxy behind: it accepts headers of version 1 and 2, and knows the client", async () => {
  await using target = await rawTarget("target")
  const own = (name: string) => `${served.place(name).own} accept-proxy`
  const to = `${target.address.split(":").at(-1)} send-proxy`
  await using _ = await startHaproxy(
    "back",
    ...["before-v1", "before-v2"].flatMap((name) => pair(name, own(name), to)),
  )
  for (const name of ["before-v1", "before-v2"]) {
    using client = new Client(served.place(name).port)
    expect(await answerOf(client, `by ${name}`)).toMatch(/^target/)
    expect(await told(target, `by ${name}`)).toBe(await addressOf(client))
  }
})
