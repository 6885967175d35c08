import { createPrivateKey, X509Certificate } from "node:crypto"
import { connect, createServer } from "node:tls"
import { expect, test } from "vitest"
import { selfSigned } from "../../../../controller/facts/x509/self-signed.ts"

const subject = { organization: "Acme Co", commonName: "Fake Certificate", name: "ingress.local" }
const nowMs = Date.parse("2026-11-23T08:00:00.700Z")
const dayMs = 86_400_000

test("a certificate is signed by its own key, for a server of one name, which is no authority", async () => {
  const { certificate: pem, key } = await selfSigned(subject, nowMs, 365)
  const certificate = new X509Certificate(pem)
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.subject).toBe("O=Acme Co\nCN=Fake Certificate")
  expect(certificate.issuer).toBe(certificate.subject)
  expect(certificate.subjectAltName).toBe("DNS:ingress.local")
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"])
  expect(certificate.ca).toBe(false)
  expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
  expect(certificate.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
})

test("it is valid from the second on in which it was made, beyond 2049, too", async () => {
  for (const days of [1, 36_500]) {
    const { validFromDate, validToDate } = new X509Certificate(
      (await selfSigned(subject, nowMs, days)).certificate,
    )
    expect(validFromDate.toISOString()).toBe("2026-11-23T08:00:00.000Z")
    expect(validToDate.getTime()).toBe(Date.parse("2026-11-23T08:00:00Z") + days * dayMs)
  }
})

test("a client that trusts it believes the server", async () => {
  const { certificate, key } = await selfSigned(subject, Date.now(), 365)
  const server = createServer({ cert: certificate, key }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as { port: number }
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const socket = connect({ port, host: "127.0.0.1", ca: certificate, servername: "ingress.local" })
  socket.on("secureConnect", () => resolve(socket.authorized))
  socket.on("error", reject)
  expect(await promise).toBe(true)
  socket.destroy()
  server.close()
})
