// What the guides say about load balancers in front and about the access log, with the settings that they show.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { until } from "../../../harness/until.ts"
import { proxyAgent, proxyV2 } from "../../support/agents.ts"
import { documentsOf, examplesOf, objectsUnder } from "../../support/examples.ts"
import { GuideSite } from "./guide-site.ts"

const balancers = "docs/guides/load-balancers.md"
const logs = "docs/guides/log-format.md"
const plain = { page: "docs/guides/canary.md", heading: "Canaries: a new version for some requests" }
const redirecting = { page: "docs/guides/rewriting.md", heading: "To HTTPS" }
const dir = mkdtempSync(join(tmpdir(), "wick-guides-"))

let at: GuideSite
beforeAll(async () => {
  at = await GuideSite.start([plain, redirecting])
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

type Texts = Readonly<Record<string, string>>

/** Keys of the ConfigMap among the values of the chart that stand under a heading. */
function configUnder(heading: string): Texts {
  const documents = examplesOf(balancers)
    .filter((example) => example.heading === heading)
    .flatMap(documentsOf)
  return (documents[0] as { controller: { config: Texts } }).controller.config
}

test("PROXY protocol brings the client's address, and who comes without gets no answer", async () => {
  await at.apply(plain.page, plain.heading)
  await at.site.reconfigure(configUnder("PROXY protocol"))
  const { port } = at.site.wick
  const agent = proxyAgent(proxyV2("192.0.2.7", 4711))
  expect((await ask({ port, agent }, { host: "shop.example.com" })).body).toBe("shop")
  expect(at.site.backend("shop").lastHeaders["x-real-ip"]).toBe("192.0.2.7")
  await expect(ask({ port }, { host: "shop.example.com" })).rejects.toThrow()
  await at.site.reconfigure({})
})

test("a load balancer that has ended TLS is believed, and nobody else", async () => {
  const host = "pay.example.com"
  const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7" }
  const config = configUnder("The load balancer ends TLS")
  await at.apply(redirecting.page, redirecting.heading)
  expect((await at.site.get("/", { host, headers })).status).toBe(308)
  await at.site.reconfigure(config)
  expect((await at.site.get("/", { host, headers })).status).toBe(308)
  await at.site.reconfigure({ ...config, "proxy-real-ip-cidr": "127.0.0.0/8" })
  expect((await at.site.get("/", { host, headers })).body).toBe("pay")
  expect(at.site.backend("pay").lastHeaders).toMatchObject({
    "x-real-ip": "192.0.2.7",
    "x-forwarded-proto": "https",
  })
  expect((await at.site.get("/", { host })).status).toBe(308)
})

test("the log of the example is JSON, whatever the client says", async () => {
  const [configMap] = objectsUnder(logs, "JSON")
  const file = join(dir, "access.log")
  await at.apply(plain.page, plain.heading)
  await at.site.reconfigure({ "access-log-path": file, ...(configMap?.data as Texts) })
  await at.site.get('/a"b', { host: "shop.example.com" })
  const [line = ""] = await until("a line", () => {
    const lines = readFileSync(file, "utf8")
      .split("\n")
      .filter((text) => text.includes("/a"))
    return lines.length > 0 ? lines : undefined
  })
  expect(JSON.parse(line)).toMatchObject({
    ...{ method: "GET", host: "shop.example.com", uri: '/a"b', status: 200 },
    ...{ namespace: "demo", ingress: "shop", service: "shop", upstream_status: "200" },
  })
})
