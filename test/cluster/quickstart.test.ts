// The commands of README.md's "Install it in a cluster", one after the other, against a real API server. What there is no program for here,
// docker and kubectl, is played; a command that is not known fails, so README.md says nothing that is not tried.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../harness/cluster/client.ts"
import { type Answer, ask } from "../../harness/http.ts"
import { nodeBinary, root } from "../../harness/paths.ts"
import { until } from "../../harness/until.ts"
import { Helm } from "../chart/support/helm.ts"
import type { Image } from "../kubelet/container.ts"
import { Node, nodeFlags } from "../kubelet/node.ts"
import { imagesOf } from "./support/release.ts"

const readme = readFileSync(join(root, "README.md"), "utf8")
const controller = [nodeBinary, join(root, "controller/main.ts")]
/** Where the files are that README.md names. */
const examples = "examples/quickstart"
const isBuilt = process.env.WICK_QUICKSTART_IMAGE === "built"

/** As the image of the example serves: with its own name. */
const serveHostname = `require("http").createServer((_, response) => response.end(require("os").hostname())).listen(8080)`

const wick: Image = isBuilt
  ? "built"
  : {
      "/nginx-ingress-controller": controller,
      "/wait-shutdown": [...controller, "wait-shutdown"],
      wick: controller,
    }
const pushed = "registry.example.com/wick/controller:0.1.0"
const images: Readonly<Record<string, Image>> = {
  ...imagesOf(wick),
  [pushed]: wick,
  "registry.k8s.io/e2e-test-images/agnhost:2.53": { "/agnhost": [nodeBinary, "-e", serveHostname, "--"] },
}

let server: ApiServer
let node: Node
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "wick-quickstart-"))
  server = await startApiServer(...nodeFlags)
  // A cluster has one in every namespace.
  const metadata = { namespace: "default", name: "default" }
  await server.admin.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata })
  node = await Node.start(server, { images })
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await server.stop()
  rmSync(dir, { recursive: true })
})

function textOf(file: string): string {
  expect(file).toMatch(new RegExp(`^${examples}/`))
  return readFileSync(join(root, file), "utf8")
}

/** Lines of all shell blocks of the section. */
function commandsOf(heading: string): string[] {
  const [, section = ""] = readme.split(`\n## ${heading}\n`)
  const [text = ""] = section.split(/^## /m)
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block)
  return blocks.flatMap((block) => block.trim().split("\n"))
}

const installs =
  /^helm install (\S+) (\S+) --namespace (\S+) --create-namespace --values (\S+)(?: --set controller\.image\.registry=(\S+))?$/

/** Where the port of this machine leads that a forward has opened. */
let forwarded: { readonly service: string; readonly port: number } | undefined

type Action = (...words: readonly string[]) => Promise<unknown> | unknown

const actions: readonly (readonly [RegExp, Action])[] = [
  [/^docker build --tag (\S+) \.$/, (image = "") => expect(Object.keys(images)).toContain(image)],
  [/^kind load docker-image (\S+)$/, (image = "") => expect(Object.keys(images)).toContain(image)],
  [/^docker tag (\S+) (\S+)$/, (from = "", to = "") => expect(images[to]).toEqual(images[from])],
  [/^docker push (\S+)$/, (image = "") => expect(Object.keys(images)).toContain(image)],
  [
    installs,
    (release = "", chart = "", namespace = "", values = "", registry = "") =>
      helm(namespace).run(
        "install",
        release,
        join(root, chart),
        "--create-namespace",
        "--values",
        join(root, values),
        ...(registry === "" ? [] : ["--set", `controller.image.registry=${registry}`]),
      ),
  ],
  [
    /^helm uninstall (\S+) --namespace (\S+)$/,
    (release = "", namespace = "") => helm(namespace).run("uninstall", release),
  ],
  [
    /^kubectl --namespace (\S+) rollout status deployment\/(\S+)$/,
    (namespace, name) => rolledOut(`${namespace}/${name}`),
  ],
  [/^kubectl apply --filename (\S+)$/, (file = "") => server.admin.apply(textOf(file))],
  [/^kubectl delete --filename (\S+)$/, (file = "") => remove(file)],
  [/^kubectl delete namespace (\S+)$/, (name = "") => server.admin.delete("Namespace", name)],
  [
    /^kubectl --namespace (\S+) port-forward service\/(\S+) 8080:(\d+) &$/,
    (namespace, name, port) => {
      forwarded = { service: `${namespace}/${name}`, port: Number(port) }
    },
  ],
  [
    /^curl --header "Host: (\S+)" http:\/\/127\.0\.0\.1:8080\/$/,
    (host = "") => until("a page", async () => (await throughForward(host))?.body.startsWith("hello-")),
  ],
  [
    /^kubectl --namespace (\S+) exec deployment\/(\S+) -- (.+)$/,
    async (namespace, name, command = "") =>
      expect(await exec(`${namespace}/${name}`, command.split(" "))).toBe(0),
  ],
]

const helm = (namespace: string) => new Helm(server.adminKubeconfig(), dir, namespace)

async function rolledOut(name: string): Promise<void> {
  try {
    await until(`${name} to be ready`, async () => {
      const { spec, status = {} } = (await server.admin.get("Deployment", name)) as ApiObject
      return status.readyReplicas === spec.replicas
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await whatThereIs(name)}`)
  }
}

/** What a Deployment and its Pods say of themselves. */
async function whatThereIs(name: string): Promise<string> {
  const { spec, status } = (await server.admin.get("Deployment", name)) as ApiObject
  const pods = node.pods.filter((pod) => pod.name.startsWith(`${name}-`))
  const of = pods.map((pod) => `${pod.name}: ${pod.isReady ? "ready" : "not ready"}\n${pod.log()}`)
  return [`${spec.replicas} wanted: ${JSON.stringify(status)}`, ...of].join("\n")
}

async function throughForward(host: string): Promise<Answer | undefined> {
  if (forwarded === undefined) throw new Error("Nothing leads to this port")
  const service = await server.admin.get("Service", forwarded.service)
  return await ask({ host: service?.spec.clusterIP, port: forwarded.port }, { host }).catch(() => undefined)
}

async function exec(deployment: string, command: readonly string[]): Promise<number | string> {
  const pod = node.pods.find(({ name, isReady }) => isReady && name.startsWith(`${deployment}-`))
  if (pod === undefined) throw new Error(`${deployment} has no Pod`)
  return await pod.exec(command)
}

async function remove(file: string): Promise<void> {
  const objects = parseAllDocuments(textOf(file)).map((each) => each.toJS() as ApiObject)
  for (const { kind, metadata } of objects)
    await server.admin.delete(kind, `${metadata.namespace}/${metadata.name}`)
}

const commands = commandsOf("Install it in a cluster")

async function run(command: string): Promise<void> {
  const found = actions.find(([pattern]) => pattern.test(command))
  if (found === undefined) throw new Error(`README.md has a command that is not tried: ${command}`)
  const [pattern, act] = found
  await act(...(pattern.exec(command) ?? []).slice(1))
}

test("README.md's way in and back", async () => {
  const before = await leftovers()
  expect(commands.length).toBeGreaterThan(8)
  for (const command of commands) await run(command)
  expect(await leftovers()).toEqual(before)
})

test("the same with a registry of one's own", async () => {
  const [, flags] = /add `(--set [^`]+)` to `helm install`/.exec(readme) ?? []
  const before = await leftovers()
  for (const command of commands) {
    // A namespace that was deleted goes away by a controller that does not run here.
    const inOther = command.replaceAll("namespace wick", "namespace other")
    await run(command.startsWith("helm install") ? `${inOther} ${flags}` : inOther)
    if (command.startsWith("helm install")) expect(await controllerImage("other")).toBe(pushed)
  }
  expect(await leftovers()).toEqual(before)
})

async function controllerImage(namespace: string): Promise<string> {
  const deployment = await server.admin.get("Deployment", `${namespace}/wick-controller`)
  return deployment?.spec.template.spec.containers[0].image
}

/** What a controller leaves in a cluster, if it does. */
async function leftovers(): Promise<string[]> {
  const kinds = [
    "IngressClass",
    "ClusterRole",
    "ClusterRoleBinding",
    "ValidatingWebhookConfiguration",
    "Ingress",
  ]
  const lists = await Promise.all(kinds.map((kind) => server.admin.list(kind)))
  return lists.flatMap((list, at) => list.map(({ metadata }) => `${kinds[at]} ${metadata.name}`)).sort()
}
