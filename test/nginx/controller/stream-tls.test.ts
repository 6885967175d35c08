// TLS of a TCP service from its Secrets to a handshake: ended, begun towards the endpoint, renewed without a reload, and closed without its Secret.
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { connect, createServer, type TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingressClass, manifest, secret, serviceOn, settings } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

let wick: Wick
let ca: Authority
let ended: number
let without: number
const server = createServer({}, (socket) => {
  socket.on("error", () => {}).on("data", (bytes) => socket.write(`${bytes} ${socket.servername}`))
})
beforeAll(async () => {
  ;[ended = 0, without = 0] = await freePorts(2)
  ca = await rootAuthority()
  const endpoint = await ca.issue({ cn: "db", names: ["db.internal"] })
  server.setSecureContext({ cert: endpoint.chainPem, key: endpoint.keyPem })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const entry = {
    service: "shop/db:80",
    tls: { secret: "shop/own", clients: { secret: "shop/ca", verify: "optional" } },
    backendTls: { secret: "shop/ca", name: "db.internal" },
  }
  const objects = [
    ingressClass,
    settings("shop/tcp", {
      [ended]: JSON.stringify(entry),
      [without]: JSON.stringify({ service: "shop/db:80", tls: { secret: "shop/nobody" } }),
    }),
    secret("shop/ca", { "ca.crt": ca.pem }),
    ...serviceOn("shop/db", [(server.address() as AddressInfo).port]),
  ]
  const own = await ca.issue({ cn: "first", names: ["db.test"] })
  wick = await startWick({
    manifests: { "all.yaml": manifest(...objects), "own.yaml": ownSecret(own) },
    flags: ["--tcp-services-configmap=shop/tcp"],
  })
  await until("a session", () => served(ended).then((by) => by.startsWith("?")))
})
afterAll(async () => {
  await wick.stop()
  server.close()
})

const ownSecret = (identity: Identity) => manifest(secret("shop/own", identity.tlsData()))

function client(port: number): TLSSocket {
  return connect({ port, host: "127.0.0.1", servername: "db.test", ca: ca.pem }).on("error", () => {})
}

/** What the endpoint says, and whose certificate was shown; nothing when the connection is closed. */
async function served(port: number): Promise<string> {
  const socket = client(port)
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on("close", () => resolve("")).on("secureConnect", () => socket.write("?"))
  socket.on("data", (bytes) => resolve(`${bytes} ${socket.getPeerCertificate().subject.CN}`))
  const answer = await promise
  socket.destroy()
  return answer
}

test("TLS ends here by the Secret, and begins again towards the endpoint", async () => {
  expect(await served(ended)).toBe("? db.internal first")
})

test("a renewed Secret is in force without a reload, and sessions stay", async () => {
  const reloads = await wick.metric("nginx_ingress_controller_success")
  const open = client(ended)
  await once(open, "secureConnect")
  wick.write("own.yaml", ownSecret(await ca.issue({ cn: "second", names: ["db.test"] })))
  await until("the new certificate", async () => (await served(ended)) === "? db.internal second")
  open.write("!")
  const [bytes] = await once(open, "data")
  expect(`${bytes}`).toBe("! db.internal")
  expect(await wick.metric("nginx_ingress_controller_success")).toBe(reloads)
  open.destroy()
})

test("without its Secret nobody is served, and it is a Problem of the entry", async () => {
  expect(await served(without)).toBe("")
  await until("the Problem", () =>
    wick.log().includes('Cannot use Secret \\"shop/nobody\\": it does not exist; connections are closed'),
  )
  const own = await ca.issue({ cn: "third", names: ["db.test"] })
  wick.write("nobody.yaml", manifest(secret("shop/nobody", own.tlsData())))
  // The endpoint speaks TLS, and gets something else here: only whose certificate is shown counts.
  await until("a handshake", async () => {
    const socket = client(without)
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.on("close", () => resolve(""))
    socket.on("secureConnect", () => resolve(`${socket.getPeerCertificate().subject.CN}`))
    const shown = await promise
    socket.destroy()
    return shown === "third"
  })
})
