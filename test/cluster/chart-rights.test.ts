// The rights that the chart gives are those that wick needs with the flags that it gives: nothing is missing, nothing is left over.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Backends } from "../../harness/backends.ts"
import { tlsData } from "../../harness/certificates.ts"
import { AuditedServer } from "../../harness/cluster/audit.ts"
import { installGatewayApi } from "../../harness/cluster/gateway-api.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { type Right, refused, rightsOf, unused } from "../../harness/cluster/rights.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ingress, ingressClass, type Json, secret, service, withTls } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { find, type KubernetesObject, render } from "../chart/support/helm.ts"

let audited: AuditedServer
let pods: Backends
beforeAll(async () => {
  audited = await AuditedServer.start("--feature-gates=WatchList=false")
  pods = await startPods("web")
})
afterAll(async () => {
  await pods.stop()
  await audited[Symbol.asyncDispose]()
})

/** What is there before the chart is: a namespace with a Service, its Ingress and its certificate. */
async function makeShop(): Promise<string> {
  const { server } = audited
  const shop = await server.namespace("shop", { team: "shop" })
  const web = `${shop}/web`
  const rule = ingress(web, `${shop}.test/ → web:${podPort}`, { "ssl-redirect": "false" })
  await server.admin.apply(
    ingressClass,
    service(web, podPort),
    sliceOf(web, pods),
    secret(`${shop}/tls`, tlsData),
    withTls(rule, `${shop}.test=tls`),
  )
  return shop
}

const published = {
  publishService: { enabled: false },
  extraArgs: { "publish-status-address": "203.0.113.7" },
}

/** Its Jobs have rights of their own, and nobody answers at its Service (admission.test.ts). */
const withoutWebhook = (values: Json): Json => {
  const controller = { ...(values.controller as Json), admissionWebhooks: { enabled: false } }
  return { ...values, controller }
}

test.each<{ name: string; values: (shop: string) => Json; hasStatus?: boolean }>([
  { name: "no values", values: () => ({}) },
  {
    name: "namespaces by their labels, and zones",
    values: () => ({
      controller: {
        ...published,
        enableTopologyAwareRouting: true,
        scope: { namespaceSelector: "team=shop" },
      },
    }),
  },
  {
    name: "one namespace, a default backend and a default certificate elsewhere",
    values: (namespace) => ({
      controller: {
        extraArgs: { "default-ssl-certificate": "default/wildcard" },
        scope: { enabled: true, namespace },
      },
      defaultBackend: { enabled: true },
    }),
  },
  {
    name: "no leader election",
    values: () => ({ controller: { ...published, disableLeaderElection: true } }),
    hasStatus: false,
  },
  {
    name: "no status",
    values: () => ({
      controller: { publishService: published.publishService, extraArgs: { "update-status": false } },
    }),
    hasStatus: false,
  },
])("$name", async ({ values, hasStatus = true }) => {
  const { server } = audited
  const [own, shop] = [await server.namespace("own"), await makeShop()]
  const rendering = render(withoutWebhook(values(shop)), { release: own, namespace: own })
  const objects = rendering.objects.map(({ object }) => object)
  await server.admin.apply(
    secret("default/wildcard", tlsData),
    ...(objects.filter(({ kind }) => kind !== "Deployment" && kind !== "IngressClass") as unknown as Json[]),
  )
  const account = await server.serviceAccount(`${own}/${find(rendering, "ServiceAccount").metadata.name}`)
  await giveAddress(own)
  const deployment = find(rendering, "Deployment", "-controller")
  const start = (pod: string) =>
    startWickIn(server, {
      pod: `${own}/${pod}`,
      labels: deployment.spec.template.metadata.labels,
      kubeconfig: account.kubeconfig,
      flags: flagsOf(deployment, own),
    })
  // One leads, and the other one watches how.
  await using wick = await start("one")
  await using _ = await start("two")
  await until("an answer", async () => (await wick.get("/", { host: `${shop}.test` })).body === "web")
  const status = async () => (await server.admin.get("Ingress", `${shop}/web`))?.status.loadBalancer
  if (hasStatus) await until("the status", async () => (await status())?.ingress?.[0].ip === "203.0.113.7")
  // The second Event of a kind is a patch of the first.
  for (const [count, seconds] of ["5", "7"].entries()) {
    const settings = { data: { "proxy-read-timeout": seconds } }
    await server.admin.patch("ConfigMap", `${own}/${deployment.metadata.name}`, settings)
    await until("an Event about it", async () => (await updates(own)) > count)
    const annotations = { "nginx.ingress.kubernetes.io/proxy-send-timeout": seconds }
    await server.admin.patch("Ingress", `${shop}/web`, { metadata: { annotations } })
    await until("an Event about that", async () => (await updates(shop)) > count)
  }
  const rights = rightsOf(objects)
  const asked = () => audited.asked(account.user)
  await until("everything to be asked", () => unused(rights, asked()).length === 0).catch(() => {})
  expect(unused(rights, asked())).toEqual([])
  expect(refused(asked())).toEqual([])
})

const group = "gateway.networking.k8s.io"

function gatewayApi(kind: string, name: string, spec: Json): Json {
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { namespace: name.split("/")[0], name: name.split("/")[1] },
    spec,
  }
}

/** An object of each kind. */
function gatewayObjects(shop: string, gatewayClassName: string, ports: readonly number[]): readonly Json[] {
  const allowedListeners = { namespaces: { from: "Same" } }
  const listeners = [
    ...ports.map((port) => ({ name: `http-${port}`, port, protocol: "HTTP" })),
    { name: "tls", port: 8443, protocol: "TLS", hostname: "tls.test", tls: { mode: "Passthrough" } },
    { name: "tcp", port: 9000, protocol: "TCP" },
    { name: "udp", port: 9001, protocol: "UDP" },
  ]
  const backendRefs = [{ name: "web", port: podPort }]
  const parentRefs = [{ name: "edge" }]
  const set = [{ name: "more", port: 8081, protocol: "HTTP" }]
  const targetRefs = [{ group: "", kind: "Service", name: "web" }]
  const validation = { hostname: "web.test", wellKnownCACertificates: "System" }
  return [
    gatewayApi("Gateway", `${shop}/edge`, { gatewayClassName, listeners, allowedListeners }),
    gatewayApi("ListenerSet", `${shop}/more`, { parentRef: { name: "edge" }, listeners: set }),
    gatewayApi("HTTPRoute", `${shop}/web`, { parentRefs, rules: [{ backendRefs }] }),
    gatewayApi("GRPCRoute", `${shop}/web`, {
      parentRefs,
      hostnames: ["grpc.test"],
      rules: [{ backendRefs }],
    }),
    gatewayApi("TLSRoute", `${shop}/web`, { parentRefs, hostnames: ["tls.test"], rules: [{ backendRefs }] }),
    gatewayApi("TCPRoute", `${shop}/web`, { parentRefs, rules: [{ backendRefs }] }),
    gatewayApi("UDPRoute", `${shop}/web`, { parentRefs, rules: [{ backendRefs }] }),
    gatewayApi("BackendTLSPolicy", `${shop}/web`, { targetRefs, validation }),
  ]
}

test("the Gateway API", async () => {
  const { server } = audited
  await installGatewayApi(server)
  const [own, shop] = [await server.namespace("own"), await makeShop()]
  // nobody else's: above those that tests, and the kernel, give away
  const portRange = "61000-61009"
  const values = { gatewayAPI: { enabled: true, portRange, gatewayClass: { name: own } } }
  const rendering = render(withoutWebhook(values), { release: own, namespace: own })
  const objects = rendering.objects.map(({ object }) => object)
  const isApplied = ({ kind }: KubernetesObject) => kind !== "Deployment" && kind !== "IngressClass"
  await server.admin.apply(...(objects.filter(isApplied) as unknown as Json[]))
  const account = await server.serviceAccount(`${own}/${find(rendering, "ServiceAccount").metadata.name}`)
  await giveAddress(own)
  const deployment = find(rendering, "Deployment", "-controller")
  await using wick = await startWickIn(server, {
    pod: `${own}/one`,
    labels: deployment.spec.template.metadata.labels,
    kubeconfig: account.kubeconfig,
    flags: flagsOf(deployment, own),
  })
  const podIs = (ip: string) =>
    server.admin.patch("Pod", `${own}/one`, { status: { podIP: ip, podIPs: [{ ip }] } }, "status")
  await podIs("10.244.9.9")
  await server.admin.apply(...gatewayObjects(shop, own, [80]))
  const slice = async () => JSON.stringify(await server.admin.get("EndpointSlice", `${shop}/edge-wick-ipv4`))
  await until("an EndpointSlice", async () => (await slice())?.includes("10.244.9.9") === true)
  await podIs("10.244.9.8")
  await until("another endpoint", async () => (await slice()).includes("10.244.9.8"))
  await server.admin.apply(...gatewayObjects(shop, own, [80, 8080]))
  const ports = async () => (await server.admin.get("Service", `${shop}/edge-wick`))?.spec.ports.length
  await until("another port", async () => (await ports()) === 6)
  const isOfGateways = ({ group: ofRight, resource, verb }: Right) =>
    ofRight === group || (["services", "endpointslices", "configmaps"].includes(resource) && verb !== "watch")
  // An object is read for its status only when it has just been written by somebody else (gateway-statuses.test.ts).
  const isOfGatewayClash = ({ group: ofRight, verb }: Right) => ofRight === group && verb === "get"
  const rights = rightsOf(objects)
  const left = () =>
    unused(rights, audited.asked(account.user)).filter(
      (right) => isOfGateways(right) && !isOfGatewayClash(right),
    )
  await until("statuses", () => left().every(({ verb }) => verb === "delete")).catch(() => {})
  await server.admin.apply(...gatewayObjects(shop, "other", [80]))
  await until("everything to be asked", () => left().length === 0).catch(() => {})
  expect(left()).toEqual([])
  expect(refused(audited.asked(account.user))).toEqual([])
  expect(wick.log()).not.toMatch(/Cannot (write|watch)/)
})

/** What a load balancer does to the Services of the chart. */
async function giveAddress(namespace: string): Promise<void> {
  const { admin } = audited.server
  for (const { metadata, spec } of await admin.list("Service", namespace))
    if (spec.type === "LoadBalancer")
      await admin.patch(
        "Service",
        `${namespace}/${metadata.name}`,
        { status: { loadBalancer: { ingress: [{ ip: "203.0.113.7" }] } } },
        "status",
      )
}

/** As the kubelet starts it. */
function flagsOf({ spec }: KubernetesObject, namespace: string): string[] {
  const args: readonly string[] = spec.template.spec.containers[0].args
  return args.slice(1).map((flag) => flag.replaceAll("$(POD_NAMESPACE)", namespace))
}

/** How often users were told in this namespace that something has changed. */
async function updates(namespace: string): Promise<number> {
  const events = await audited.server.admin.list("Event", namespace)
  const told = events.filter(({ reason }) => reason === "UPDATE" || reason === "Sync")
  return told.reduce((sum, { count }) => sum + count, 0)
}
