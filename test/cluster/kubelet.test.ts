// The node and the controllers of the tests, which have to be what a cluster's are as far as tests can tell.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { until } from "../../harness/until.ts"
import { Node, nodeFlags } from "../kubelet/node.ts"

const script = 'cat /etc/first/chosen /etc/second/all; echo "$NAME runs"; exec sleep infinity'
const images = { "registry.test/shell:1": { "": ["sh", "-c", script] } }

let server: ApiServer
let node: Node
beforeAll(async () => {
  server = await startApiServer(...nodeFlags)
  node = await Node.start(server, { images })
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await server.stop()
})

test("a Pod waits for what it mounts, has it as files, and its log is read by the API", async () => {
  const namespace = await server.namespace("mounting")
  await server.admin.apply(deploymentIn(namespace), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: "settings" },
    data: { all: "of the ConfigMap\n" },
  })
  await server.admin.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name: "keys" },
    stringData: { key: "of the Secret\n", other: "not mounted" },
  })
  const pod = await until("the Pod to be ready", () => node.pods.find(({ isReady }) => isReady))
  const path = `/api/v1/namespaces/${pod.name.replace("/", "/pods/")}/log`
  const log = await until("all of its log", async () => {
    const text = (await server.admin.send("GET", path)) as string
    return text.endsWith("runs\n") && text
  })
  expect(log).toBe(`of the Secret\nof the ConfigMap\n${pod.name.split("/")[1]} runs\n`)
})

test("what a deleted Deployment owned is gone, and what was in a deleted namespace", async () => {
  await server.admin.delete("Deployment", "mounting-1/shell")
  await until("its Pods to be gone", () => node.pods.length === 0)
  await server.admin.delete("Namespace", "mounting-1")
  await until("the namespace to be gone", async () => !(await server.admin.get("Namespace", "mounting-1")))
})

function deploymentIn(namespace: string) {
  const labels = { app: "shell" }
  const container = {
    name: "shell",
    image: "registry.test/shell:1",
    env: [{ name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    volumeMounts: [
      { name: "first", mountPath: "/etc/first" },
      { name: "second", mountPath: "/etc/second" },
    ],
  }
  const volumes = [
    { name: "first", secret: { secretName: "keys", items: [{ key: "key", path: "chosen" }] } },
    { name: "second", configMap: { name: "settings" } },
  ]
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name: "shell" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [container], volumes, terminationGracePeriodSeconds: 0 },
      },
    },
  }
}
