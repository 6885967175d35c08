// The addresses that ports of TCP and UDP services are listened on, IPv6 among them.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client, rawTarget, type Target } from "../../../harness/ingress/passthrough.ts"
import { type Json, serviceOn, settings } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { UdpClient, UdpTarget } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let target: Target
let dns: UdpTarget
let port: number
beforeAll(async () => {
  const flags = ["--tcp-services-configmap=demo/tcp", "--udp-services-configmap=demo/udp"]
  const started = await Promise.all([
    Site.start([], { flags }),
    rawTarget("served"),
    UdpTarget.start((text) => [`served ${text}`]),
    freePorts(1),
  ])
  ;[site, target, dns, [port = 0]] = started
})
afterAll(async () => {
  await Promise.all([target[Symbol.asyncDispose](), dns[Symbol.asyncDispose]()])
  await site[Symbol.asyncDispose]()
})

const portOf = (address: string) => Number(address.split(":").at(-1))

function entries(): readonly Json[] {
  const udpService = serviceOn("demo/dns", [portOf(dns.address)]).map((object) =>
    JSON.parse(JSON.stringify(object).replaceAll('"protocol":"TCP"', '"protocol":"UDP"')),
  )
  return [
    settings("demo/tcp", { [port]: "demo/db:80" }),
    settings("demo/udp", { [port]: "demo/dns:80" }),
    ...serviceOn("demo/db", [portOf(target.address)]),
    ...udpService,
  ]
}

/** Whether a connection to an address is answered. */
async function answersTcp(host: string): Promise<boolean> {
  using client = new Client(port, host)
  await client.send("?")
  await Promise.race([client.closed, until("an answer", () => client.answer.length > 0)])
  return client.answer.toString() === "served"
}

async function untilAnswersUdp(host: string): Promise<void> {
  using client = new UdpClient(port, host)
  await until(`an answer of ${host}`, async () => {
    await client.send("?")
    return client.answers.includes("served ?")
  })
}

test("all addresses of both families are listened on, or those of bind-address alone", async () => {
  await site.put(...entries())
  for (const host of ["127.0.0.1", "127.0.0.2", "::1"]) {
    await until(`TCP at ${host}`, () => answersTcp(host))
    await untilAnswersUdp(host)
  }

  await site.reconfigure({ "bind-address": "127.0.0.1, ::1" })
  await until("TCP at 127.0.0.2 to end", async () => !(await answersTcp("127.0.0.2")))
  for (const host of ["127.0.0.1", "::1"]) {
    expect(await answersTcp(host)).toBe(true)
    await untilAnswersUdp(host)
  }
  using other = new UdpClient(port, "127.0.0.2")
  // Whatever would answer it has answered by the time that others, sent to later, have.
  await other.send("?")
  await untilAnswersUdp("127.0.0.1")
  expect(other.answers).toEqual([])
})

test("without IPv6 there is no listener of that family", async () => {
  await site.reconfigure({ "disable-ipv6": "true" })
  await until("TCP at ::1 to end", async () => !(await answersTcp("::1")))
  expect(await answersTcp("127.0.0.2")).toBe(true)
  await untilAnswersUdp("127.0.0.2")
})
