// A real API server asks wick about objects of the Gateway API.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { installGatewayApi } from "../../harness/cluster/gateway-api.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import type { Json } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { gateway, gatewayClass, gatewayObject, route } from "../support/gateway-objects.ts"
import { attempt, Webhook } from "./support/webhook.ts"

const label = "checked"
const denied = 'admission webhook "validate.gateway.wick.dev" denied the request: '
const http = { port: 80, protocol: "HTTP" }

let server: ApiServer
let webhook: Webhook
let wick: Wick
let shop: string

beforeAll(async () => {
  server = await startApiServer()
  webhook = await Webhook.prepare(server)
  await installGatewayApi(server)
  shop = await server.namespace("shop", { [label]: "yes" })
  await server.admin.apply(gatewayClass)
  wick = await startWickIn(server, { flags: [...webhook.flags, "--gateway-addresses=127.0.0.1,127.0.0.2"] })
  await webhook.announce(label)
  await until("the API server to ask", async () => (await tried(bad())).includes(denied))
  await until(
    "a Gateway to be let in",
    async () => (await attempt(server, gateway(`${shop}/edge`, [http]))) === "",
  )
  await until("wick to know it", async () => (await tried(unsupported())).includes(denied))
})
afterAll(async () => {
  await wick?.stop()
  webhook?.[Symbol.dispose]()
  await server?.stop()
})

const tried = (object: Json) => attempt(server, object, { dryRun: "All" })
const bad = () =>
  gateway(`${shop}/bad`, [http], 0, {
    spec: { addresses: [{ type: "Hostname", value: "a.test" }] },
  })
const unsupported = () =>
  route("HTTPRoute", `${shop}/web`, `${shop}/edge`, {
    rules: [
      {
        filters: [{ type: "ExtensionRef", extensionRef: { group: "x.test", kind: "X", name: "x" } }],
        backendRefs: [{ name: "web", port: 80 }],
      },
    ],
  })

test("what would not be served is refused with the sentence of its condition", async () => {
  expect(await tried(bad())).toContain(
    `400 ${denied}spec.addresses[0].type: Cannot use addresses of type "Hostname": only IPAddress is supported`,
  )
  expect(await tried(unsupported())).toContain(`${denied}spec.rules[0].filters[0]: `)
})

test("what is right is stored, and so are its updates and its status", async () => {
  const good = route("HTTPRoute", `${shop}/good`, `${shop}/edge`)
  expect(await attempt(server, good)).toBe("")
  await until("its status", async () => {
    const stored = await server.admin.get("HTTPRoute", `${shop}/good`)
    return stored?.status?.parents?.length === 1
  })
})

test("a younger policy for the same Service is refused", async () => {
  const policy = (name: string) =>
    gatewayObject("BackendTLSPolicy", `${shop}/${name}`, {
      targetRefs: [{ group: "", kind: "Service", name: "web" }],
      validation: { hostname: "web.test", wellKnownCACertificates: "System" },
    })
  expect(await attempt(server, policy("one"))).toBe("")
  await until("wick to know it", async () => (await tried(policy("two"))).includes(denied))
  expect(await tried(policy("two"))).toContain('BackendTLSPolicy "one" is older and for the same')
})
