import { X509Certificate } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { provideDefaultCertificate } from "../../../../controller/output/nginx/default-certificate.ts"
import { layoutOf } from "../../../../controller/output/nginx/files.ts"

const layout = layoutOf(mkdtempSync(join(tmpdir(), "wick-certificate-")))
afterAll(() => rmSync(layout.dir, { recursive: true }))

const nowMs = Date.UTC(2026, 10, 21, 12, 30, 15)
const dayMs = 86_400_000
const written = () => readFileSync(layout.certificate, "utf8")
let first: string
beforeAll(async () => {
  await provideDefaultCertificate(layout, nowMs)
  first = written()
})

test("it is ingress-nginx's fake certificate", () => {
  const certificate = new X509Certificate(first)
  expect(certificate.subject).toBe("O=Acme Co\nCN=Kubernetes Ingress Controller Fake Certificate")
  expect(certificate.issuer).toBe(certificate.subject)
  expect(certificate.subjectAltName).toBe("DNS:ingress.local")
  expect(certificate.ca).toBe(false)
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"])
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
  expect(certificate.validFromDate.getTime()).toBe(nowMs)
  expect(certificate.validToDate.getTime()).toBe(nowMs + 365 * dayMs)
})

test("only its owner reads the key", () => {
  expect(statSync(layout.certificateKey).mode & 0o777).toBe(0o600)
})

test("it stays as long as it is valid for a month", async () => {
  await provideDefaultCertificate(layout, nowMs + 334 * dayMs)
  expect(written()).toBe(first)
})

test.each([
  ["it ends within a month", 336 * dayMs, () => {}],
  ["its key is another one's", 0, () => rmSync(layout.certificateKey)],
  ["the file is none", 0, () => writeFileSync(layout.certificate, "-----BEGIN")],
])("there is a new one when %s", async (_, laterMs, spoil) => {
  const before = written()
  spoil()
  await provideDefaultCertificate(layout, nowMs + laterMs)
  expect(written()).not.toBe(before)
  expect(new X509Certificate(written()).subject).toContain("Fake Certificate")
})
