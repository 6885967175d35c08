// Ciphers, whose order counts, and staples.
import { Constructed, Enumerated, ObjectIdentifier, OctetString, Sequence } from "asn1js"
import { beforeAll, expect, test } from "vitest"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { startTls, type TlsSite } from "./support/tls.ts"

let ca: Authority
let server: Identity

const gcm = (bits: 128 | 256) => `ECDHE-ECDSA-AES${bits}-GCM-SHA${bits === 128 ? 256 : 384}`

beforeAll(async () => {
  ca = await rootAuthority()
  server = await ca.issue({ cn: "server" })
})

async function start(text = ""): Promise<TlsSite> {
  const site = await startTls({ certificate: server, server: text })
  await site.pair("server", server)
  await site.host("a.test", { certificates: ["server"] })
  return site
}

const tls12 = { maxVersion: "TLSv1.2" } as const

test("a host has its own ciphers up to TLS 1.2, and others keep the server block's", async () => {
  await using site = await start(`ssl_ciphers ${gcm(128)};`)
  await site.host("b.test", { certificates: ["server"], ciphers: gcm(256) })
  expect((await site.meet("a.test", tls12)).cipher).toBe(gcm(128))
  expect((await site.meet("b.test", tls12)).cipher).toBe(gcm(256))
  await expect(site.meet("b.test", { ...tls12, ciphers: gcm(128) })).rejects.toThrow(/handshake failure/)
  expect((await site.meet("b.test")).cipher).toMatch(/^TLS_/)
})

test("a list that OpenSSL does not take leaves the server block's, with one line", async () => {
  await using site = await start(`ssl_ciphers ${gcm(128)};`)
  await site.host("b.test", { certificates: ["server"], ciphers: "NO-SUCH-CIPHER" })
  for (let n = 0; n < 3; n += 1) expect((await site.meet("b.test", tls12)).cipher).toBe(gcm(128))
  const lines = site.nginx.errorLog().match(/Cannot use ciphers "NO-SUCH-CIPHER" of TLS host "b.test": .*/g)
  expect(lines).toEqual(['Cannot use ciphers "NO-SUCH-CIPHER" of TLS host "b.test": no cipher match'])
})

test("the order of the server or of the client counts, as the record says, else as the server block", async () => {
  const both = `${gcm(256)}:${gcm(128)}`
  const client = { ...tls12, ciphers: `${gcm(128)}:${gcm(256)}` }
  for (const [block, own] of [
    ["off", gcm(128)],
    ["on", gcm(256)],
  ] as const) {
    await using site = await start(`ssl_ciphers ${both}; ssl_prefer_server_ciphers ${block};`)
    await site.host("b.test", { certificates: ["server"], preferServerCiphers: true })
    await site.host("c.test", { certificates: ["server"], preferServerCiphers: false })
    expect((await site.meet("a.test", client)).cipher).toBe(own)
    expect((await site.meet("b.test", client)).cipher).toBe(gcm(256))
    expect((await site.meet("c.test", client)).cipher).toBe(gcm(128))
  }
})

/** An OCSP response with anything for its content; OpenSSL reads no further. */
function ocsp(content: string): Buffer {
  const basic = new ObjectIdentifier({ value: "1.3.6.1.5.5.7.48.1.1" })
  const bytes = new Sequence({ value: [basic, new OctetString({ valueHex: Buffer.from(content) })] })
  const tagged = new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [bytes] })
  return Buffer.from(new Sequence({ value: [new Enumerated({ value: 0 }), tagged] }).toBER())
}

/** One of so many bytes, at least 1,000. */
const ocspOf = (bytes: number) => ocsp("x".repeat(bytes - (ocsp("x".repeat(1000)).length - 1000)))

test.each([
  "TLSv1.2",
  "TLSv1.3",
] as const)("%s: the staple of the certificate that was chosen goes along until it runs out", async (version) => {
  await using site = await start()
  const only = { minVersion: version, maxVersion: version, requestOCSP: true }
  const staple = async (sni: string, more: object = {}) => (await site.meet(sni, { ...only, ...more })).staple
  const none = Buffer.alloc(0)
  const inAnHour = Date.now() + 3_600_000
  await site.pair("rsa", await ca.issue({ cn: "rsa", key: "rsa" }))
  await site.host("b.test", { certificates: ["server", "rsa"] })
  await site.host(":default", { certificates: ["rsa"] })
  expect(await staple("a.test")).toEqual(none)
  await site.staple("server", ocsp("of ec"), inAnHour)
  await site.staple("rsa", ocsp("of rsa"), inAnHour)
  expect(await staple("a.test")).toEqual(ocsp("of ec"))
  expect(await staple("b.test", { sigalgs: "ECDSA+SHA256" })).toEqual(ocsp("of ec"))
  expect(await staple("b.test", { sigalgs: "RSA-PSS+SHA256:RSA+SHA256" })).toEqual(ocsp("of rsa"))
  expect(await staple("c.test", { sigalgs: "RSA-PSS+SHA256:RSA+SHA256" })).toEqual(ocsp("of rsa"))
  expect((await site.meet("a.test", { ...only, requestOCSP: false })).staple).toHaveLength(0)
  await site.staple("server", ocsp("next"), inAnHour)
  expect(await staple("a.test")).toEqual(ocsp("next"))
  await site.staple("server", ocsp("run out"), new Date(Date.now() - 1).getTime())
  expect(await staple("a.test")).toEqual(none)
  await site.write("staples/server", Buffer.of(3, 0, 0))
  expect(await staple("a.test")).toEqual(none)
  await site.staple("server", ocspOf(16_000), inAnHour)
  expect(await staple("a.test")).toEqual(ocspOf(16_000))
  expect(ocspOf(16_000)).toHaveLength(16_000)
  // More than clients take.
  await site.staple("server", ocspOf(16_001), inAnHour)
  expect(await staple("a.test")).toEqual(none)
  // OpenSSL 3.6 would end the handshake.
  await site.staple("server", Buffer.from("no response of OCSP"), inAnHour)
  expect(await staple("a.test")).toEqual(none)
  await site.write("staples/server", undefined)
  expect(await staple("a.test")).toEqual(none)
})
