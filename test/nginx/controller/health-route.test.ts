// The health path on the traffic port: who has no host of his own here asks for it, everybody else keeps it.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ask } from "../../../harness/http.ts"
import { ingress, ingressClass, type Json, manifest, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

let backends: Backends
let wick: Wick

beforeAll(async () => {
  backends = await startBackends("one")
  const services = serviceOn("shop/web", [backends[0]?.port ?? 0])
  const objects = manifest(ingressClass, ...services, ingress("shop/web", "shop.test/ → web:80"))
  const flags = ["--gateway-addresses=127.0.0.1"]
  wick = await startWick({ manifests: { "all.yaml": objects }, flags })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

test("an unknown host and no host at all get 200, another path 404", async () => {
  expect((await wick.get("/healthz", { host: "10.0.0.1" })).status).toBe(200)
  expect((await wick.get("/healthz/", { host: "10.0.0.1" })).status).toBe(404)
})

test("a host with routes has that path for itself", async () => {
  expect((await wick.get("/healthz", { host: "shop.test" })).body).toBe("one")
})

test("a rule without a host may take it", async () => {
  wick.write("health.yaml", manifest(ingress("shop/health", "/healthz =→ web:80")))
  await until("the rule", async () => (await wick.get("/healthz", { host: "10.0.0.1" })).body === "one")
  wick.remove("health.yaml")
  await until("it to be gone", async () => (await wick.get("/healthz", { host: "10.0.0.1" })).body === "")
})

test("a Gateway's listeners have no such path, and it stays where it was", async () => {
  const [port = 0] = await freePorts(1)
  const object = (kind: string, name: string, spec: Json): Json => ({
    ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
    metadata: { name, ...(kind === "Gateway" && { namespace: "shop" }) },
  })
  const listeners = [{ name: "web", port, protocol: "HTTP" }]
  const edge = object("Gateway", "edge", { gatewayClassName: "wick", listeners })
  wick.write(
    "gateway.yaml",
    manifest(object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }), edge),
  )
  const status = async () => (await ask({ port }, { path: "/healthz" }).catch(() => undefined))?.status
  await until("the listener", async () => (await status()) === 404)
  expect((await wick.get("/healthz", { host: "10.0.0.1" })).status).toBe(200)
})
