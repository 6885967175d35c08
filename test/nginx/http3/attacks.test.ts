// What others may do to a port of QUIC: have it answer somebody else, and send it what is no QUIC.
import { createSocket } from "node:dgram"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Http3Clients } from "../../../harness/http3.ts"
import { ingress, secret, withTls } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { Random } from "../../../harness/random.ts"
import { runs } from "../../support/runs.ts"
import { Site } from "../path/site.ts"
import { hasHttp3 } from "./nginx.ts"

let site: Site
let clients: Http3Clients

beforeAll(async () => {
  if (!hasHttp3) return
  clients = new Http3Clients()
  site = await Site.start(["one"])
  const between = await (await rootAuthority({ key: "rsa-4096" })).intermediate({ key: "rsa-4096" })
  const identity = await between.issue({ names: ["foo.test"], key: "rsa-4096" })
  const app = withTls(ingress("demo/app", "foo.test/ → app:80"), "foo.test=foo")
  await site.reconfigure({ "use-http3": "true" })
  await site.put(...site.service("app", "one"), app, secret("demo/foo", identity.tlsData()))
})
afterAll(async () => {
  if (!hasHttp3) return
  clients[Symbol.dispose]()
  await site[Symbol.asyncDispose]()
})

const port = () => site.wick.httpsPort
const isServed = async () => (await clients.ask({ port: port() })).body.toString() === "one"

describe.skipIf(!hasHttp3)("an address that nobody has shown to be the client's", () => {
  test("gets no more than three times what came from it, however long the certificates are", async () => {
    const { sent, received, kinds } = await clients.probe({ port: port(), from: "127.0.0.1" })
    expect(kinds[0]).toBe("initial")
    expect(received).toBeGreaterThan(sent)
    expect(received).toBeLessThanOrEqual(3 * sent)
  })

  test("gets one short answer with quic-retry, and nothing by the token of another", async () => {
    await site.reconfigure({ "use-http3": "true", "quic-retry": "true" })
    const plain = await clients.probe({ port: port(), from: "127.0.0.2" })
    expect(plain.kinds).toEqual(["retry"])
    expect(plain.received).toBeLessThan(plain.sent / 4)
    const stolen = await clients.probe({ port: port(), from: "127.0.0.2", tokenFor: "127.0.0.1" })
    expect(stolen.kinds).not.toContain("handshake")
    expect(stolen.received).toBeLessThan(stolen.sent / 4)
    const own = await clients.probe({ port: port(), from: "127.0.0.1", tokenFor: "127.0.0.1" })
    expect(own.received).toBeGreaterThan(own.sent)
    expect(await isServed()).toBe(true)
    await site.reconfigure({ "use-http3": "true" })
  })
})

test.skipIf(!hasHttp3)("datagrams of anything harm no worker, and keep nobody out", async () => {
  const before = site.wick.workers()
  const random = new Random(36)
  const socket = createSocket("udp4")
  for (let nth = 0; nth < runs(3000).numRuns; nth += 1) {
    const datagram = Buffer.from(Array.from({ length: 1 + random.below(1400) }, () => random.below(256)))
    // One in two looks like a packet of version 1 with a long header.
    if (nth % 2 === 0 && datagram.length > 20) datagram.set([0xc0 | (nth & 0x3f), 0, 0, 0, 1, nth % 24], 0)
    await new Promise((resolve) => socket.send(datagram, port(), "127.0.0.1", resolve))
    if (nth % 500 === 0) expect(await isServed()).toBe(true)
  }
  socket.close()
  expect(await isServed()).toBe(true)
  expect(site.wick.workers()).toEqual(before)
})
