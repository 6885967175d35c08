import { expect, test } from "vitest"
import { replicasOf } from "../../../../controller/report/status/replicas.ts"
import type { Json } from "../../../../harness/manifests.ts"
import { clusterOf, pod } from "./cluster.ts"

const own = { namespace: "ingress", name: "wick-0" }

function names(...pods: readonly Json[]): readonly string[] | undefined {
  return replicasOf(clusterOf(...pods).pods, own)?.map(({ meta }) => meta.name)
}

test("replicas are the Pods of the namespace that have all labels of this one", () => {
  const labels = { app: "wick", part: "edge" }
  const pods = [
    pod("wick-0", { labels }),
    pod("wick-1", { labels: { ...labels, more: "yes" } }),
    pod("shop-0", { labels: { app: "wick" } }),
    pod("wick-2", { labels, namespace: "other" }),
  ]
  expect(names(...pods)).toEqual(["wick-0", "wick-1"])
})

test.each([
  "pod-template-hash",
  "helm.sh/chart",
  "app.kubernetes.io/version",
  "controller-revision-hash",
  "pod-template-generation",
])("%s does not tell them apart", (label) => {
  const of = (value: string) => ({ labels: { app: "wick", [label]: value } })
  expect(names(pod("wick-0", of("1")), pod("wick-1", of("2")))).toEqual(["wick-0", "wick-1"])
})

test("a Pod that only its generation labels is the only one", () => {
  expect(names(pod("wick-0", { labels: { "pod-template-hash": "1" } }), pod("shop-0"))).toEqual(["wick-0"])
})

test("nobody is known as long as this Pod is not", () => {
  expect(names(pod("wick-1"))).toBeUndefined()
})
