import { X509Certificate } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { connect, createServer, type SecureContextOptions, type TlsOptions } from "node:tls"
import { describe, expect, test } from "vitest"
import { type KeyKind, rootAuthority, selfSignedIdentity } from "../../../harness/pki.ts"

const root = await rootAuthority()
const intermediate = await root.intermediate()

describe.each<KeyKind>(["ec", "ec-p384", "rsa", "ed25519"])("with keys of kind %s", (key) => {
  test("a chain to the root is trusted by OpenSSL, and its name checked", async () => {
    const signs = key === "ed25519" ? "ec" : key
    const ca = await (await rootAuthority({ key: signs })).intermediate({ key: signs })
    const server = await ca.issue({ key, names: ["shop.test", "*.shop.test", "127.0.0.1", "fd00::7"] })
    const outcome = await handshake(
      { cert: server.chainPem, key: server.keyPem },
      { ca: ca.issuers[0]?.pem, servername: "a.shop.test" },
    )
    expect(outcome).toBe("trusted")
    expect(server.certificate.subjectAltName).toBe(
      "DNS:shop.test, DNS:*.shop.test, IP Address:127.0.0.1, IP Address:FD00:0:0:0:0:0:0:7",
    )
  })
})

test("what is in a certificate", async () => {
  const from = new Date("2020-01-01T00:00:00Z")
  const until = new Date("2051-01-01T00:00:00Z")
  const ocsp = "http://ocsp.test/"
  const issuer = "http://ca.test/ca.crt"
  const { certificate } = await intermediate.issue({
    cn: "someone",
    organization: "Shop",
    from,
    until,
    ocsp,
    issuer,
    serial: "0102",
  })
  expect(certificate.subject).toBe("O=Shop\nCN=someone")
  expect(certificate.issuer).toBe("CN=Test intermediate")
  expect(certificate.serialNumber).toBe("0102")
  expect(certificate.validFromDate).toEqual(from)
  expect(certificate.validToDate).toEqual(until)
  expect(certificate.infoAccess).toBe(`OCSP - URI:${ocsp}\nCA Issuers - URI:${issuer}`)
  expect(certificate.subjectAltName).toBeUndefined()
  expect(certificate.ca).toBe(false)
  expect(intermediate.certificate.ca).toBe(true)
  expect(certificate.checkIssued(intermediate.certificate)).toBe(true)
})

test("a certificate that nobody vouches for signed itself", async () => {
  const { certificate, issuers } = await selfSignedIdentity({ names: ["alone.test"] })
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(issuers).toEqual([])
})

test("a Secret's certificates begin with the leaf and end before the root", async () => {
  const leaf = await intermediate.issue({ names: ["shop.test"] })
  const parts = leaf.tlsData()["tls.crt"]?.split(/(?=-----BEGIN)/) ?? []
  expect(parts.map((part) => new X509Certificate(part).subject)).toEqual([
    "CN=shop.test",
    "CN=Test intermediate",
  ])
})

test("a client is refused by a list that names it, and no other", async () => {
  const server = await root.issue({ names: ["shop.test"] })
  const [good, bad] = [await root.issue({ cn: "good" }), await root.issue({ cn: "bad" })]
  const crl = await root.crl({ revoked: [bad] })
  const asked: TlsOptions = { cert: server.pem, key: server.keyPem, ca: root.pem, crl, requestCert: true }
  const as = ({ pem, keyPem }: typeof good) => ({
    ca: root.pem,
    servername: "shop.test",
    cert: pem,
    key: keyPem,
  })
  expect(await handshake(asked, as(good))).toBe("trusted")
  expect(await handshake(asked, as(bad))).toBe("CERT_REVOKED")
})

/** What ends a handshake by TLS 1.2: a client that is refused learns so then. */
async function handshake(
  server: TlsOptions,
  client: Omit<SecureContextOptions, "ca"> & { ca: string | undefined; servername: string },
): Promise<string> {
  await using listening = createServer({ ...server, rejectUnauthorized: false }, (socket) => {
    socket.end(String(socket.authorizationError ?? "trusted"))
  }).listen(0, "127.0.0.1")
  await once(listening, "listening")
  const { port } = listening.address() as AddressInfo
  const { ca = "", ...rest } = client
  const socket = connect({ port, host: "127.0.0.1", ca, ...rest })
  const [text] = await once(socket.setEncoding("utf8"), "data")
  return server.requestCert ? text : "trusted"
}
