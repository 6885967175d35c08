// Where nginx listens for hosts of listeners, and whose hosts are seen there.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { WebPort } from "../../../controller/model/listener.ts"
import { ask } from "../../../harness/http.ts"
import { tlsAgent } from "../../support/agents.ts"
import { ListenerSite } from "./listener-site.ts"

let site: ListenerSite
let port = 0
let tlsPort = 0

beforeAll(async () => {
  site = await ListenerSite.start("main", "first", "second")
  ;[port = 0, tlsPort = 0] = site.free
})
afterAll(() => site[Symbol.asyncDispose]())

async function at(host: string, to: number, name = "a.test"): Promise<string> {
  const { status, body } = await ask({ host, port: to }, { host: name })
  return status === 200 ? body : String(status)
}

async function byTls(host: string, to: number): Promise<string> {
  const { status, body } = await ask({ host, port: to, agent: tlsAgent() }, { host: "a.test" })
  return status === 200 ? body : String(status)
}

test("a new port is one reload, and a listener on a known port none", async () => {
  const first = {
    on: { scheme: "http", address: "127.0.1.1", port },
    host: "a.test",
    backend: "first",
  } as const
  const second = {
    on: { scheme: "http", address: "127.0.1.2", port },
    host: "a.test",
    backend: "second",
  } as const
  const ports: readonly WebPort[] = [
    { scheme: "http", port },
    { scheme: "https", port: tlsPort },
  ]
  await site.serve({ ports: [], hosts: [] })
  expect(await at("127.0.0.1", site.ports.http)).toBe("main")
  await expect(at("127.0.1.1", port)).rejects.toThrow("ECONNREFUSED")
  expect(await site.serve({ ports, hosts: [first] })).toBeDefined()
  expect(await at("127.0.1.1", port)).toBe("first")
  expect(await site.serve({ ports, hosts: [first, second] })).toBeUndefined()
  expect([await at("127.0.1.1", port), await at("127.0.1.2", port)]).toEqual(["first", "second"])
  expect(await at("127.0.1.3", port)).toBe("404")
  expect(await at("127.0.1.1", port, "first.test")).toBe("404")
})

test("listeners on the ports of all see their own hosts, and every other address those of all", async () => {
  const { http, https } = site.ports
  const own = { scheme: "http", address: "127.0.1.1", port: http } as const
  const tls = { scheme: "https", address: "127.0.1.1", port: https } as const
  const apart = { scheme: "https", port: tlsPort } as const
  const ports: readonly WebPort[] = [own, tls, apart].map(({ scheme, port: number }) => ({
    scheme,
    port: number,
  }))
  const hosts = [
    { on: own, host: "a.test", backend: "first" },
    { on: tls, host: "a.test", backend: "second" },
    { on: apart, host: "a.test", backend: "first" },
  ]
  await site.serve({ ports, hosts })
  expect([await at("127.0.1.1", http), await at("127.0.0.1", http)]).toEqual(["first", "main"])
  expect([await byTls("127.0.1.1", https), await byTls("127.0.0.1", https)]).toEqual(["second", "main"])
  expect(await byTls("127.0.0.1", tlsPort)).toBe("first")
  expect(await at("127.0.1.1", http, "first.test")).toBe("404")
  await site.serve({ ports, hosts: [] })
  expect([await at("127.0.1.1", http), await byTls("127.0.1.1", https)]).toEqual(["main", "main"])
})

test("a wildcard of a listener stands for one label or for several", async () => {
  const on = { scheme: "http", port } as const
  const hosts = [
    { on, host: "**.shop.test", backend: "first" },
    { on, host: "**.b.shop.test", backend: "second" },
    { on, host: "x.b.shop.test", backend: "main" },
  ]
  await site.serve({ ports: [on], hosts })
  const names = ["shop.test", "a.shop.test", "c.a.shop.test", "a.b.shop.test", "x.b.shop.test"]
  const answers = await Promise.all(names.map((name) => at("127.0.0.1", port, name)))
  expect(answers).toEqual(["404", "first", "first", "second", "main"])
})
