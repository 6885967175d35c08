// Listeners with hosts of their own on the nginx.conf that wick writes: which ports there are is configuration, whose hosts are there is data.
import { afterAll, beforeAll, expect, test } from "vitest"
import { liveChange } from "../../../controller/core/plan/change.ts"
import { type Listener, serverOf, type WebPort } from "../../../controller/model/listener.ts"
import type { Fixed, Model } from "../../../controller/model/model.ts"
import type { Host } from "../../../controller/model/route.ts"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ask } from "../../../harness/http.ts"
import { ingress, ingressClass, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"
import { tlsAgent } from "../../support/agents.ts"
import { type LocalPlane, localPlane } from "../../support/local-plane.ts"

let local: LocalPlane
let backends: Backends
let port = 0
let tlsPort = 0

beforeAll(async () => {
  backends = await startBackends("main", "first", "second")
  local = await localPlane()
  const ports = await freePorts(2)
  ;[port = 0, tlsPort = 0] = ports
})
afterAll(async () => {
  await local[Symbol.asyncDispose]()
  await backends.stop()
})

/** An Ingress's host "a.test" for each backend, by the name of the backend. */
function model(): Model {
  const objects = [...backends].flatMap(({ name, port: at }) => [
    ingress(`demo/${name}`, `${name === "main" ? "a" : name}.test/ → ${name}:80`),
    ...serviceOn(`demo/${name}`, [at]),
  ])
  const changes = [ingressClass, ...objects].flatMap((object, at) => changesOf(object, `all.yaml:${at}`))
  return translationOf(changes, optionsOf(["--manifests=x", ...local.flags])).model
}

/** The host "a.test" of this listener, served as `name`.test is to all. */
function hostsOf(listener: Listener, name: string, { live: { hosts } }: Model): readonly Host[] {
  const server = serverOf(listener)
  const routes = hosts.find(({ host }) => host === `${name}.test`)?.routes ?? []
  return [
    { server, host: "_", routes: [] },
    { server, host: "a.test", routes },
  ]
}

async function serve(listeners: readonly WebPort[], all: readonly (readonly [Listener, string])[]) {
  const { fixed, live } = model()
  const wanted = {
    ...live,
    hosts: [...live.hosts, ...all.flatMap(([listener, name]) => hostsOf(listener, name, { fixed, live }))],
  }
  const { plane } = local
  const withPorts: Fixed = { ...fixed, ...(listeners.length > 0 && { listeners }) }
  if (plane.generation === undefined) await plane.prepare(withPorts)
  expect(await plane.post(wanted, liveChange(plane.live, wanted))).toEqual([])
  return plane.load(withPorts)
}

const at = async (host: string, to: number, name = "a.test") =>
  (await ask({ host, port: to }, { host: name })).body.trim()
const byTls = async (host: string, to: number) =>
  (await ask({ host, port: to, agent: tlsAgent() }, { host: "a.test" })).body

test("a new port is one reload, and a listener on a known port none", async () => {
  const first = { scheme: "http", address: "127.0.1.1", port } as const
  const second = { scheme: "http", address: "127.0.1.2", port } as const
  const ports: readonly WebPort[] = [
    { scheme: "http", port },
    { scheme: "https", port: tlsPort },
  ]
  await serve([], [])
  expect(await at("127.0.0.1", local.ports.http)).toBe("main")
  await expect(at("127.0.1.1", port)).rejects.toThrow("ECONNREFUSED")
  expect(await serve(ports, [[first, "first"]])).toBeDefined()
  expect(await at("127.0.1.1", port)).toBe("first")
  expect(
    await serve(ports, [
      [first, "first"],
      [second, "second"],
    ]),
  ).toBeUndefined()
  expect([await at("127.0.1.1", port), await at("127.0.1.2", port)]).toEqual(["first", "second"])
  expect(await at("127.0.1.3", port)).toContain("404 Not Found")
  expect(await at("127.0.1.1", port, "first.test")).toContain("404 Not Found")
})

test("listeners on the ports of all see their own hosts, and every other address those of all", async () => {
  const { http, https } = local.ports
  const own = { scheme: "http", address: "127.0.1.1", port: http } as const
  const tls = { scheme: "https", address: "127.0.1.1", port: https } as const
  const apart = { scheme: "https", port: tlsPort } as const
  const ports: readonly WebPort[] = [own, tls, apart].map(({ scheme, port: number }) => ({
    scheme,
    port: number,
  }))
  await serve(ports, [
    [own, "first"],
    [tls, "second"],
    [apart, "first"],
  ])
  expect([await at("127.0.1.1", http), await at("127.0.0.1", http)]).toEqual(["first", "main"])
  expect([await byTls("127.0.1.1", https), await byTls("127.0.0.1", https)]).toEqual(["second", "main"])
  expect(await byTls("127.0.0.1", tlsPort)).toBe("first")
  expect(await at("127.0.1.1", http, "first.test")).toContain("404 Not Found")
  await serve(ports, [])
  expect([await at("127.0.1.1", http), await byTls("127.0.1.1", https)]).toEqual(["main", "main"])
})
