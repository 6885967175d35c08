// What a handshake asks of clients, and what it makes of their certificates.
import { connect as connectHttp2 } from "node:http2"
import { beforeAll, describe, expect, test } from "vitest"
import { authorityRecord } from "../../../harness/ingress/tls-records.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { field, recordOf } from "../../../wire/encode.ts"
import { withField } from "../../../wire/newer.ts"
import { startTls, type TlsSite } from "./support/tls.ts"

let ca: Authority
let between: Authority
let other: Authority
let server: Identity
let client: Identity

beforeAll(async () => {
  ca = await rootAuthority()
  between = await ca.intermediate()
  other = await rootAuthority({ cn: "Other root" })
  server = await ca.issue({ cn: "server" })
  client = await ca.issue({ cn: "client" })
})

async function start(): Promise<TlsSite> {
  const site = await startTls({ certificate: server, server: "ssl_session_tickets off;" })
  await site.authority("ca", { certificates: [ca] })
  await site.host("a.test", { authority: "ca" })
  return site
}

const as = (identity: Identity) => ({ cert: identity.chainPem, key: identity.keyPem })

describe.each(["TLSv1.2", "TLSv1.3"] as const)("%s", (version) => {
  const only = { minVersion: version, maxVersion: version }
  const verify = async (site: TlsSite, identity?: Identity) =>
    (await site.meet("a.test", { ...only, ...(identity && as(identity)) })).verify

  test("a certificate holds by the host's authority, others and none end no handshake", async () => {
    await using site = await start()
    expect(await verify(site, client)).toBe("SUCCESS")
    expect(await verify(site)).toBe("NONE")
    expect(await verify(site, await other.issue({ cn: "stranger" }))).toMatch(/^FAILED:unable/)
    const past = { from: new Date(Date.now() - 9e9), until: new Date(Date.now() - 1e9) }
    expect(await verify(site, await ca.issue({ cn: "late", ...past }))).toMatch(/^FAILED:certificate/)
    expect(await verify(site, await ca.issue({ cn: "server only", usages: ["server"] }))).toMatch(/^FAILED/)
    expect((await site.meet("b.test", { ...only, ...as(client) })).verify).toBe("NONE")
  })

  test("a chain is as deep as the record allows", async () => {
    await using site = await start()
    const below = await between.issue({ cn: "below" })
    await site.authority("three", { certificates: [ca] })
    const deepest = await (await (await between.intermediate({ cn: "2" })).intermediate({ cn: "3" })).issue({
      cn: "deep",
    })
    expect(await verify(site, below)).toBe("SUCCESS")
    expect(await verify(site, deepest)).toMatch(/^FAILED/)
    await site.host("a.test", { authority: "three", depth: 3 })
    expect(await verify(site, deepest)).toBe("SUCCESS")
  })

  test("what a CRL has is revoked, at every level", async () => {
    await using site = await start()
    const revoked = await ca.issue({ cn: "revoked" })
    const crls = [await ca.crl({ revoked: [revoked] })]
    await site.authority("crl", { certificates: [ca], crls })
    await site.host("a.test", { authority: "crl", depth: 2 })
    expect(await verify(site, client)).toBe("SUCCESS")
    expect(await verify(site, revoked)).toBe("FAILED:certificate revoked")
    const below = await between.issue({ cn: "below" })
    expect(await verify(site, below)).toMatch(/^FAILED:unable to get certificate CRL/)
    await site.authority("both", { certificates: [ca], crls: [...crls, await between.crl()] })
    await site.host("a.test", { authority: "both", depth: 2 })
    expect(await verify(site, below)).toBe("SUCCESS")
    const past = { from: new Date(Date.now() - 9e9), until: new Date(Date.now() - 1e9) }
    await site.authority("stale", { certificates: [ca], crls: [await ca.crl(past)] })
    await site.host("a.test", { authority: "stale" })
    expect(await verify(site, client)).toBe("FAILED:CRL has expired")
  })

  test("without its authority, or with one that cannot be read, no certificate holds", async () => {
    await using site = await start()
    const newer = withField(
      "authority",
      authorityRecord({ certificates: [ca] }),
      1,
      255,
      Buffer.from("newer"),
    )
    const records = [undefined, recordOf(3, field(1, Buffer.of(7))), Buffer.of(9), newer]
    for (const [at, record] of records.entries()) {
      await site.write("authorities/gone", record)
      await site.host("a.test", { authority: "gone", depth: at + 1 })
      expect(await verify(site, client)).toMatch(/^FAILED/)
      expect(await verify(site)).toBe("NONE")
    }
    expect(site.nginx.errorLog()).toContain(
      'Cannot use authority "gone" of TLS host "a.test": the zone does not have it',
    )
    await site.host("a.test", { authority: "later" })
    expect(await verify(site, client)).toMatch(/^FAILED/)
    await site.authority("later", { certificates: [ca] })
    expect(await verify(site, client)).toBe("SUCCESS")
  })

  test("another server block that nginx chooses by name does not undo what the record asks for", async () => {
    await using site = await startTls({
      certificate: server,
      http: "ssl_session_tickets off;",
      more: (
        port,
      ) => `server { listen 127.0.0.1:${port} ssl; server_name a.test; ingress_certificates certificates;
        location / { return 200 "$ingress_tls_host|$ssl_client_verify|$pid"; } }`,
    })
    await site.authority("ca", { certificates: [ca] })
    await site.pair("a", await ca.issue({ cn: "a" }))
    await site.host("a.test", { authority: "ca", certificates: ["a"] })
    const met = await site.meet("a.test", { ...only, ...as(client) })
    expect(met).toMatchObject({ shown: "a", host: "a.test", verify: "SUCCESS" })
  })
})

test("the streams of HTTP/2 share their connection's handshake", async () => {
  await using site = await start()
  const session = connectHttp2(`https://127.0.0.1:${site.port}`, {
    servername: "a.test",
    rejectUnauthorized: false,
    ...as(client),
  })
  const ask = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let body = ""
    session.on("error", reject)
    const stream = session.request({ ":path": "/" })
    stream.on("data", (chunk) => (body += chunk))
    stream.on("end", () => resolve(body.split("|").slice(0, 2).join(" ")))
    return promise
  }
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill("a.test SUCCESS"))
  session.close()
})
