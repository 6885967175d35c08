import { X509Certificate } from "node:crypto"
import { connect, createServer } from "node:tls"
import { expect, test } from "vitest"
import { vouchedFor } from "../../../../controller/facts/x509/vouched-for.ts"

const hosts = ["admission", "admission.ingress.svc", "127.0.0.1", "fd00::1"]

test("a client that trusts the authority believes the server, by name and by address", async () => {
  const { ca, certificate: cert, key } = await vouchedFor(hosts, Date.now(), 36_500)
  const server = createServer({ cert, key }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as { port: number }
  const believes = (servername: string, trusted: string) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const checked = servername === "" ? {} : { servername }
    const socket = connect({ port, host: "127.0.0.1", ca: trusted, ...checked })
    socket.on("secureConnect", () => resolve(socket.authorized))
    socket.on("error", () => resolve(false))
    return promise.finally(() => socket.destroy())
  }
  const other = await vouchedFor(hosts, Date.now(), 36_500)
  expect(await believes("admission.ingress.svc", ca)).toBe(true)
  expect(await believes("", ca)).toBe(true)
  expect(await believes("elsewhere.ingress.svc", ca)).toBe(false)
  expect(await believes("admission", other.ca)).toBe(false)
  expect(await believes("admission", `${other.ca}${ca}`)).toBe(true)
  server.close()
})

test("both are valid from a moment ago for as long as was asked, beyond 2050, too", async () => {
  const nowMs = Date.parse("2026-11-23T08:00:00Z")
  const { ca, certificate } = await vouchedFor(hosts, nowMs, 36_500)
  for (const pem of [ca, certificate]) {
    const { validFromDate, validToDate } = new X509Certificate(pem)
    expect(validFromDate.toISOString()).toBe("2026-11-23T07:55:00.000Z")
    expect(validToDate.getTime()).toBe(nowMs + 36_500 * 86_400_000)
  }
  const leaf = new X509Certificate(certificate)
  expect(leaf.ca).toBe(false)
  expect(leaf.subjectAltName).toBe(
    "DNS:admission, DNS:admission.ingress.svc, IP Address:127.0.0.1, IP Address:FD00:0:0:0:0:0:0:1",
  )
  expect(new X509Certificate(ca).ca).toBe(true)
  expect(leaf.verify(new X509Certificate(ca).publicKey)).toBe(true)
})
