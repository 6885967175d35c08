// TCP and UDP services: from the ConfigMaps to what clients of their ports get.
import { createServer } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { clientHello } from "../../../harness/hello.ts"
import { Client, rawTarget, type Target } from "../../../harness/ingress/passthrough.ts"
import { type Json, serviceOn, settings } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { isRunning, signal } from "../../../harness/processes.ts"
import { answerOf, UdpClient, UdpTarget } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let first: Target
let second: Target
/** They are free for all that this file does. */
let ports: readonly number[]
beforeAll(async () => {
  const flags = ["--tcp-services-configmap=demo/tcp", "--udp-services-configmap=demo/udp"]
  ;[site, first, second, ports] = await Promise.all([
    Site.start([], { flags }),
    rawTarget("first"),
    rawTarget("second"),
    freePorts(4),
  ])
})
afterAll(async () => {
  await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
  await site[Symbol.asyncDispose]()
})

const portOf = ({ address }: { readonly address: string }) => Number(address.split(":").at(-1))
const tcp = (data: Readonly<Record<string, string>>) => settings("demo/tcp", data)
const udp = (data: Readonly<Record<string, string>>) => settings("demo/udp", data)
const database = (...targets: readonly Target[]) => serviceOn("demo/db", targets.map(portOf))

/** The `at`th port of these tests. */
function port(at: number): number {
  const found = ports[at]
  if (found === undefined) throw new Error(`There is no port ${at}`)
  return found
}

function dns(target: UdpTarget): readonly Json[] {
  return serviceOn("demo/dns", [portOf(target)]).map((object) =>
    JSON.parse(JSON.stringify(object).replaceAll('"protocol":"TCP"', '"protocol":"UDP"')),
  )
}

/** How many reloads there were, with that which brought what is served: it is counted a moment later. */
async function reloads(): Promise<number> {
  await until("the configuration in force to be counted", async () => {
    const checksum = Number(/checksum: (\d+)$/m.exec(site.wick.conf())?.[1])
    return (await site.wick.metric("nginx_ingress_controller_config_hash")) === checksum
  })
  return site.wick.metric("nginx_ingress_controller_success")
}

/** Who answers a new connection, each piece of it; "" when it is closed or refused. */
async function answer(at: number, sent: string | Uint8Array = "?"): Promise<string> {
  using client = new Client(at)
  await client.send(sent)
  await Promise.race([client.closed, until("an answer", () => client.answer.length > 0)])
  return /^(first|second)?/.exec(client.answer.toString())?.[0] ?? ""
}

/** A connection that has been answered: those before may count a moment longer. */
async function sessionAt(at: number): Promise<Client> {
  let client = new Client(at)
  await until(`a session at port ${at}`, async () => {
    client[Symbol.dispose]()
    client = new Client(at)
    await client.send("?")
    await Promise.race([client.closed, until("an answer", () => client.answer.length > 0)])
    return client.answer.length > 0
  })
  return client
}

async function untilAnswered(at: number, by: string): Promise<void> {
  await until(`${by} to answer at port ${at}`, async () => (await answer(at)) === by)
}

test("382: a port is one reload, and endpoints come and go without one or cutting a session", async () => {
  const entries = tcp({ [port(0)]: "demo/db:80" })
  const before = await reloads()
  await site.put(entries, udp({}), ...database(first))
  await untilAnswered(port(0), "first")
  expect(await reloads()).toBe(before + 1)

  using session = new Client(port(0))
  expect(await answerOf(session)).toBe("first")
  await site.put(entries, udp({}), ...database(second))
  await untilAnswered(port(0), "second")
  expect(await answerOf(session)).toBe("first")
  expect(await reloads()).toBe(before + 1)
})

test("386: the port of a Service without endpoints stays, and closes connections", async () => {
  const before = await reloads()
  const entries = tcp({ [port(0)]: "demo/db:80" })
  await site.put(entries, udp({}), ...database())
  await site.untilProblem("stream-without-endpoint")
  await untilAnswered(port(0), "")
  await site.put(entries, udp({}), ...database(first))
  await untilAnswered(port(0), "first")
  expect(await reloads()).toBe(before)
})

test("387: PROXY protocol from clients and to the Service are data", async () => {
  const before = await reloads()
  await site.put(tcp({ [port(0)]: "demo/db:80:PROXY:PROXY" }), udp({}), ...database(first))
  const header = "PROXY TCP4 192.0.2.7 192.0.2.8 1234 5678\r\n"
  await until("a header to be expected", async () => (await answer(port(0), `${header}expected`)) === "first")
  await until("a header to be sent", () => first.received.some((it) => it.includes("\r\nexpected")))
  const seen = first.received.map(String).find((it) => it.endsWith("\r\nexpected"))
  expect(seen).toMatch(/^PROXY TCP4 127\.0\.0\.1 127\.0\.0\.1 \d+ \d+\r\nexpected$/)
  expect(await answer(port(0), "GET / HTTP/1.0\r\n\r\n")).toBe("")

  await site.put(tcp({ [port(0)]: "demo/db:80" }), udp({}), ...database(first))
  await until("no header to be expected", async () => (await answer(port(0), "plain")) === "first")
  expect(first.received.map(String)).toContain("plain")
  expect(await reloads()).toBe(before)
})

test("an entry as JSON: PROXY protocol of version 2, and who may come, are data", async () => {
  const before = await reloads()
  const entry = (more: object) =>
    tcp({ [port(0)]: JSON.stringify({ service: "demo/db:80", loadBalance: "least_conn", ...more }) })
  await site.put(entry({ proxyProtocol: { send: "v2" } }), udp({}), ...database(first))
  const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex")
  await until("a header of version 2", async () => {
    expect(await answer(port(0), "version 2")).toBe("first")
    return first.received.some((it) => it.indexOf(signature) === 0 && it.includes("version 2"))
  })
  await site.put(entry({ deny: ["127.0.0.0/8"] }), udp({}), ...database(first))
  await untilAnswered(port(0), "")
  await site.put(entry({ allow: ["127.0.0.1"], connections: 1 }), udp({}), ...database(first))
  await untilAnswered(port(0), "first")
  using session = await sessionAt(port(0))
  expect(await answer(port(0))).toBe("")
  expect(await answerOf(session)).toBe("first")
  await site.put(tcp({ [port(0)]: "demo/db:80" }), udp({}), ...database(first))
  await untilAnswered(port(0), "first")
  expect(await reloads()).toBe(before)
})

test("several Services on one port, by the server name that clients ask for", async () => {
  const entry = (more: object) =>
    tcp({ [port(0)]: JSON.stringify({ names: { "two.test": "demo/two:80" }, ...more }) })
  const both = [...database(first), ...serviceOn("demo/two", [portOf(second)])]
  const [one, two] = await Promise.all([clientHello("one.test"), clientHello("two.test")])
  await site.put(entry({}), udp({}), ...both)
  await until("the name to be served", async () => (await answer(port(0), two)) === "second")
  expect(await answer(port(0), one)).toBe("")
  await site.put(entry({ service: "demo/db:80" }), udp({}), ...both)
  await until("all others to be served", async () => (await answer(port(0), one)) === "first")
  expect(await answer(port(0), two)).toBe("second")
})

test("sessions are counted by port, refusals by cause, and which Services a port leads to is told", async () => {
  const entry = (more: object) => tcp({ [port(0)]: JSON.stringify({ service: "demo/db:80", ...more }) })
  const names = { names: { "two.test": "demo/two:80" } }
  const both = [...database(first), ...serviceOn("demo/two", [portOf(second)])]
  const label = `port="${port(0)}"`
  const counted = (what: string) => site.wick.metric(`wick_stream_${what}_total`, label)
  const refused = () => site.wick.metric("wick_stream_sessions_refused_total", `${label},cause="denied"`)

  await site.put(entry({}), udp({}), ...database(first))
  await untilAnswered(port(0), "first")
  await site.put(entry({ deny: ["127.0.0.0/8"] }), udp({}), ...database(first))
  await untilAnswered(port(0), "")
  const [before, denied] = [await counted("sessions"), await refused()]
  expect(await answer(port(0))).toBe("")
  await until("the refusal to be counted", async () => (await refused()) === denied + 1)
  expect(await counted("sessions")).toBe(before + 1)

  await site.put(entry(names), udp({}), ...both)
  await untilAnswered(port(0), "first")
  const received = await counted("received_bytes")
  expect(await answer(port(0), "x".repeat(1000))).toBe("first")
  await until("bytes to be counted", async () => (await counted("received_bytes")) >= received + 1000)
  expect(await counted("connects")).toBeGreaterThan(0)
  const info = (name: string, service: string) =>
    site.wick.metric(
      "wick_stream_info",
      `service="${service}",backend="tcp:demo/${service}:80",address="",${label},server_name="${name}"`,
    )
  expect([await info("_", "db"), await info("two.test", "two"), await info("", "db")]).toEqual([1, 1, 0])
})

test("384: a Service of type ExternalName", async () => {
  const spec = {
    type: "ExternalName",
    externalName: "127.0.0.1",
    ports: [{ port: 80, targetPort: portOf(second) }],
  }
  const outside = { apiVersion: "v1", kind: "Service", metadata: { namespace: "demo", name: "db" }, spec }
  await site.put(tcp({ [port(0)]: "demo/db:80" }), udp({}), outside)
  await untilAnswered(port(0), "second")
})

test("wrong entries leave all others alone", async () => {
  const wrong = {
    abc: "demo/db:80",
    70000: "demo/db:80",
    [site.wick.port]: "demo/db:80",
    [port(1)]: "demo/db",
  }
  await site.put(tcp({ [port(0)]: "demo/db:80", ...wrong }), udp({}), ...database(second))
  await untilAnswered(port(0), "second")
  await site.untilProblem("stream-refused")
  await site.untilSaid(`port ${site.wick.port} is that of --http-port`)
})

test("a port that another program has is left out until it is free", async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port(2), "127.0.0.1", resolve))
  const entries = tcp({ [port(0)]: "demo/db:80", [port(2)]: "demo/db:80", [port(3)]: "demo/db:80" })
  await site.put(entries, udp({}), ...database(first))
  await untilAnswered(port(3), "first")
  await untilAnswered(port(0), "first")
  await site.untilSaid(`Cannot listen on TCP port ${port(2)}`)
  await new Promise((resolve) => other.close(resolve))
  await untilAnswered(port(2), "first")
})

test("a controller that begins anew finds its ports open, and cuts nothing", async () => {
  await site.put(tcp({ [port(0)]: "demo/db:80" }), udp({}), ...database(first))
  await untilAnswered(port(0), "first")
  await reloads()
  using session = new Client(port(0))
  expect(await answerOf(session)).toBe("first")
  const { nginxPid } = site.wick
  await site.wick.kill()
  await site.wick.start()
  await site.put(tcp({ [port(0)]: "demo/db:80" }), udp({}), ...database(second))
  await untilAnswered(port(0), "second")
  expect(site.wick.nginxPid).toBe(nginxPid)
  expect(await answerOf(session)).toBe("first")
  expect(site.wick.log()).not.toContain(`Cannot listen on TCP port ${port(0)}`)
})

test("an nginx that died is started with its ports", async () => {
  const before = site.wick.nginxPid
  const orphans = site.wick.workers()
  signal(before ?? 0, "SIGKILL")
  await until("another nginx", () => ![before, undefined].includes(site.wick.nginxPid))
  await untilAnswered(port(0), "second")
  // Connections that wait at their sockets are reset when they close them.
  await until("the orphans to end", () => !orphans.some(isRunning))
  expect(site.wick.log()).not.toContain(`Cannot listen on TCP port ${port(0)}`)
})

test("389: UDP, with as many answers as the ConfigMap says, changed without a reload", async () => {
  await using target = await UdpTarget.start((text) => [`${text} 1`, `${text} 2`])
  await site.put(tcp({}), udp({ [port(0)]: "demo/dns:80" }), ...dns(target))
  using client = new UdpClient(port(0))
  await until("an answer", async () => {
    await client.send("hello")
    return client.answers.includes("hello 1")
  })
  const before = await reloads()
  site.configure({ "proxy-stream-responses": "2", "proxy-stream-timeout": "30s" })
  await until("both answers", async () => {
    using other = new UdpClient(port(0))
    await other.send("again")
    await until("an answer", () => other.answers.length > 0)
    return other.answers.includes("again 2")
  })
  expect(await reloads()).toBe(before)
})
