// Sessions are resumed under the TLS host that they were made with, and under no other.
import { randomBytes } from "node:crypto"
import type { ConnectionOptions } from "node:tls"
import { beforeAll, describe, expect, test } from "vitest"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { type Met, startTls, type TlsSite, tlsConf } from "./support/tls.ts"

let ca: Authority
let otherCa: Authority
let fallback: Identity
let client: Identity
const ticketKey = randomBytes(80)

beforeAll(async () => {
  ca = await rootAuthority()
  otherCa = await rootAuthority({ cn: "Other root" })
  fallback = await ca.issue({ cn: "static" })
  client = await ca.issue({ cn: "client" })
})

const kinds = [
  { name: "TLS 1.2, tickets", version: "TLSv1.2", tickets: "on" },
  { name: "TLS 1.2, cache", version: "TLSv1.2", tickets: "off" },
  { name: "TLS 1.3, tickets", version: "TLSv1.3", tickets: "on" },
  { name: "TLS 1.3, cache", version: "TLSv1.3", tickets: "off" },
] as const

type Kind = (typeof kinds)[number]

const sessions = ({ tickets }: Kind) =>
  `ssl_session_cache shared:sessions:1m; ssl_session_tickets ${tickets}; ssl_session_ticket_key ticket.key;`

/** Two hosts, a and b, each with a certificate of its own; both accept the client's certificate where they ask. */
async function start(kind: Kind): Promise<TlsSite> {
  const site = await startTls({ certificate: fallback, server: sessions(kind), ticketKey })
  for (const cn of ["a", "b"]) await site.pair(cn, await ca.issue({ cn }))
  await site.authority("ca", { certificates: [ca] })
  await site.authority("ca-again", { certificates: [ca] })
  await site.host("a.test", { certificates: ["a"] })
  await site.host("b.test", { certificates: ["b"] })
  return site
}

describe.each(kinds)("$name", (kind) => {
  const { version } = kind
  const options: ConnectionOptions = { minVersion: version, maxVersion: version }
  const withClient = () => ({ ...options, cert: client.pem, key: client.keyPem })
  // In TLS 1.2 a session that was resumed goes on being the same one.
  const resume = async (site: TlsSite, sni: string, { session }: Met, more: ConnectionOptions = options) => {
    if (session === undefined) throw new Error("There is no session to resume")
    return { session, ...(await site.meet(sni, { ...more, session })) }
  }

  test("at its own host a session is resumed, after a reload and after the certificate was renewed too", async () => {
    await using site = await start(kind)
    const first = await site.meet("a.test", options)
    expect(first).toMatchObject({ shown: "a", host: "a.test", resumed: false })
    const second = await resume(site, "A.test.", first)
    expect(second).toMatchObject({ host: "a.test", resumed: true })
    await site.pair("renewed", await ca.issue({ cn: "renewed" }))
    await site.host("a.test", { certificates: ["renewed"] })
    expect(await resume(site, "a.test", second)).toMatchObject({ host: "a.test", resumed: true })
    expect(await site.meet("a.test", options)).toMatchObject({ shown: "renewed" })
    const writer = await zoneWriter()
    const conf = { certificate: fallback, server: sessions(kind), ticketKey }
    await site.nginx.reload((folder) => tlsConf(folder, writer, conf))
    expect(await resume(site, "a.test", second)).toMatchObject({ host: "a.test", resumed: true })
  })

  test("at another host it is not, whether either asks for a client's certificate or not", async () => {
    await using site = await start(kind)
    const plain = await site.meet("a.test", options)
    expect(await resume(site, "b.test", plain)).toMatchObject({ shown: "b", host: "b.test", resumed: false })
    await site.host("b.test", { certificates: ["b"], authority: "ca" })
    expect(await resume(site, "b.test", plain, withClient())).toMatchObject({
      resumed: false,
      verify: "SUCCESS",
    })
    await site.host("a.test", { certificates: ["a"], authority: "ca" })
    const verified = await site.meet("a.test", withClient())
    expect(verified).toMatchObject({ verify: "SUCCESS", host: "a.test" })
    expect(await resume(site, "a.test", verified)).toMatchObject({ resumed: true, verify: "SUCCESS" })
    expect(await resume(site, "b.test", verified)).toMatchObject({ resumed: false, verify: "NONE" })
    await site.host("b.test", { certificates: ["b"] })
    expect(await resume(site, "b.test", verified)).toMatchObject({ resumed: false, verify: "NONE" })
    for (const sni of ["c.test", undefined])
      expect(
        await site.meet(sni, { ...options, session: verified.session ?? Buffer.alloc(0) }),
      ).toMatchObject({
        shown: "static",
        host: "-",
        resumed: false,
        verify: "NONE",
      })
  })

  test("once something else is asked of the client it is not", async () => {
    await using site = await start(kind)
    await site.authority("other", { certificates: [otherCa] })
    const asks = { certificates: ["a"], authority: "ca", depth: 1 } as const
    await site.host("a.test", asks)
    const verified = await site.meet("a.test", withClient())
    expect(verified).toMatchObject({ verify: "SUCCESS" })
    const changes = [
      { ...asks, authority: "other" },
      { ...asks, authority: "ca-again" },
      { ...asks, verify: "optional" },
      { ...asks, depth: 2 },
      { certificates: ["a"] },
    ] as const
    for (const change of changes) {
      await site.host("a.test", change)
      expect(await resume(site, "a.test", verified)).toMatchObject({ resumed: false, verify: "NONE" })
    }
    await site.host("a.test", asks)
    expect(await resume(site, "a.test", verified)).toMatchObject({ resumed: true, verify: "SUCCESS" })
  })

  test("hosts that one record serves share their sessions", async () => {
    await using site = await start(kind)
    await site.host("*.a.test", { certificates: ["a"] })
    const first = await site.meet("x.a.test", options)
    expect(await resume(site, "y.a.test", first)).toMatchObject({ host: "*.a.test", resumed: true })
    expect(await resume(site, "a.test", first)).toMatchObject({ host: "a.test", resumed: false })
    await site.host("y.a.test", { certificates: ["a"] })
    expect(await resume(site, "y.a.test", first)).toMatchObject({ host: "y.a.test", resumed: false })
  })

  test("a session of nginx's own certificate stays nginx's", async () => {
    await using site = await start(kind)
    const first = await site.meet("c.test", options)
    expect(await resume(site, "d.test", first)).toMatchObject({ host: "-", resumed: true })
    expect(await resume(site, "a.test", first)).toMatchObject({ host: "a.test", resumed: false })
  })
})
