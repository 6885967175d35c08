// The status of Ingresses with a directory of manifests: a line of the log for each change.
import { describe, expect, test } from "vitest"
import { ingress, ingressClass, type Json, manifest } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const cart = ingress("shop/cart", "cart.test/ → cart:80")
const web = ingress("shop/web", "web.test/ → web:80")
const pod = { POD_NAMESPACE: "ingress", POD_NAME: "wick-0" }

function start(objects: readonly Json[], flags: readonly string[], env = {}): Promise<Wick> {
  return startWick({ manifests: { "all.yaml": manifest(ingressClass, ...objects) }, flags, env })
}

interface Written {
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string }
  readonly addresses: readonly string[]
}

/** Each written status as "Ingress shop/cart 192.0.2.1", in the order of the log. */
function statuses(wick: Wick): readonly string[] {
  return wick
    .log()
    .split("\n")
    .filter((line) => line.includes('"msg":"Status"'))
    .map((line) => JSON.parse(line) as Written)
    .map(
      ({ object: { kind, namespace, name }, addresses }) =>
        `${kind} ${namespace}/${name} ${addresses.join(" ")}`,
    )
}

const written = (wick: Wick, count: number) =>
  until(`${count} written statuses`, () => statuses(wick).length >= count && statuses(wick))

function service(spec: Json, status: Json = {}): Json {
  return { apiVersion: "v1", kind: "Service", metadata: { namespace: "ingress", name: "lb" }, spec, status }
}

describe("the status of Ingresses", () => {
  test("is written once, for one that comes later too, and stays when the process stops", async () => {
    await using wick = await start([cart], ["--publish-status-address=192.0.2.1, LB.test"])
    expect(await written(wick, 1)).toEqual(["Ingress shop/cart 192.0.2.1 lb.test"])
    wick.write("web.yaml", manifest(web))
    expect(await written(wick, 2)).toContain("Ingress shop/web 192.0.2.1 lb.test")
    expect(await wick.stop()).toBe(0)
    expect(statuses(wick)).toHaveLength(2)
  })

  test("399: has names and external IPs of a load balancer, and follows them", async () => {
    const spec = { type: "LoadBalancer", clusterIP: "10.96.0.9", externalIPs: ["192.0.2.9"] }
    const given = (hostname: string) => service(spec, { loadBalancer: { ingress: [{ hostname }] } })
    await using wick = await start([cart], ["--publish-service=ingress/lb"])
    wick.write("lb.yaml", manifest(given("one.lb.test")))
    expect(await written(wick, 1)).toEqual(["Ingress shop/cart 192.0.2.9 one.lb.test"])
    wick.write("lb.yaml", manifest(given("two.lb.test")))
    expect(await written(wick, 2)).toContain("Ingress shop/cart 192.0.2.9 two.lb.test")
  })

  test("has the addresses of the Nodes that ready replicas run on", async () => {
    const replica = (name: string, nodeName: string, status: Json): Json => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "ingress", name, labels: { app: "wick" } },
      spec: { nodeName },
      status,
    })
    const node = (name: string, address: string): Json => ({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      status: { addresses: [{ type: "ExternalIP", address }] },
    })
    const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] }
    const nodes = [node("node-1", "192.0.2.1"), node("node-2", "192.0.2.2")]
    await using wick = await start([cart, ...nodes, replica("wick-0", "node-1", ready)], [], pod)
    expect(await written(wick, 1)).toEqual(["Ingress shop/cart 192.0.2.1"])
    wick.write("other.yaml", manifest(replica("wick-1", "node-2", ready)))
    expect(await written(wick, 2)).toContain("Ingress shop/cart 192.0.2.1 192.0.2.2")
  })
})
