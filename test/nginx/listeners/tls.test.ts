// Handshakes at listeners: whose certificates are shown, what clients have to show, and whose requests go over whose connections.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { placeAt, type TlsHost } from "../../../controller/model/certificate.ts"
import { type Listener, serverOf } from "../../../controller/model/listener.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { TlsClient, type TlsClientOptions } from "../../../harness/tls-client.ts"
import { authorityOf, certificateOf, ListenerSite } from "./listener-site.ts"

let site: ListenerSite
let ca: Authority
let client: Identity
let stranger: Identity
let first: Listener
let second: Listener
const certificates: ReturnType<typeof certificateOf>[] = []

beforeAll(async () => {
  site = await ListenerSite.start("main", "first", "second")
  const [port = 0] = site.free
  first = { scheme: "https", address: "127.0.1.1", port }
  second = { scheme: "https", address: "127.0.1.2", port }
  ca = await rootAuthority()
  client = await ca.issue({ cn: "client" })
  stranger = await (await rootAuthority()).issue({ cn: "stranger" })
  for (const cn of ["all", "one", "two"]) certificates.push(certificateOf(cn, await ca.issue({ cn })))
})
afterAll(() => site[Symbol.asyncDispose]())

const named = (
  on: Listener | undefined,
  host: string,
  certificate: string,
  more: Partial<TlsHost> = {},
): TlsHost => ({
  host: placeAt(on && serverOf(on), host),
  certificates: [certificate],
  ...more,
})

/** Whose certificate is shown, and what a request for each of the hosts is answered on the connection. */
async function met(on: Listener, options: TlsClientOptions, ...hosts: readonly string[]): Promise<string[]> {
  await using connection = await TlsClient.connect(on.port, { host: on.address ?? "127.0.0.1", ...options })
  const { CN } = connection.socket.getPeerCertificate().subject ?? {}
  const answers: string[] = []
  for (const host of hosts) {
    const { status, body } = await connection.ask({ host })
    answers.push(status === 200 ? body : String(status))
  }
  return [String(CN), ...answers]
}

const ports = () => [{ scheme: "https", port: first.port }] as const

test("a listener has the certificates of its own TLS hosts, where it has some", async () => {
  const hosts = [
    { on: first, host: "a.test", backend: "first" },
    { on: second, host: "a.test", backend: "second" },
  ]
  const tlsHosts = [
    named(undefined, "a.test", "all"),
    named(first, "_", "two"),
    named(first, "a.test", "one"),
    named(first, "**.b.test", "all"),
  ]
  await site.serve({ ports: ports(), hosts, live: { certificates, tlsHosts } })
  expect(await met(first, { servername: "a.test" }, "a.test")).toEqual(["one", "first"])
  expect(await met(first, { servername: "x.y.b.test" })).toEqual(["all"])
  expect(await met(first, { servername: "c.test" })).toEqual(["two"])
  expect(await met(first, {})).toEqual(["two"])
  expect(await met(second, { servername: "a.test" }, "a.test")).toEqual(["all", "second"])
  const moved = [named(undefined, "a.test", "all"), named(second, "_", "two")]
  await site.serve({ ports: ports(), hosts, live: { certificates, tlsHosts: moved } })
  expect(await met(first, { servername: "a.test" })).toEqual(["all"])
  expect(await met(second, { servername: "a.test" })).toEqual(["two"])
})

describe.each(["TLSv1.2", "TLSv1.3"] as const)("%s", (version) => {
  test("a handshake ends without the certificate that the listener requires, and another address asks for none", async () => {
    const authority = authorityOf("clients", ca)
    const required = {
      clientCertificate: { authority: authority.id, verify: "required", depth: 1 },
    } as const
    const asks = { authority: authority.id, verify: "required", namespace: "", ingressName: "" } as const
    const hosts = [
      { on: first, host: "a.test", backend: "first", more: { clientCertificate: asks } },
      { on: second, host: "a.test", backend: "second" },
    ]
    const tlsHosts = [
      named(first, "_", "one", required),
      named(first, "a.test", "one", required),
      named(second, "_", "two"),
    ]
    await site.serve({ ports: ports(), hosts, live: { certificates, authorities: [authority], tlsHosts } })
    const ask = (on: Listener, options: TlsClientOptions) =>
      met(on, { version, servername: "a.test", ...options }, "a.test").catch(() => "refused")
    expect(await ask(first, { identity: client })).toEqual(["one", "first"])
    expect(await ask(first, { identity: stranger })).toBe("refused")
    expect(await ask(first, {})).toBe("refused")
    expect(await ask(first, { servername: "c.test" })).toBe("refused")
    expect(await ask(second, {})).toEqual(["two", "second"])
  })

  test.each([
    "h1",
    "h2",
  ] as const)("who showed none is let in by neither another host's handshake nor one of before, over %s", async (protocol) => {
    const authority = authorityOf("clients", ca)
    const wants = (verify: "required" | "optional_no_ca") => ({ authority: authority.id, verify })
    const names = { namespace: "", ingressName: "" }
    const serve = (verify: "required" | "optional_no_ca") => {
      const own = { clientCertificate: { ...wants(verify), depth: 1 } }
      const lax = { clientCertificate: { ...wants("optional_no_ca"), depth: 1 } }
      return site.serve({
        ports: ports(),
        hosts: [
          {
            on: first,
            host: "a.test",
            backend: "first",
            more: { clientCertificate: { ...wants(verify), ...names } },
          },
          {
            on: first,
            host: "lax.test",
            backend: "second",
            more: { clientCertificate: { ...wants("optional_no_ca"), ...names } },
          },
        ],
        live: {
          ...{ certificates, authorities: [authority] },
          tlsHosts: [
            named(first, "_", "one"),
            named(first, "a.test", "one", own),
            named(first, "lax.test", "one", lax),
          ],
        },
      })
    }
    const connect = (servername: string, identity?: Identity) =>
      TlsClient.connect(first.port, {
        host: "127.0.1.1",
        version,
        protocol,
        servername,
        ...(identity && { identity }),
      })
    await serve("required")
    for (const [identity, status] of [
      [undefined, 421],
      [stranger, 421],
      [client, 200],
    ] as const) {
      await using other = await connect("lax.test", identity)
      expect((await other.ask({ host: "a.test" })).status).toBe(status)
    }
    await serve("optional_no_ca")
    await using before = await connect("a.test")
    expect((await before.ask({ host: "a.test" })).status).toBe(200)
    await serve("required")
    expect((await before.ask({ host: "a.test" })).status).toBe(421)
  })

  test("a session of a listener that asks for nothing opens none that asks", async () => {
    const authority = authorityOf("clients", ca)
    const verify = { authority: authority.id, verify: "required", depth: 1 } as const
    const hosts = [
      { on: first, host: "a.test", backend: "first" },
      { on: second, host: "a.test", backend: "second" },
    ]
    const tlsHosts = [
      named(first, "_", "one", { clientCertificate: verify }),
      named(first, "a.test", "one", { clientCertificate: verify }),
      named(second, "_", "two"),
      named(second, "a.test", "two"),
    ]
    await site.serve({ ports: ports(), hosts, live: { certificates, authorities: [authority], tlsHosts } })
    await using open = await TlsClient.connect(second.port, {
      host: "127.0.1.2",
      version,
      servername: "a.test",
    })
    expect((await open.ask({ host: "a.test" })).body).toBe("second")
    const session = await open.session()
    const resumed = met(first, { version, servername: "a.test", session }, "a.test")
    await expect(resumed).rejects.toThrow()
  })
})

test("a certificate that is asked for and not verified lets everybody in", async () => {
  const authority = authorityOf("clients", ca)
  const asked = {
    clientCertificate: { authority: authority.id, verify: "optional_no_ca", depth: 1 },
  } as const
  const hosts = [{ on: first, host: "a.test", backend: "first" }]
  const tlsHosts = [named(first, "_", "one", asked)]
  await site.serve({ ports: ports(), hosts, live: { certificates, authorities: [authority], tlsHosts } })
  for (const identity of [client, stranger, undefined])
    expect(await met(first, { servername: "a.test", identity }, "a.test")).toEqual(["one", "first"])
})

test("a request for another listener than its handshake was for is answered 421", async () => {
  const listener = (name: string) => ({ more: { listener: name } })
  const hosts = [
    { on: first, host: "_", ...listener("every") },
    { on: first, host: "a.test", backend: "main", ...listener("every") },
    { on: first, host: "second.test", backend: "second", ...listener("second") },
    { on: first, host: "**.wild.test", backend: "first", ...listener("wild") },
    { on: first, host: "fourth.wild.test", backend: "main", ...listener("fourth") },
  ]
  const tlsHosts = [
    named(first, "_", "one", { listener: "every" }),
    named(first, "second.test", "one", { listener: "second" }),
    named(first, "**.wild.test", "one", { listener: "wild" }),
    named(first, "fourth.wild.test", "one", { listener: "fourth" }),
  ]
  await site.serve({ ports: ports(), hosts, live: { certificates, tlsHosts } })
  const asked = async (servername: string, ...names: readonly string[]) =>
    (await met(first, { servername, protocol: "h2" }, ...names)).slice(1)
  expect(await asked("a.test", "a.test", "second.test", "unknown.test")).toEqual(["main", "421", "404"])
  expect(await asked("second.test", "second.test", "a.test", "unknown.test")).toEqual([
    "second",
    "421",
    "421",
  ])
  expect(await asked("x.wild.test", "x.wild.test", "y.z.wild.test", "fourth.wild.test", "a.test")).toEqual([
    "first",
    "first",
    "421",
    "421",
  ])
  expect(await asked("fourth.wild.test", "fourth.wild.test", "y.wild.test")).toEqual(["main", "421"])
  expect(await asked("unknown.test", "a.test", "unknown.test")).toEqual(["main", "404"])
})
