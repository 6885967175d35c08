// Which certificate a handshake gets, by server name, from a zone.
import { once } from "node:events"
import { connect } from "node:net"
import { Duplex } from "node:stream"
import { connect as connectTls } from "node:tls"
import { beforeAll, expect, test } from "vitest"
import { CRITICAL } from "../../../harness/ingress/field.ts"
import { pairOf, pairRecord, tlsHostRecord } from "../../../harness/ingress/tls-records.ts"
import { type Authority, type Identity, type KeyKind, rootAuthority } from "../../../harness/pki.ts"
import { withField } from "../../../wire/newer.ts"
import { startTls, type TlsSite } from "./support/tls.ts"

let ca: Authority
let fallback: Identity

beforeAll(async () => {
  ca = await rootAuthority()
  fallback = await ca.issue({ cn: "static" })
})

/** Puts a certificate with this common name in force for a host. */
async function serve(site: TlsSite, host: string, cn: string, key: KeyKind = "ec"): Promise<void> {
  await site.pair(cn, await ca.issue({ cn, key }))
  await site.host(host, { certificates: [cn] })
}

async function names(site: TlsSite, ...asked: (string | undefined)[]): Promise<string[]> {
  const met = await Promise.all(asked.map((sni) => site.meet(sni)))
  return met.map(({ shown, host }) => `${shown} ${host}`)
}

test("exact beats one wildcard label beats _ beats :default beats nginx's own", async () => {
  await using site = await startTls({ certificate: fallback })
  expect(await names(site, "a.shop.test", undefined)).toEqual(["static -", "static -"])
  await serve(site, ":default", "default")
  expect(await names(site, "a.shop.test", undefined)).toEqual(["default :default", "default :default"])
  await serve(site, "_", "any")
  expect(await names(site, "a.shop.test", undefined)).toEqual(["any _", "any _"])
  await serve(site, "*.shop.test", "wildcard")
  await serve(site, "b.shop.test", "exact")
  expect(await names(site, "a.shop.test", "b.shop.test", "c.a.shop.test", "shop.test", undefined)).toEqual([
    "wildcard *.shop.test",
    "exact b.shop.test",
    "any _",
    "any _",
    "any _",
  ])
  await site.write("hosts/*.shop.test", undefined)
  await site.write("hosts/_", undefined)
  expect(await names(site, "a.shop.test", "b.shop.test")).toEqual(["default :default", "exact b.shop.test"])
})

test("a server name has any case and may end with a dot; what is no name is any host", async () => {
  await using site = await startTls({ certificate: fallback })
  await serve(site, "a.shop.test", "exact")
  await serve(site, "*.shop.test", "wildcard")
  const long = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`
  expect(long).toHaveLength(253)
  await serve(site, long, "long")
  expect(await names(site, "A.Shop.TEST", "a.shop.test.", "B.shop.test.", long, `${long}.`)).toEqual([
    "exact a.shop.test",
    "exact a.shop.test",
    "wildcard *.shop.test",
    `long ${long}`,
    `long ${long}`,
  ])
  const strange = [
    `${long}ee`,
    "*.shop.test",
    "a..shop.test",
    ".shop.test",
    ":default",
    "a/../shop.test",
    "_",
  ]
  await serve(site, "_", "any")
  expect(await names(site, ...strange)).toEqual(strange.map(() => "any _"))
})

test("a client gets the certificate that it can use, or the first that it prefers, with its chain", async () => {
  await using site = await startTls({ certificate: fallback })
  const between = await ca.intermediate()
  for (const key of ["rsa", "ec", "ed25519"] as const)
    await site.pair(key, await between.issue({ cn: key, key }))
  await site.host("a.test", { certificates: ["rsa", "ec", "ed25519"] })
  const shown = async (sigalgs: string) => (await site.meet("a.test", { sigalgs })).shown
  expect(await shown("RSA-PSS+SHA256")).toBe("rsa")
  expect(await shown("ECDSA+SHA256")).toBe("ec")
  expect(await shown("ed25519")).toBe("ed25519")
  const tls12 = { maxVersion: "TLSv1.2" } as const
  expect((await site.meet("a.test", { ...tls12, ciphers: "ECDHE-RSA-AES128-GCM-SHA256" })).shown).toBe("rsa")
  expect((await site.meet("a.test", { ...tls12, ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256" })).shown).toBe("ec")
  const trusting = { ca: ca.pem, rejectUnauthorized: true, checkServerIdentity: () => undefined }
  expect((await site.meet("a.test", trusting)).shown).not.toBe("static")
  // Nothing of nginx's own certificate is left beside a host's only one.
  await site.host("a.test", { certificates: ["ed25519"] })
  await expect(site.meet("a.test", { sigalgs: "ECDSA+SHA256" })).rejects.toThrow(/handshake failure/)
})

test("of two certificates with the same type of key the first one counts", async () => {
  await using site = await startTls({ certificate: fallback })
  for (const cn of ["one", "two"]) await site.pair(cn, await ca.issue({ cn }))
  await site.host("a.test", { certificates: ["one", "two"] })
  await site.host("b.test", { certificates: ["two", "one"] })
  expect(await names(site, "a.test", "b.test")).toEqual(["one a.test", "two b.test"])
})

test("a host without certificates has those of :default, else nginx's own", async () => {
  await using site = await startTls({ certificate: fallback })
  await site.host("a.test", {})
  expect(await names(site, "a.test")).toEqual(["static a.test"])
  await serve(site, "_", "any")
  expect(await names(site, "a.test")).toEqual(["static a.test"])
  await serve(site, ":default", "default")
  expect(await names(site, "a.test")).toEqual(["default a.test"])
  await site.write("hosts/:default", undefined)
  expect(await names(site, "a.test")).toEqual(["static a.test"])
})

test("a pair that the zone does not have yet is passed over until it comes", async () => {
  await using site = await startTls({ certificate: fallback })
  await serve(site, ":default", "default")
  await site.pair("here", await ca.issue({ cn: "here", key: "rsa" }))
  await site.host("a.test", { certificates: ["late"] })
  await site.host("b.test", { certificates: ["late", "here"] })
  expect(await names(site, "a.test", "a.test", "b.test")).toEqual([
    "default a.test",
    "default a.test",
    "here b.test",
  ])
  const lines = site.nginx.errorLog().match(/Cannot use certificate "late" of TLS host "a.test": .*/g)
  expect(lines).toEqual(['Cannot use certificate "late" of TLS host "a.test": the zone does not have it'])
  await site.pair("late", await ca.issue({ cn: "late" }))
  expect(await names(site, "a.test")).toEqual(["late a.test"])
})

test("a pair that OpenSSL does not take is passed over with one line, and others serve", async () => {
  await using site = await startTls({ certificate: fallback })
  const [good, stranger] = [await ca.issue({ cn: "good", key: "rsa" }), await ca.issue({ cn: "other" })]
  const whole = pairRecord(good)
  const broken: Record<string, Buffer> = {
    mismatch: pairOf(good.der, stranger.key.export({ type: "pkcs8", format: "der" })),
    "key-for-leaf": pairOf(good.key.export({ type: "pkcs8", format: "der" }), good.der),
    garbage: pairOf(Buffer.alloc(500, 0x30), Buffer.alloc(500, 0x30)),
    longer: pairOf(
      Buffer.concat([good.der, Buffer.of(0)]),
      good.key.export({ type: "pkcs8", format: "der" }),
    ),
    cut: whole.subarray(0, whole.length - 1),
    version: Buffer.concat([Buffer.of(2), whole.subarray(1)]),
  }
  await site.pair("good", good)
  for (const [id, record] of Object.entries(broken)) {
    await site.write(`pairs/${id}`, record)
    await site.host("a.test", { certificates: [id] })
    await site.host("b.test", { certificates: [id, "good"] })
    expect(await names(site, "a.test", "a.test", "b.test"), id).toEqual([
      "static a.test",
      "static a.test",
      "good b.test",
    ])
    const lines = site.nginx
      .errorLog()
      .match(new RegExp(`Cannot use certificate "${id}" of TLS host "a.test": .+`, "g"))
    expect(lines, id).toHaveLength(1)
  }
  expect(site.nginx.errorLog()).not.toMatch(/ignoring stale|SSL_do_handshake\(\) failed/)
})

test("with reject_unknown only names with a record of their own, or a wildcard's, are served", async () => {
  await using site = await startTls({ certificate: fallback, parameters: "reject_unknown" })
  for (const host of ["a.test", "*.shop.test", "_", ":default"]) await serve(site, host, "known")
  expect(await names(site, "a.test", "b.shop.test")).toEqual(["known a.test", "known *.shop.test"])
  for (const sni of ["b.test", undefined, "_", ":default"])
    await expect(site.meet(sni), String(sni)).rejects.toThrow(/unrecognized name/)
})

test("a record that cannot be read gets the default's certificate", async () => {
  await using site = await startTls({ certificate: fallback })
  await serve(site, ":default", "default")
  await site.write("hosts/a.test", Buffer.of(3, 5, 0, 0, 1, 2, 3, 4, 5))
  expect(await names(site, "a.test", "b.test")).toEqual(["default a.test", "default :default"])
  expect(site.nginx.errorLog()).toContain('Cannot use the record "a.test"')
})

test("a record with a critical field of a time to come ends the handshake, one with another is used", async () => {
  await using site = await startTls({ certificate: fallback })
  await serve(site, ":default", "default")
  await serve(site, "a.test", "a")
  const record = tlsHostRecord({ certificates: ["a"] })
  await site.write("hosts/a.test", withField("tls_host", record, 1, 127, Buffer.from("newer")))
  expect(await names(site, "a.test")).toEqual(["a a.test"])
  await site.write("hosts/a.test", withField("tls_host", record, 1, 127 + CRITICAL, Buffer.from("newer")))
  await expect(site.meet("a.test")).rejects.toThrow(/internal error/)
  expect(await names(site, "b.test")).toEqual(["default :default"])
  expect(site.nginx.errorLog()).toContain(
    'Cannot use the record "a.test" of TLS host "a.test": its field 127 is unknown and critical',
  )
})

test("a ClientHello with a NUL in its server name, or with garbage for one, ends that handshake only", async () => {
  await using site = await startTls({ certificate: fallback })
  await serve(site, "shop.test", "shop")
  const hello = await firstFlight("shop.test")
  const at = hello.indexOf("shop.test")
  const changed = [
    [at + 4, 0],
    // Lengths of the name and of the list of names, and the kind of name.
    [at - 1, 200],
    [at - 4, 1],
    [at - 3, 7],
  ] as const
  for (const [place, byte] of changed) {
    const bytes = Buffer.from(hello)
    bytes[place] = byte
    // An alert, or in the end a ServerHello: never a connection that just hangs or a worker that dies.
    expect([0x15, 0x16]).toContain((await answerTo(site.port, bytes))[0])
  }
  expect(await names(site, "shop.test")).toEqual(["shop shop.test"])
  expect(site.nginx.errorLog()).not.toMatch(/\[alert\]|panic|exited on signal/)
})

/** What a client sends first. */
async function firstFlight(name: string): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const pipe = new Duplex({
    read() {},
    write(chunk, _, done) {
      resolve(chunk)
      done()
    },
  })
  connectTls({ socket: pipe, servername: name }).on("error", () => {})
  return promise
}

async function answerTo(port: number, bytes: Buffer): Promise<Buffer> {
  const socket = connect(port, "127.0.0.1")
  socket.write(bytes)
  const [answer] = await once(socket, "data")
  socket.destroy()
  return answer
}
