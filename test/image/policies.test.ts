// A balancing policy from a ConfigMap, compiled and run where nothing can be written but /tmp and nobody has rights.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { podPort, sliceOf } from "../../harness/cluster/pods.ts"
import { ingress, settings } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { picks } from "../support/policies.ts"
import { type Pod, startPod } from "./support/pod.ts"

let server: ApiServer
let pod: Pod

beforeAll(async () => {
  server = await startApiServer()
  pod = await startPod(server, { configmap: "settings" })
})
afterAll(async () => {
  await pod?.stop()
  await server?.stop()
})

test("a policy of a ConfigMap chooses the endpoints", async () => {
  const { namespace, backends } = pod
  const binaryData = { "mine.wasm": Buffer.from(picks(1)).toString("base64") }
  await server.admin.apply(
    { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "modules" }, binaryData },
    settings(`${namespace}/settings`, { policies: "mine", "policies-configmap": `${namespace}/modules` }),
    sliceOf(`${namespace}/web`, backends),
    ingress(`${namespace}/first`, `first.test/ → web:${podPort}`, {
      "load-balance": "wasm/mine",
      "upstream-hash-by": "$arg_key",
    }),
  )
  const answering = async (key: string) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => pod.get(`/?key=${key}`)))
    return [...new Set(answers.map(({ status, body }) => `${status} ${body}`))].sort().join()
  }
  await until("the policy to choose", async () => (await answering("four")) === "200 two")
  expect(await answering("other")).toBe("200 one")
  const { code, out } = await pod.container.exec("wick", "policies")
  expect([code, out]).toEqual([0, expect.stringMatching(/^mine +in force +[0-9a-f]{12} +1 /m)])
})
