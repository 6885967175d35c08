import { inspect } from "node:util"
import { expect, test } from "vitest"
import { readTlsSecret, type SecretReading } from "../../../controller/secrets/read.ts"
import type { TlsSecret } from "../../../controller/secrets/tls-secret.ts"
import { pem, tlsData } from "../../support/certificates.ts"
import { secret } from "../translate/objects.ts"

function read(data: Readonly<Record<string, string>>): SecretReading {
  return readTlsSecret(secret("shop/tls", data))
}

function taken(data: Readonly<Record<string, string>>): TlsSecret {
  const reading = read(data)
  if (reading.kind === "refused") throw new Error(reading.reason)
  return reading.secret
}

test("what stands around the blocks makes no difference", () => {
  const plain = taken(tlsData)
  const commented = taken({ ...tlsData, "tls.crt": `Subject: x\r\n${tlsData["tls.crt"]}\n; } #` })
  expect(commented).toEqual(plain)
  expect(plain.pair?.certificate.id).toMatch(/^[0-9a-f]{32}$/)
  expect(plain.authority?.certificates).toEqual([pem("ca.crt").replace(/-----[^-]+-----|\n/g, "")])
})

test("a private key is printed nowhere", () => {
  const pair = taken(tlsData)
  const key = pair.pair?.certificate.key.reveal() ?? ""
  expect(key.length).toBeGreaterThan(100)
  for (const printed of [JSON.stringify(pair), inspect(pair, { depth: 9 }), `${Object.values(pair)}`])
    expect(printed).not.toContain(key.slice(40, 80))
})

test.each([
  ["no key", { "tls.crt": pem("client.crt") }, '"tls.key" is missing'],
  ["no certificate", { "tls.key": pem("client.key") }, '"tls.crt" is missing'],
  ["nothing", {}, "contains no keypair or CA certificate"],
  ["another key", { ...tlsData, "tls.crt": pem("ca.crt") }, "is not the key"],
  [
    "garbage",
    { ...tlsData, "tls.key": "-----BEGIN PRIVATE KEY-----\nxx\n" },
    '"tls.key" holds a block that does not end',
  ],
  ["half a certificate", { "ca.crt": pem("ca.crt").slice(0, 200) }, '"ca.crt" holds a block that does not'],
  [
    "a damaged certificate",
    { "ca.crt": pem("ca.crt").replace(/\n[A-Za-z0-9+/]{8}/, "\nAAAAAAAA") },
    "cannot be read",
  ],
])("%s is refused", (_, data, reason) => {
  expect(read(data)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) })
})
