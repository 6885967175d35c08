// An API server that answers, but not what it is asked: it has too much to do, or does not take the credentials.
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import {
  type ApiServer,
  type ServiceAccount,
  startApiServer,
  writeToken,
} from "../../../harness/cluster/api-server.ts"
import { grant } from "../../../harness/cluster/rights.ts"
import { until } from "../../../harness/until.ts"
import { moment } from "../../support/clock.ts"
import { type Gate, startGate, tooMany } from "../support/gate.ts"
import { type Site, startSite } from "../support/site.ts"

let server: ApiServer
let gate: Gate
let account: ServiceAccount
let site: Site
beforeAll(async () => {
  server = await startApiServer()
  gate = await startGate(server)
  await server.admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "wick" } })
  account = await grant(server, "wick", { via: gate.url })
  site = await startSite(server, { kubeconfig: account.kubeconfig })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
  await server.stop()
})
beforeEach(() => site.counts())

test("with 429 the API server is left alone for as long as it asks", async () => {
  const retryAfterMs = 4000
  const times = new Map<string, number[]>()
  gate.refuse = (request) => {
    const asked = `${request.method} ${request.url?.split("?")[0]}`
    times.set(asked, [...(times.get(asked) ?? []), moment()])
    return tooMany(retryAfterMs / 1000)
  }
  gate.reset()
  await site.setPods(1)
  await until("a second try of something", () => [...times.values()].some((tries) => tries.length > 1))
  gate.refuse = () => undefined
  await site.settled()
  const pauses = [...times.values()].flatMap((tries) =>
    tries.slice(1).map((time, at) => time - (tries[at] ?? 0)),
  )
  expect(pauses.length).toBeGreaterThan(0)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(retryAfterMs - 50)
  await site.expectNoLoss()
  expect((await site.counts()).reloads).toBe(0)
})

test("with 503 for a while nothing that was known is forgotten", async () => {
  gate.refuse = () => ({ status: 503, body: "etcd is on holiday" })
  const before = await site.failures("server")
  gate.reset()
  await site.setPods(0, 1)
  await until("several tries", async () => (await site.failures("server")) > before + 20)
  await site.expectNoLoss()
  gate.refuse = () => undefined
  await site.settled()
  await site.expectNoLoss()
})

test("a token that has expired is read again from its file until there is a good one", async () => {
  const expired = `Bearer ${readFileSync(account.tokenFile, "utf8")}`
  const tried: string[] = []
  gate.refuse = ({ headers: { authorization = "" } }) => {
    tried.push(authorization)
    return authorization === expired ? { status: 401 } : undefined
  }
  // This one the API server itself refuses.
  writeToken(account.tokenFile, "not.a.token")
  gate.reset()
  await site.setPods(2)
  await until("the other token to be tried", () => tried.includes("Bearer not.a.token"))
  await site.expectNoLoss()
  writeToken(account.tokenFile, await server.token("wick/wick"))
  await site.settled()
  expect(tried.length).toBeLessThan(200)
  await site.expectNoLoss()
  expect((await site.counts()).reloads).toBe(0)
})

test("rights that are taken away and given back", async () => {
  const before = await site.failures("denied")
  await server.admin.delete("ClusterRoleBinding", "wick-wick")
  await until("the rights to be gone", () =>
    account.client.list("Ingress").then(
      () => false,
      () => true,
    ),
  )
  gate.reset()
  await site.setPods(0)
  await until("several tries", async () => (await site.failures("denied")) > before + 10)
  await site.expectNoLoss()
  await grant(server, "wick")
  await site.settled()
  await site.expectNoLoss()
})
