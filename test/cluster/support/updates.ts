import { expect } from "vitest"
import type { ApiServer } from "../../../harness/cluster/api-server.ts"
import type { Json } from "../../../harness/manifests.ts"
import { balancerAddress } from "../../kubelet/network.ts"
import type { Node } from "../../kubelet/node.ts"
import { expectNoLoss } from "./loss.ts"
import { Release } from "./release.ts"
import { Shop } from "./shop.ts"

/** Values of the chart for two replicas that need not wait for a cloud's load balancer. */
export const controller = { replicaCount: 2, extraArgs: { "post-shutdown-grace-period": "0" } }

/**
 * By `helm upgrade` and `helm rollback` all Pods are replaced twice while customers come by HTTP and by HTTP/2 with TLS: none of their requests is lost.
 *
 * @param name of the release
 * @param values of its controller, beside `controller`
 */
export async function expectSeamlessUpdates(
  server: ApiServer,
  node: Node,
  name = "rollout",
  values: Json = {},
): Promise<void> {
  await using shop = await Shop.open(server)
  using release = new Release(server, node, name)
  const before = { ...controller, ...values }
  await release.install({ controller: before })
  const address = balancerAddress(1)
  await release.publish(address)
  const customers = [...shop.customers(address), shop.secureCustomers(address)]
  const first = release.pods
  await release.upgrade({ controller: { ...before, image: { tag: "next" } } })
  const second = release.pods.filter((pod) => !first.includes(pod))
  await release.rollback(1)
  await release.settled()
  expect(second).toHaveLength(2)
  for (const pod of release.pods) expect([...first, ...second]).not.toContain(pod)
  await expectNoLoss(customers)
  await release.uninstall()
}
