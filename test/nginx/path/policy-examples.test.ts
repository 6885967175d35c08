// What the example policies promise, kept by the product: headers of requests and responses, requests that run, zones, and numbers of their own reach
// them from real traffic.
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, serviceOn, slice } from "../../../harness/manifests.ts"
import { root } from "../../../harness/paths.ts"
import { until } from "../../../harness/until.ts"
import { compile } from "../../../lab/policy/build.ts"
import { Site } from "./site.ts"

const examples = ["customer-canary", "jwt-affinity", "load-report", "zone-spill-over"] as const
type Example = (typeof examples)[number]

const names = ["b0", "b1", "b2"]
const zoneLabel = "topology.kubernetes.io/zone"

let directory: string
let site: Site
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "policies-"))
  site = await Site.start(names, {
    flags: [`--policies=${directory}`, "--enable-topology-aware-routing"],
    env: { POD_NAMESPACE: "demo", POD_NAME: "wick" },
  })
  await Promise.all(examples.map(install))
  site.configure({
    policies: examples.join("\n"),
    "policy-readable-headers": "authorization,x-customer,endpoint-load-metrics",
  })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

async function install(name: Example): Promise<void> {
  const part = join(directory, `.${name}`)
  await writeFile(part, await compile(join(root, "examples/policies", name, "policy.ts")))
  await rename(part, join(directory, `${name}.wasm`))
}

/** The Service `web`, balanced by an example; in force when it returns. */
async function use(policy: Example, objects: readonly Json[], config?: string): Promise<void> {
  const own = { "load-balance": `wasm/${policy}`, ...(config && { "wick.dev/policy-config": config }) }
  await site.put(...objects, ingress("demo/web", "foo.test/ → web:80", own))
  await until(`the policy ${policy}`, async () => {
    const { body } = await site.wick.control("GET", "/configuration/backends?name=demo-web-80")
    return body.includes(`"name":"${policy}"`)
  })
  await until(`${policy} to choose`, async () => {
    await site.shares(8)
    return (await site.wick.metric("wick_policy_picks_total", `policy="${policy}"`)) > 0
  })
}

/** No policy here ever fails or declines. */
const faults = () => site.wick.metric("wick_policy_faults_total")

test("load-report sends less to those that report that they are busy, and as much again when they are not", async () => {
  const busy = site.backend("b0")
  const share = async () => ((await site.shares(200)).get("b0") ?? 0) / 200
  await use("load-report", site.service("web", ...names))
  expect(await share()).toBeGreaterThan(0.2)
  busy.responseHeaders = { "endpoint-load-metrics": "TEXT cpu_utilization=0.9" }
  await until("its report to count", async () => (await share()) < 0.12)
  busy.responseHeaders = { "endpoint-load-metrics": "TEXT cpu_utilization=0.0" }
  await until("its recovery to count", async () => (await share()) > 0.2)
  expect(await faults()).toBe(0)
})

test("zone-spill-over stays in the zone until its endpoints have too much to do", async () => {
  const near = site.backend("b0")
  await use("zone-spill-over", [...zones(), ...inZones({ b0: "here", b1: "there" })], "2")
  for (let request = 0; request < 24; request += 1) expect((await site.get("/")).body).toBe("b0")
  await near.fault("hold")
  const held = Array.from({ length: 2 }, () => site.get("/"))
  await until("two to be under way", () => near.running === 2)
  expect((await site.get("/")).body).toBe("b1")
  await near.fault(undefined)
  expect((await Promise.all(held)).map(({ body }) => body)).toEqual(["b0", "b0"])
  await until("the way back", async () => (await site.get("/")).body === "b0")
  expect(await faults()).toBe(0)
})

test("jwt-affinity sends the same client to the same endpoint, and different ones to different ones", async () => {
  await use("jwt-affinity", site.service("web", ...names))
  const ofClients: string[][] = []
  for (let client = 0; client < 12; client += 1) {
    const headers = { authorization: `Bearer e30.${base64url({ sub: `client-${client}` })}.x` }
    ofClients.push(await site.answering(8, { headers }))
  }
  expect(ofClients.map((who) => who.length)).toEqual(ofClients.map(() => 1))
  expect(new Set(ofClients.flat()).size).toBe(names.length)
  expect(await faults()).toBe(0)
})

test("customer-canary sends the customers of its list to the canary, and nobody else", async () => {
  const port = site.backend("b2").port
  const config = `port ${port}\nheader x-customer\ncustomers acme, globex`
  await use("customer-canary", site.service("web", ...names), config)
  for (const customer of ["acme", "globex"])
    expect(await site.answering(24, { headers: { "x-customer": customer } })).toEqual(["b2"])
  expect(await site.answering(24, { headers: { "x-customer": "initech" } })).toEqual(["b0", "b1"])
  expect(await site.answering(24)).toEqual(["b0", "b1"])
  expect(await faults()).toBe(0)
})

/** This controller's Pod, and the Node that it runs on. */
function zones(): Json[] {
  return [
    { apiVersion: "v1", kind: "Node", metadata: { name: "node", labels: { [zoneLabel]: "here" } } },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "demo", name: "wick" },
      spec: { nodeName: "node" },
    },
  ]
}

/** The Service `web`, with a backend in each of these zones. */
function inZones(backends: Readonly<Record<string, string>>): Json[] {
  const [service] = serviceOn("demo/web", [])
  const slices = Object.entries(backends).map(([name, zone]) => {
    const { port } = site.backend(name)
    const one = slice("demo/web", ["127.0.0.1"], port, name)
    const endpoint = { addresses: ["127.0.0.1"], conditions: { ready: true }, zone }
    return { ...one, endpoints: [endpoint] }
  })
  return [...(service ? [service] : []), ...slices]
}

function base64url(claims: object): string {
  return Buffer.from(JSON.stringify(claims)).toString("base64url")
}
