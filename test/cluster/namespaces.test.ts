// Which namespaces of a real API server are read, and with which rights. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Backends } from "../../harness/backends.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { grant } from "../../harness/cluster/rights.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  withTls,
} from "../../harness/manifests.ts"
import { rootAuthority } from "../../harness/pki.ts"
import { shownChain } from "../../harness/shake.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"

let server: ApiServer
let pods: Backends
beforeAll(async () => {
  server = await startApiServer()
  pods = await startPods("web")
  await server.admin.apply(ingressClass)
})
afterAll(async () => {
  await pods.stop()
  await server.stop()
})

/** Makes a namespace with the host `<name of the namespace>.test`, served by a pod. */
async function site(prefix: string, labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const namespace = await server.namespace(prefix, labels)
  const web = `${namespace}/web`
  await server.admin.apply(service(web, podPort), sliceOf(web, pods), hostOf(namespace))
  return namespace
}

function hostOf(namespace: string, name = namespace): Json {
  const { spec, ...rest } = ingress(`${namespace}/${name}`, `${name}.test/ → web:${podPort}`)
  // By the annotation: who may read nothing but one namespace knows no class.
  const annotations = {
    "kubernetes.io/ingress.class": "nginx",
    "nginx.ingress.kubernetes.io/ssl-redirect": "false",
  }
  const { ingressClassName: _, ...others } = spec as Json
  return { ...rest, metadata: { ...(rest.metadata as Json), annotations }, spec: others }
}

async function untilStatus(wick: Wick, expected: Readonly<Record<string, number>>): Promise<void> {
  for (const [host, status] of Object.entries(expected)) {
    const isSo = async () => (await wick.get("/", { host: `${host}.test` })).status === status
    await until(`status ${status} of ${host}`, isSo).catch((error: Error) => {
      throw new Error(`${error.message}\n${wick.log()}`)
    })
  }
}

const labelled = (name: string, labels: Readonly<Record<string, string | null>>) =>
  server.admin.patch("Namespace", name, { metadata: { labels } })

test("359: --watch-namespace-selector serves namespaces with these labels; another label takes effect at once", async () => {
  const inside = await site("inside", { foo: "bar" })
  const outside = await site("outside", { foo: "other" })
  await using wick = await startWickIn(server, { flags: ["--watch-namespace-selector=foo=bar"] })
  await untilStatus(wick, { [inside]: 200, [outside]: 404 })
  await labelled(outside, { foo: "bar" })
  await untilStatus(wick, { [outside]: 200 })
  await labelled(inside, { foo: null })
  await untilStatus(wick, { [inside]: 404, [outside]: 200 })
  await labelled(inside, { foo: "bar" })
  await untilStatus(wick, { [inside]: 200 })
  await remove(inside)
  await untilStatus(wick, { [inside]: 404, [outside]: 200 })
  expect(await wick.metric("nginx_ingress_controller_success")).toBe(1)
})

/** Deletes a Namespace and not what is in it, as far as that is left to controllers. */
async function remove(name: string): Promise<void> {
  await server.admin.delete("Namespace", name)
  const ending = await server.admin.get("Namespace", name)
  const body = { ...ending, spec: { finalizers: [] } }
  await server.admin.send("PUT", `/api/v1/namespaces/${name}/finalize`, { body })
}

test("--watch-namespace: one namespace, with Roles alone, and what flags name elsewhere", async () => {
  const watched = await site("watched")
  const other = await site("other")
  const own = await server.namespace("own")
  const fallback = await site("fallback")
  const authority = await rootAuthority()
  const [shop, standard] = await Promise.all([
    authority.issue({ names: [`${watched}.test`] }),
    authority.issue({ names: ["standard.test"] }),
  ])
  await server.admin.apply(
    secret(`${watched}/tls`, shop.tlsData()),
    withTls(hostOf(watched), `${watched}.test=tls`),
    secret(`${own}/default-tls`, standard.tlsData()),
    settings(`${own}/wick`, { "add-headers": `${watched}/headers` }),
    settings(`${watched}/headers`, { "x-from": "wick" }),
    ...roleToRead(fallback, own),
  )
  const { kubeconfig } = await grant(server, own, { file: "rbac-namespaced.yaml", watched })
  const flags = [
    `--watch-namespace=${watched}`,
    `--configmap=${own}/wick`,
    `--default-ssl-certificate=${own}/default-tls`,
    `--default-backend-service=${fallback}/web`,
    "--publish-status-address=203.0.113.1",
  ]
  await using wick = await startWickIn(server, { kubeconfig, flags, pod: `${own}/wick-0` })
  await untilStatus(wick, { [watched]: 200 })
  const redirected = await wick.get("/", { host: `${other}.test` })
  expect(redirected).toMatchObject({ status: 200, body: "web" }) // the default backend's
  const shown = async (servername: string) => (await shownChain(wick.httpsPort, { servername }))[0]
  await until("the certificate of the Ingress", async () =>
    (await shown(`${watched}.test`))?.equals(shop.der),
  )
  await until("the default certificate", async () => (await shown(`${other}.test`))?.equals(standard.der))
  await until(
    "the header",
    async () => (await wick.get("/", { host: `${watched}.test` })).headers["x-from"] === "wick",
  )
})

/** What --default-backend-service needs in another namespace. */
function roleToRead(namespace: string, account: string): Json[] {
  const metadata = { namespace, name: "wick" }
  const apiVersion = "rbac.authorization.k8s.io/v1"
  const rules = [
    { apiGroups: [""], resources: ["services"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
  ]
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "wick" }
  const subjects = [{ kind: "ServiceAccount", name: "wick", namespace: account }]
  return [
    { apiVersion, kind: "Role", metadata, rules },
    { apiVersion, kind: "RoleBinding", metadata, roleRef, subjects },
  ]
}
