import { expect, test } from "vitest"
import { readDetails } from "../../../../controller/report/observe/certificate-details.ts"
import { type KeyKind, rootAuthority, selfSignedIdentity } from "../../../../harness/pki.ts"

test("names of issuers are read as they are meant", async () => {
  const organization = 'Acme, "Inc." = a + b\\ \n Ünï'
  const { pem } = await selfSignedIdentity({ cn: "#1; <Test>", organization })
  expect(readDetails(pem).issuer).toEqual({ organization, commonName: "#1; <Test>", serialNumber: "" })
})

test.each<[KeyKind, string]>([
  ["ec", "ECDSA"],
  ["rsa", "RSA"],
  ["ed25519", "Ed25519"],
])("a key of %s is called %s, serial numbers are decimal", async (key, name) => {
  const own = await (await rootAuthority()).issue({ cn: "a", key, serial: "7fffffffffffffffffff" })
  expect(readDetails(own.der)).toMatchObject({
    keyAlgorithm: name,
    serial: "604462909807314587353087",
    notAfterSeconds: own.certificate.validToDate.getTime() / 1000,
  })
})
