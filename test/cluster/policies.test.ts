// Balancing policies in a ConfigMap of a real API server, and what users find with `kubectl describe` when one cannot be used.
import { afterAll, beforeAll, expect, test } from "vitest"
import { digestOf } from "../../controller/input/policies/module.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ingress, ingressClass, type Json, service, settings, slice } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { importsMore, picks } from "../support/policies.ts"

let server: ApiServer
let wick: Wick
let namespace: string

beforeAll(async () => {
  server = await startApiServer()
  namespace = await server.namespace("policies")
  wick = await startWickIn(server, { flags: ["--configmap=wick/settings", "--sync-rate-limit=100"] })
  await server.admin.apply(
    ingressClass,
    settings("wick/settings", { policies: "mine", "policies-configmap": "wick/policies" }),
    modules({ "mine.wasm": picks(1) }),
    service(`${namespace}/cart`),
    slice(`${namespace}/cart`, ["10.0.0.1", "10.0.0.2"], 8080),
    ingress(name(), "cart.test/ → cart:80", { "load-balance": "wasm/mine" }),
  )
})
afterAll(async () => {
  await wick.stop()
  await server.stop()
})

const name = () => `${namespace}/cart`

function modules(byFile: Readonly<Record<string, Uint8Array>>): Json {
  const entries = Object.entries(byFile).map(([file, bytes]) => [file, Buffer.from(bytes).toString("base64")])
  return { ...settings("wick/policies", {}), binaryData: Object.fromEntries(entries) }
}

/** Digest of the policy that nginx was posted for the backend; undefined: none. */
async function posted(): Promise<string | undefined> {
  const { body } = await wick.control("GET", `/configuration/backends?name=${namespace}-cart-80`)
  return JSON.parse(body)[0]?.policy?.digest
}

/** An Event of this reason on the Ingress. */
function untilTold(reason: string): Promise<string> {
  return until(`${reason} on the Ingress`, async () => {
    const fieldSelector = `involvedObject.name=cart,involvedObject.kind=Ingress,reason=${reason}`
    const [event] = await server.admin.list("Event", namespace, { fieldSelector })
    return event === undefined ? undefined : String(event.message)
  })
}

test("a policy of binaryData is in force", async () => {
  await until("the policy", async () => (await posted()) === digestOf(picks(1)))
})

test("one that is refused is an Event on the Ingress that names it, and the version before stays", async () => {
  await server.admin.apply(modules({ "mine.wasm": importsMore() }))
  expect(await untilTold("BalancingPolicyRefused")).toContain("env.system")
  expect(await posted()).toBe(digestOf(picks(1)))
})

test("one that is taken away is an Event, too, and nothing of it is in force", async () => {
  await server.admin.apply(modules({}))
  expect(await untilTold("BalancingPolicyMissing")).toContain("there is no module of it")
  await until("round robin", async () => (await posted()) === undefined)
})

test("one that nobody allows any more is an Event as well", async () => {
  await server.admin.apply(modules({ "mine.wasm": picks(2) }))
  await until("the policy", async () => (await posted()) === digestOf(picks(2)))
  await server.admin.apply(settings("wick/settings", { "policies-configmap": "wick/policies" }))
  expect(await untilTold("BalancingPolicyForbidden")).toContain('key "policies" does not list it')
  await until("round robin", async () => (await posted()) === undefined)
})
