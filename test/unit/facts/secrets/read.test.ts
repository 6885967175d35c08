import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"
import { inspect } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"
import { readTlsSecret, type SecretReading } from "../../../../controller/facts/secrets/read.ts"
import type { TlsSecret } from "../../../../controller/model/tls-secret.ts"
import { pem, tlsData } from "../../../../harness/certificates.ts"
import { secret } from "../../../../harness/objects.ts"
import { type Authority, type Identity, rootAuthority } from "../../../../harness/pki.ts"

type Data = Readonly<Record<string, string>>

function read(data: Data): SecretReading {
  return readTlsSecret(secret("shop/tls", data))
}

function taken(data: Data): TlsSecret {
  const reading = read(data)
  if (reading.kind === "refused") throw new Error(reading.reason)
  return reading.secret
}

function keyText(key: KeyObject, type: "pkcs1" | "sec1" | "pkcs8"): string {
  // TypeScript has an overload for each of them
  return key.export({ type: type as "pkcs8", format: "pem" }).toString()
}

let root: Authority
let between: Authority
let rsa: Identity
let ec: Identity

beforeAll(async () => {
  root = await rootAuthority()
  between = await root.intermediate()
  rsa = await between.issue({ names: ["one.test", "*.Two.test"], key: "rsa" })
  ec = await between.issue({ names: ["one.test"] })
})

test("the model has what stands there, in DER", () => {
  const { pair } = taken(rsa.tlsData())
  expect(pair?.certificate.chain).toEqual([rsa, between].map(({ der }) => der.toString("base64")))
  expect(pair?.certificate.key.reveal()).toBe(
    rsa.key.export({ type: "pkcs8", format: "der" }).toString("base64"),
  )
  expect(pair?.certificate.id).toMatch(/^[0-9a-f]{32}$/)
  expect(pair?.names).toEqual(["one.test", "*.two.test"])
  expect(pair?.notAfterMs).toBe(rsa.certificate.validToDate.getTime())
  expect([pair?.keyType, taken(ec.tlsData()).pair?.keyType]).toEqual(["rsa", "ec"])
})

describe("accepted are", () => {
  const same = (data: Data, as: Identity) => expect(taken(data)).toEqual(taken(as.tlsData()))

  test("keys in PKCS#1, SEC1 and PKCS#8, with parameters before them", () => {
    for (const type of ["pkcs1", "pkcs8"] as const)
      same(rsa.tlsData({ "tls.key": keyText(rsa.key, type) }), rsa)
    const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    same(ec.tlsData({ "tls.key": parameters + keyText(ec.key, "sec1") }), ec)
  })

  test("other line ends, text around the blocks and garbage behind them", () => {
    const dressed = (text: string) => `Subject: CN=x\r\n${text.replaceAll("\n", "\r\n")}\0\xff; } # $x`
    same({ "tls.crt": dressed(rsa.chainPem), "tls.key": dressed(rsa.keyPem) }, rsa)
    same({ "tls.crt": `\ufeff${rsa.chainPem.trim()}`, "tls.key": rsa.keyPem.trim() }, rsa)
  })

  test("a certificate twice, the leaf behind others, the key beside the certificate", () => {
    same({ "tls.crt": between.pem + between.pem + rsa.pem, "tls.key": rsa.keyPem }, rsa)
    same({ "tls.crt": rsa.keyPem + rsa.chainPem, "tls.key": rsa.keyPem }, rsa)
  })

  test("Ed25519, and larger keys", async () => {
    for (const key of ["ed25519", "ec-p384", "rsa-4096"] as const) {
      const { pair } = taken((await root.issue({ names: ["one.test"], key })).tlsData())
      expect(pair?.keyType).toBe(key.split("-")[0])
    }
  })

  test("a pair with an empty ca.crt, as cert-manager leaves it", () => {
    expect(taken(rsa.tlsData({ "ca.crt": "" })).authority).toBeUndefined()
  })

  test("an authority with and without the pair, with and without lists", async () => {
    const crl = await root.crl({ revoked: [ec] })
    const full = taken(rsa.tlsData({ "ca.crt": root.pem + between.pem, "ca.crl": crl }))
    expect(full.pair).toEqual(taken(rsa.tlsData()).pair)
    expect(full.authority?.certificates).toEqual([root, between].map(({ der }) => der.toString("base64")))
    expect(full.authority?.crls).toEqual([crl.replace(/-----[^-]+-----|\n/g, "")])
    const plain = taken({ "ca.crt": root.pem + between.pem, "ca.crl": "" })
    expect(plain).toEqual({ authority: { ...full.authority, id: expect.any(String), crls: [] } })
    expect(plain.authority?.id).not.toBe(full.authority?.id)
  })
})

describe("the names of a certificate are", () => {
  const names = async (wanted: Parameters<Authority["issue"]>[0]) =>
    taken((await root.issue(wanted)).tlsData()).pair?.names

  test("those of the SAN, addresses left out", async () => {
    expect(await names({ cn: "cn.test", names: ["A.test", "192.0.2.1"] })).toEqual(["a.test"])
  })

  test("the common name where there is no SAN (79)", async () => {
    expect(await names({ cn: "CN.test" })).toEqual(["cn.test"])
  })

  test("never two where one is written", async () => {
    expect(await names({ cn: "x", names: ["a.test, DNS:b.test"] })).toEqual([])
    expect(await names({ cn: "a.test\nCN=b.test" })).toEqual(["a.test\ncn=b.test"])
  })
})

describe("refused is", () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey
  const curve = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve }).privateKey
  const dsa = generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 }).privateKey

  test.each<[string, (of: Identity) => Data, string]>([
    [
      "nothing (76)",
      () => ({}),
      'it contains no keypair or CA certificate, "tls.crt" with "tls.key", or "ca.crt" is missing',
    ],
    [
      "no key",
      (of) => ({ "tls.crt": of.pem }),
      'it contains no keypair or CA certificate, "tls.key" is missing',
    ],
    [
      "no certificate",
      (of) => ({ "tls.key": of.keyPem }),
      'it contains no keypair or CA certificate, "tls.crt" is missing',
    ],
    [
      "another key",
      (of) => of.tlsData({ "tls.key": ec.keyPem }),
      '"tls.key" is not the key of the certificate in "tls.crt"',
    ],
    ["text", (of) => of.tlsData({ "tls.crt": "hello" }), '"tls.crt" holds nothing in PEM'],
    ["blanks", (of) => of.tlsData({ "tls.crt": " \n" }), '"tls.crt" is empty'],
    ["base64 twice", (of) => of.tlsData({ "tls.crt": btoa(of.pem) }), '"tls.crt" is encoded in base64 twice'],
    [
      "a certificate as key",
      (of) => of.tlsData({ "tls.key": of.pem }),
      '"tls.key" holds a certificate where the private key should be',
    ],
    ["a key as certificate", (of) => of.tlsData({ "tls.crt": of.keyPem }), '"tls.crt" holds no certificate'],
    [
      "a public key as key",
      (of) => of.tlsData({ "tls.key": "-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----" }),
      '"tls.key" holds no private key',
    ],
    [
      "a chain that breaks off",
      (of) => of.tlsData({ "tls.crt": of.chainPem.slice(0, -40) }),
      '"tls.crt" holds a block that does not end',
    ],
    [
      "a block in a block",
      (of) => of.tlsData({ "tls.crt": of.chainPem.replace(/-----END[^\n]+/, "") }),
      '"tls.crt" holds a block that does not end',
    ],
    [
      "a damaged certificate",
      (of) => of.tlsData({ "tls.crt": of.pem.replace(/\n[A-Za-z0-9+/]{8}/, "\nAAAAAAAA") }),
      '"tls.crt" holds a certificate that cannot be read',
    ],
    [
      "a damaged key",
      (of) => of.tlsData({ "tls.key": of.keyPem.replace(/\n[A-Za-z0-9+/]{8}/, "\nAAAAAAAA") }),
      '"tls.key" holds a private key that cannot be read',
    ],
    [
      "an encrypted key",
      (of) => of.tlsData({ "tls.key": locked(of.key, "pkcs8") }),
      '"tls.key" has a password: store the key without one',
    ],
    [
      "an encrypted key of old",
      (of) => of.tlsData({ "tls.key": locked(of.key, "pkcs1") }),
      '"tls.key" has a password: store the key without one',
    ],
    [
      "5 MB of text",
      (of) => of.tlsData({ "tls.crt": "x".repeat(5_000_000) }),
      '"tls.crt" has 5000000 bytes, more than 1048576',
    ],
    [
      "1,000 certificates",
      (of) => of.tlsData({ "tls.crt": of.pem.repeat(1000) }),
      '"tls.crt" holds 1000 certificates, more than 16',
    ],
    [
      "a short RSA key",
      () => ({ "tls.crt": pem("ca.crt"), "tls.key": keyText(weak, "pkcs8") }),
      "the key has 1024 bits, fewer than 2048",
    ],
    [
      "secp256k1",
      () => ({ "tls.crt": pem("ca.crt"), "tls.key": keyText(curve("secp256k1"), "pkcs8") }),
      "the key is on curve secp256k1: use P-256, P-384 or P-521",
    ],
    [
      "P-224",
      () => ({ "tls.crt": pem("ca.crt"), "tls.key": keyText(curve("secp224r1"), "pkcs8") }),
      "the key is on curve secp224r1: use P-256, P-384 or P-521",
    ],
    [
      "DSA",
      () => ({ "tls.crt": pem("ca.crt"), "tls.key": keyText(dsa, "pkcs8") }),
      "a key of type dsa is not for TLS servers: use RSA or ECDSA",
    ],
    [
      "a broken authority beside a pair",
      (of) => of.tlsData({ "ca.crt": "x" }),
      '"ca.crt" holds nothing in PEM',
    ],
    [
      "a certificate as list",
      (of) => ({ "ca.crt": of.pem, "ca.crl": of.pem }),
      '"ca.crl" holds no list of revoked certificates',
    ],
    [
      "a damaged list",
      (of) => ({ "ca.crt": of.pem, "ca.crl": "-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----" }),
      '"ca.crl" holds a list of revoked certificates that cannot be read',
    ],
  ])("%s", (_, data, reason) => {
    expect(read(data(rsa))).toEqual({ kind: "refused", reason })
  })

  test("DER", () => {
    const object = secret("shop/tls", rsa.tlsData())
    const reading = readTlsSecret({ ...object, data: { ...object.data, "tls.crt": rsa.der } })
    expect(reading).toEqual({ kind: "refused", reason: '"tls.crt" is DER: it has to be PEM' })
  })

  test("a signature with SHA-1, unless it is a root's", async () => {
    const old = await root.issue({ names: ["one.test"], hash: "SHA-1" })
    const reason = "a certificate is signed with ecdsa-with-SHA1, which clients do not trust"
    expect(read(old.tlsData())).toEqual({ kind: "refused", reason })
  })

  function locked(key: KeyObject, type: "pkcs1" | "pkcs8"): string {
    const options = { type: type as "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const
    return key.export(options).toString()
  }
})

test("whatever bytes there are, reading ends with a reason that repeats nothing of them", () => {
  const good = rsa.tlsData({ "ca.crt": root.pem })
  for (let round = 0; round < 400; round += 1) {
    const name = ["tls.crt", "tls.key", "ca.crt", "ca.crl"][round % 4] ?? ""
    const bytes = Buffer.from(good[name] ?? root.pem)
    bytes.writeUInt8(randomBytes(1)[0] ?? 0, randomBytes(4).readUInt32LE() % bytes.length)
    const cut = bytes.subarray(0, round % 3 === 0 ? undefined : randomBytes(4).readUInt32LE() % bytes.length)
    const object = secret("shop/tls", good)
    const reading = readTlsSecret({ ...object, data: { ...object.data, [name]: cut } })
    if (reading.kind === "refused") expect(reading.reason).toMatch(/^[ -~]{10,200}$/)
  }
})

test("a private key is printed nowhere", () => {
  const known = taken(tlsData)
  const key = known.pair?.certificate.key.reveal() ?? ""
  expect(key.length).toBeGreaterThan(100)
  for (const printed of [JSON.stringify(known), inspect(known, { depth: 9 }), `${Object.values(known)}`])
    expect(printed).not.toContain(key.slice(40, 80))
})
