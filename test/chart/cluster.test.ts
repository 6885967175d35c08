// The chart on a real API server: a release from its beginning to its end, in the place of another one, and what is let in.
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import { root } from "../../harness/paths.ts"
import { Jobs } from "../cluster/support/jobs.ts"
import { startCluster } from "./support/cluster.ts"
import { DryRun } from "./support/dry-run.ts"
import { Helm, type KubernetesObject, renderAll } from "./support/helm.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-helm-"))
let server: ApiServer
let jobs: Jobs
beforeAll(async () => {
  server = await startCluster()
  jobs = new Jobs(server)
})
afterAll(async () => {
  await jobs?.[Symbol.asyncDispose]()
  await server?.stop()
  rmSync(dir, { recursive: true, force: true })
})

function helmIn(namespace: string): Helm {
  return new Helm(server.adminKubeconfig(), dir, namespace)
}

/** Of apps/v1, which the client of the cluster's tests does not know. */
async function deployment(name: string) {
  const [namespace, last] = name.split("/")
  // biome-ignore lint/suspicious/noExplicitAny: tests know the shape of what they look at
  return (await server.admin.send("GET", `/apis/apps/v1/namespaces/${namespace}/deployments/${last}`)) as any
}

test("is installed, upgraded, rolled back and uninstalled", async () => {
  const helm = helmIn("life")
  const name = "life/edge-ingress-nginx-controller"
  expect(await helm.install("edge", { controller: { replicaCount: 2 } })).toContain(
    `wick 0.1.0 is installed as Deployment ${name}`,
  )
  expect((await deployment(name)).spec.replicas).toBe(2)

  await helm.upgrade("edge", {
    controller: { replicaCount: 3, config: { "use-gzip": "true" } },
    tcp: { 9000: "shop/db:5432" },
  })
  expect((await deployment(name)).spec.replicas).toBe(3)
  expect((await server.admin.get("ConfigMap", name))?.data).toEqual({ "use-gzip": "true" })
  expect(await server.admin.get("ConfigMap", "life/edge-ingress-nginx-tcp")).toBeDefined()

  await helm.run("rollback", "edge", "1")
  expect((await deployment(name)).spec.replicas).toBe(2)
  expect((await server.admin.get("ConfigMap", name))?.data ?? {}).toEqual({})
  expect(await server.admin.get("ConfigMap", "life/edge-ingress-nginx-tcp")).toBeUndefined()

  await helm.run("uninstall", "edge")
  await expect(deployment(name)).rejects.toThrow("404")
  const kinds = ["ServiceAccount", "ConfigMap", "Service", "Role", "RoleBinding"].map((kind) =>
    server.admin.list(kind, "life"),
  )
  const left = (await Promise.all(kinds)).flat().map(({ metadata }) => metadata.name)
  expect(left.filter((one) => one.startsWith("edge"))).toEqual([])
  for (const kind of ["ClusterRole", "ClusterRoleBinding"])
    expect(await server.admin.get(kind, "edge-ingress-nginx")).toBeUndefined()
  expect(await server.admin.get("IngressClass", "nginx")).toBeUndefined()
})

test("takes the place of a release of ingress-nginx, object by object, and gives it back", async () => {
  const helm = helmIn("ingress-nginx")
  const name = "ingress-nginx/ingress-nginx-controller"
  const webhook =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/ingress-nginx-admission"
  await helm.install("ingress-nginx", {}, join(import.meta.dirname, "previous"))
  const uids = async () => [
    (await deployment(name)).metadata.uid,
    ...(await Promise.all(
      ["Service", "ConfigMap"].map(async (kind) => (await server.admin.get(kind, name))?.metadata.uid),
    )),
    (await server.admin.get("IngressClass", "nginx"))?.metadata.uid,
  ]
  const before = await uids()

  await helm.upgrade("ingress-nginx")
  expect(await uids()).toEqual(before)
  expect(
    (await deployment(name)).spec.template.spec.containers.map(({ image }: { image: string }) => image),
  ).toEqual(["registry.wick.dev/wick/controller:0.1.0"])
  // It stays, and trusts whoever the Secret says; wick answers in the place of the other one.
  const { webhooks } = (await server.admin.send("GET", webhook)) as KubernetesObject
  const made = await server.admin.get("Secret", "ingress-nginx/ingress-nginx-admission")
  expect(webhooks[0].clientConfig.caBundle).toBe(made?.data.ca)
  expect(await server.admin.get("Service", `${name}-admission`)).toBeDefined()

  await helm.run("rollback", "ingress-nginx", "1")
  expect(await uids()).toEqual(before)
  expect((await deployment(name)).spec.template.spec.containers[0].image).toContain(
    "ingress-nginx/controller:v1.15.1",
  )
  await server.admin.send("GET", webhook)
})

test("its Pods are let into a namespace with restricted Pod Security, of every kind there is", async () => {
  const namespace = await server.namespace("restricted", {
    "pod-security.kubernetes.io/enforce": "restricted",
  })
  const values = { defaultBackend: { enabled: true } }
  const [rendering] = renderAll([{ values: JSON.stringify(values) }])
  const templates = (rendering?.objects ?? [])
    .map(({ object }) => object)
    .filter(({ spec }) => spec?.template?.spec !== undefined)
  expect(templates.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    "Job edge-ingress-nginx-admission-create",
    "Job edge-ingress-nginx-admission-patch",
    "Deployment edge-ingress-nginx-controller",
    "Deployment edge-ingress-nginx-defaultbackend",
  ])
  for (const { metadata, spec } of templates)
    await server.admin.apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: metadata.name },
      spec: spec.template.spec,
    })
})

async function refused(objects: readonly KubernetesObject[]): Promise<string[]> {
  return [...(await new DryRun(server.admin).refused(objects)).values()]
}

test("it takes what comes of values files as teams have them", async () => {
  const files = globSync(join(import.meta.dirname, "wild/*.yaml"))
  expect(files.length).toBeGreaterThanOrEqual(10)
  const renderings = renderAll(files.map((file) => ({ values: readFileSync(file, "utf8") })))
  expect(await refused(renderings.flatMap(({ objects }) => objects.map(({ object }) => object)))).toEqual([])
})

test("it takes the manifests for those who do not use Helm", async () => {
  const texts = globSync(join(root, "deploy/static/*.yaml")).map((file) => readFileSync(file, "utf8"))
  const documents = texts.flatMap((text) =>
    parseAllDocuments(text).map((one) => one.toJS() as KubernetesObject),
  )
  expect(documents.length).toBeGreaterThan(30)
  expect(await refused(documents)).toEqual([])
})
