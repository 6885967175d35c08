import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFile } from "node:fs/promises"
import { selfSigned } from "../../facts/x509/self-signed.ts"
import { type Layout, writeWhole } from "./files.ts"

/** As of ingress-nginx: monitoring knows a host without a certificate of its own by this name. */
const fake = {
  organization: "Acme Co",
  commonName: "Kubernetes Ingress Controller Fake Certificate",
  name: "ingress.local",
}

const validDays = 365

/** A controller may run for weeks before it is started again, and nobody renews the certificate meanwhile. */
const minLeftMs = 30 * 86_400_000

/**
 * Makes sure that the runtime directory has the certificate of hosts that have none, made by ourselves. One that is there stays as long as
 * it is valid for another month: clients that remember it see no other after a restart.
 */
export async function provideDefaultCertificate(layout: Layout, nowMs: number): Promise<void> {
  if (await isUsable(layout, nowMs)) return
  const { certificate, key } = await selfSigned(fake, nowMs, validDays)
  await writeWhole(layout.certificateKey, key)
  await writeWhole(layout.certificate, certificate)
}

async function isUsable(layout: Layout, nowMs: number): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(layout.certificate))
    const key = createPrivateKey(await readFile(layout.certificateKey))
    return certificate.checkPrivateKey(key) && certificate.validToDate.getTime() - nowMs > minLeftMs
  } catch {
    return false // there is none, or nothing that could be used
  }
}
