// Hosts of listeners, posted: which of them a request sees is decided by where it came in.
import { afterAll, beforeAll, expect, test } from "vitest"
import { serverOf } from "../../../controller/model/listener.ts"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type Answer, ask } from "../../../harness/http.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import { cert, key } from "../../../harness/tls.ts"
import { TlsClient } from "../../../harness/tls-client.ts"

let plane: Plane
let backends: Backends

beforeAll(async () => {
  backends = await startBackends("own", "first", "any", "tls")
  plane = await startPlane({
    workers: 2,
    routeParameters: (port) => `ports=${port}`,
    morePorts: {
      count: 2,
      listen: ([plain, tls]) =>
        `listen 0.0.0.0:${plain}; listen 0.0.0.0:${tls} ssl; ssl_certificate "data:${cert}"; ssl_certificate_key "data:${key}";`,
    },
  })
  await plane.apply({ backends: { set: [...backends].map((one) => backend(one.name, [one])) } })
  await plane.apply({ routes: { set: [host("a.test", "own"), host("_", "own")] } })
})
afterAll(async () => {
  await plane[Symbol.asyncDispose]()
  await backends.stop()
})

const plainPort = () => plane.nginx.site.ports[1] ?? 0
const tlsPort = () => plane.nginx.site.ports[2] ?? 0

const textOf = ({ status, body }: Answer) => (status === 200 ? body : String(status))

async function at(address: string, port: number, name: string): Promise<string> {
  return textOf(await ask({ host: address, port }, { host: name }))
}

async function byTls(address: string, name: string): Promise<string> {
  await using client = await TlsClient.connect(tlsPort(), { host: address })
  return textOf(await client.ask({ host: name }))
}

/** Every other host of a server: none. */
const none = (server: string) => ({ server, host: "_", routes: [] })
const on = (server: string, name: string, to: string) => ({ server, ...host(name, to) })

test("a port that is nobody's is answered 404, and the server's own port by its hosts", async () => {
  expect(await at("127.0.0.1", plane.nginx.port, "a.test")).toBe("own")
  expect(await at("127.0.0.1", plainPort(), "a.test")).toBe("404")
  expect(await byTls("127.0.0.1", "a.test")).toBe("404")
})

test("hosts of two listeners do not see each other, and come and go without a reload", async () => {
  const [first, any] = [
    serverOf({ scheme: "http", address: "127.0.0.2", port: plainPort() }),
    serverOf({ scheme: "http", port: plainPort() }),
  ]
  await plane.apply({
    routes: { set: [none(first), on(first, "a.test", "first"), none(any), on(any, "b.test", "any")] },
  })
  expect(await at("127.0.0.2", plainPort(), "a.test")).toBe("first")
  expect(await at("127.0.0.2", plainPort(), "b.test")).toBe("404")
  expect(await at("127.0.0.1", plainPort(), "b.test")).toBe("any")
  expect(await at("127.0.0.1", plainPort(), "a.test")).toBe("404")
  expect(await at("127.0.0.1", plane.nginx.port, "b.test")).toBe("own")
  await plane.apply({
    routes: {
      remove: [
        { server: first, host: "_" },
        { server: first, host: "a.test" },
      ],
    },
  })
  expect(await at("127.0.0.2", plainPort(), "b.test")).toBe("any")
  expect(await at("127.0.0.2", plainPort(), "a.test")).toBe("404")
})

test("a listener by TLS is another one than a plain one of the same port", async () => {
  const [plain, tls] = [
    `http:*:${tlsPort()}`,
    serverOf({ scheme: "https", address: "127.0.0.1", port: tlsPort() }),
  ]
  await plane.apply({ routes: { set: [none(plain), on(plain, "a.test", "any")] } })
  expect(await byTls("127.0.0.1", "a.test")).toBe("404")
  await plane.apply({ routes: { set: [none(tls), on(tls, "*.test", "tls")] } })
  expect(await byTls("127.0.0.1", "a.test")).toBe("tls")
  expect(await byTls("127.0.0.2", "a.test")).toBe("404")
})

test("a listener's alias is of its own hosts", async () => {
  const server = `http:127.0.0.3:${plainPort()}`
  const alias = { server, host: "alias.test", routes: [], alias_of: "a.test", critical: ["alias_of"] }
  await plane.apply({ routes: { set: [none(server), alias] } })
  expect(await at("127.0.0.3", plainPort(), "alias.test")).toBe("503")
  await plane.apply({ routes: { set: [on(server, "a.test", "first")] } })
  expect(await at("127.0.0.3", plainPort(), "alias.test")).toBe("first")
})

test("listeners on the server's own port come before it", async () => {
  const server = `http:127.0.0.1:${plane.nginx.port}`
  await plane.apply({ routes: { set: [none(server), on(server, "a.test", "first")] } })
  expect(await at("127.0.0.1", plane.nginx.port, "a.test")).toBe("first")
  expect(await at("127.0.0.1", plane.nginx.port, "b.test")).toBe("404")
  await plane.apply({ routes: { remove: [{ server, host: "_" }] } })
  expect(await at("127.0.0.1", plane.nginx.port, "a.test")).toBe("own")
})

test("a server is listed and shown by its name", async () => {
  const server = serverOf({ scheme: "http", address: "2001:db8::1", port: plainPort() })
  await plane.apply({ routes: { set: [none(server)] } })
  const names = JSON.parse((await plane.nginx.control("GET", "/configuration/names")).body)
  expect(names.routes).toContainEqual({ server, host: "_" })
  const path = `/configuration/routes?host=_&server=${encodeURIComponent(server)}`
  expect(JSON.parse((await plane.nginx.control("GET", path)).body)).toEqual([none(server)])
})
