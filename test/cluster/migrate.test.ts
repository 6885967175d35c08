// From ingress-nginx to wick and back, step by step as docs/migrate.md says. What stands in for ingress-nginx is a plain nginx with the same labels,
// behind the same Service, that elects a leader and writes statuses by the same rules (test/apiserver/previous.go).
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { ask } from "../../harness/http.ts"
import { patienceMs, until } from "../../harness/until.ts"
import { balancerAddress } from "../kubelet/network.ts"
import { Node, nodeFlags } from "../kubelet/node.ts"
import { Watch } from "../kubelet/watch.ts"
import { expectNoLoss } from "./support/loss.ts"
import { images, Release } from "./support/release.ts"
import { Shop } from "./support/shop.ts"

/** Other replicas lead soon after a leader is gone, and statuses are looked after soon: the tests would wait half a minute and a minute. */
const soon = { "election-ttl": "4s", "status-update-interval": "1" }
const addresses = { old: balancerAddress(1), wick: balancerAddress(2) }
/** A plain nginx closes kept connections without a word, and clients send again what met a closed one. Between two wicks none may (rollout.test.ts). */
const maxResent = 100

let server: ApiServer
let node: Node
let old: Release
let shop: Shop

beforeAll(async () => {
  server = await startApiServer(...nodeFlags)
  node = await Node.start(server, { images })
  shop = await Shop.open(server)
  old = new Release(server, node, "ingress-nginx")
  // As the page asks for: it goes on for a while when it is told to end, and leaves the statuses, as Pods of another version are none of its
  // replicas to it. Its kernel answers those who come even later.
  const patient = { "shutdown-grace-period": "10", "update-status-on-shutdown": "false" }
  const flags = { ...soon, ...patient, "post-shutdown-grace-period": "2" }
  const written = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  await old.installIngressNginx({ replicas: 2, webhook: false, flags: written })
  await old.publish(addresses.old)
  await untilStatus("nginx", addresses.old)
})
afterAll(async () => {
  old[Symbol.dispose]()
  await shop[Symbol.asyncDispose]()
  await node[Symbol.asyncDispose]()
  await server.stop()
})

test("side by side and back: each serves the Ingresses of its class at its own address, and writes their statuses", async () => {
  using wick = new Release(server, node, "wick")
  await wick.install({
    controller: {
      ingressClass: "wick",
      ingressClassResource: { name: "wick", controllerValue: "wick.dev/ingress-controller" },
      extraArgs: { ...soon, "post-shutdown-grace-period": "0" },
    },
  })
  await wick.publish(addresses.wick)
  const customers = shop.customers(addresses.old)
  await server.admin.apply(shop.ingress("wick"))
  await untilStatus("wick", addresses.wick)
  await until("wick to serve it", async () => (await answer(addresses.wick)).status === 200)
  expect(await servedBy(addresses.wick)).toBe("wick")
  expect(await servedBy(addresses.old)).toBe("ingress-nginx")
  // What the page calls moving DNS: some customers come here, while the others still go there.
  const moved = shop.customers(addresses.wick)
  await until("customers at both", () => moved.every(({ result }) => result.requests > 100))
  await expectNoLoss([...moved, ...customers])
  expect(await statusOf("nginx")).toEqual([{ ip: addresses.old }])

  await server.admin.delete("Ingress", shop.ingressName("wick"))
  await wick.uninstall()
  expect(await servedBy(addresses.old)).toBe("ingress-nginx")
  expect(await statusOf("nginx")).toEqual([{ ip: addresses.old }])
})

test("in place and back: one Service, one class, one Lease; no request is lost, and no status changes", async () => {
  await using statuses = recordStatuses()
  const leaving = shop.customers(addresses.old)
  const extraArgs = { ...soon, "post-shutdown-grace-period": "0" }
  await old.upgrade({ controller: { replicaCount: 2, extraArgs } })
  await old.settled()
  await expectNoLoss(leaving, maxResent)
  expect(await servedBy(addresses.old)).toBe("wick")
  await until("a Pod of wick to lead", isLed)

  const coming = shop.customers(addresses.old)
  await old.rollback(1)
  await old.settled()
  await expectNoLoss(coming, maxResent)
  expect(await servedBy(addresses.old)).toBe("ingress-nginx")
  await until("a Pod of ingress-nginx to lead", isLed)
  expect([...statuses.seen]).toEqual([JSON.stringify([{ ip: addresses.old }])])
})

const answer = (host: string) => ask({ host, port: 80 }, { ...shop.question, timeoutMs: patienceMs })

async function servedBy(host: string): Promise<string> {
  const { status, headers } = await answer(host)
  return status === 200 ? String(headers["x-served-by"] ?? "wick") : String(status)
}

/** Whether one of the Pods that run now has the Lease. */
async function isLed(): Promise<boolean> {
  const lease = await server.admin.get("Lease", `${old.name}/ingress-nginx-leader`)
  return old.pods.includes(`${old.name}/${lease?.spec.holderIdentity}`)
}

/** Every status of the shop's Ingress from now on, of the class that is there before. */
function recordStatuses() {
  const seen = new Set<string>()
  const watch = new Watch(server.adminLogin, "Ingress", ({ metadata, status }) => {
    if (`${metadata.namespace}/${metadata.name}` !== shop.ingressName("nginx")) return
    seen.add(JSON.stringify(status.loadBalancer.ingress ?? []))
  })
  return { seen, [Symbol.asyncDispose]: () => watch.stop() }
}

/** Of the shop's Ingress of this class. */
async function statusOf(className: string): Promise<readonly { ip?: string }[]> {
  return (await server.admin.get("Ingress", shop.ingressName(className)))?.status.loadBalancer.ingress ?? []
}

async function untilStatus(className: string, ip: string): Promise<void> {
  await until(`status ${ip} of class ${className}`, async () => (await statusOf(className))[0]?.ip === ip)
}
