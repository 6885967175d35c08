// The Gateway API in a real API server, with the rights of deploy/static/rbac.yaml: its kinds come and go, statuses are written, Gateways have Services.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Backends } from "../../harness/backends.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../harness/cluster/client.ts"
import { installGatewayApi } from "../../harness/cluster/gateway-api.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ask } from "../../harness/http.ts"
import { ingress, ingressClass, type Json, service } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"

const group = "gateway.networking.k8s.io"
const ours = "wick.dev/gateway"

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

const named = (kind: string, name: string, spec: Json, namespace?: string): Json => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  spec,
})

const gateway = (namespace: string, more: Json = {}) =>
  named(
    "Gateway",
    "edge",
    { gatewayClassName: "wick", listeners: [{ name: "http", port: 80, protocol: "HTTP" }], ...more },
    namespace,
  )

const route = (namespace: string, backend = "web", more: Json = {}) =>
  named(
    "HTTPRoute",
    "web",
    { parentRefs: [{ name: "edge" }], rules: [{ backendRefs: [{ name: backend, port: podPort }], ...more }] },
    namespace,
  )

/** `Accepted=True ResolvedRefs=False/BackendNotFound`; undefined when there are none. */
function conditionsOf(entry: { conditions?: readonly Json[] } | undefined): string | undefined {
  const texts = entry?.conditions?.map(({ type, status, reason }) =>
    status === "True" ? `${type}=True` : `${type}=${status}/${reason}`,
  )
  return texts?.toSorted().join(" ")
}

const ofRoute = (object: ApiObject | undefined) =>
  object?.status?.parents?.find(({ controllerName }: Json) => controllerName === ours)

/** What a log line says in words. */
const says = (wick: Wick, text: string) => until(`"${text}" in the log`, () => wick.log().includes(text))

test("the kinds come, are served and have a status, and go again, while Ingresses are served", async () => {
  const namespace = await server.namespace("shop")
  const web = `${namespace}/web`
  await server.admin.apply(service(web, podPort), sliceOf(web, pods))
  await server.admin.apply(ingress(web, `${namespace}.test/ → web:${podPort}`))
  await using wick = await startWickIn(server, {
    pod: `${namespace}/wick-0`,
    flags: ["--gateway-port-range=61100-61109"], // nobody else's: above those that tests, and the kernel, give away
  })
  await says(wick, "The Gateway API is not installed")
  await server.admin.patch(
    "Pod",
    `${namespace}/wick-0`,
    { status: { podIPs: [{ ip: "10.244.9.9" }] } },
    "status",
  )

  await installGatewayApi(server)
  await server.admin.apply(named("GatewayClass", "wick", { controllerName: ours }))
  const infrastructure = { labels: { team: "shop" }, annotations: { "lb.test/kind": "internal" } }
  await server.admin.apply(gateway(namespace, { infrastructure }), route(namespace))

  // a Service, and what it leads to
  const made = await until("a Service", () => server.admin.get("Service", `${namespace}/edge-wick`))
  expect(made.metadata).toMatchObject({
    labels: { team: "shop", [`${group}/gateway-name`]: "edge" },
    annotations: { "lb.test/kind": "internal" },
    ownerReferences: [{ kind: "Gateway", name: "edge" }],
  })
  const [port] = made.spec.ports
  expect(made.spec.type).toBe("LoadBalancer")
  expect(port).toMatchObject({ port: 80, targetPort: 61_100 })
  const slice = await until("an EndpointSlice", () =>
    server.admin.get("EndpointSlice", `${namespace}/edge-wick-ipv4`),
  )
  expect(slice).toMatchObject({ endpoints: [{ addresses: ["10.244.9.9"] }], ports: [{ port: 61_100 }] })
  await until(
    "an answer at the port that the Service leads to",
    async () => (await ask({ port: port.targetPort }).catch(() => undefined))?.body === "web",
  )

  // the address that it is given, in the status
  const given = { status: { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } } }
  await server.admin.patch("Service", `${namespace}/edge-wick`, given, "status")
  const gatewayNow = () => server.admin.get("Gateway", `${namespace}/edge`)
  await until(
    "the Gateway to be programmed",
    async () => conditionsOf((await gatewayNow())?.status)?.includes("Programmed=True") === true,
  )
  expect((await gatewayNow())?.status).toMatchObject({
    addresses: [{ type: "IPAddress", value: "192.0.2.7" }],
    listeners: [{ name: "http", attachedRoutes: 1 }],
  })

  // a change of a route, with its generation; what another controller has written stays
  const routeNow = () => server.admin.get("HTTPRoute", web)
  await until(
    "the route to be accepted",
    async () => conditionsOf(ofRoute(await routeNow())) === "Accepted=True ResolvedRefs=True",
  )
  const foreign = {
    parentRef: { group, kind: "Gateway", name: "other" },
    controllerName: "other.test/gateway",
    conditions: [
      {
        type: "Accepted",
        status: "True",
        reason: "Accepted",
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
  }
  const parents = [...((await routeNow())?.status.parents ?? []), foreign]
  await server.admin.patch("HTTPRoute", web, { status: { parents } }, "status")
  const accepted = ofRoute(await routeNow()).conditions.find(({ type }: Json) => type === "Accepted")
  await server.admin.apply(route(namespace, "missing"))
  await until(
    "the missing Service to be told",
    async () => conditionsOf(ofRoute(await routeNow()))?.includes("BackendNotFound") === true,
  )
  const changed = await routeNow()
  expect(changed?.status.parents).toContainEqual(foreign)
  expect(ofRoute(changed).conditions).toContainEqual({
    ...accepted,
    observedGeneration: changed?.metadata.generation,
  })

  // what is said already is not written again
  await server.admin.apply(
    service(`${namespace}/other`, podPort),
    ingress(`${namespace}/late`, `late-${namespace}.test/ → other:80`),
  )
  await until(
    "another pass",
    async () => (await server.admin.get("Ingress", `${namespace}/late`)) !== undefined,
  )
  await server.admin.apply(route(namespace))
  await until(
    "the Service to be found",
    async () => conditionsOf(ofRoute(await routeNow())) === "Accepted=True ResolvedRefs=True",
  )
  expect((await routeNow())?.status.parents).toContainEqual(foreign)

  // the Service follows its Gateway: another port, another label; what nobody asks for any more goes, what somebody else has written stays
  const serviceNow = () => server.admin.get("Service", `${namespace}/edge-wick`)
  await server.admin.patch("Service", `${namespace}/edge-wick`, {
    metadata: { annotations: { "other.test/note": "kept" } },
  })
  const listeners = [80, 8080].map((at) => ({ name: `p${at}`, port: at, protocol: "HTTP" }))
  await server.admin.apply(gateway(namespace, { infrastructure: { labels: { team: "web" } }, listeners }))
  await until(
    "the Service to have both ports",
    async () => (await serviceNow())?.spec.ports.map((it: Json) => it.port).join() === "80,8080",
  )
  const followed = await serviceNow()
  expect(followed?.spec.ports.map((it: Json) => it.targetPort)).toEqual([61_100, 61_101])
  expect(followed?.metadata.labels).toMatchObject({ team: "web", [`${group}/gateway-name`]: "edge" })
  expect(followed?.metadata.annotations).toMatchObject({ "other.test/note": "kept" })
  expect(followed?.metadata.annotations).not.toHaveProperty(["lb.test/kind"])
  expect(followed?.status).toMatchObject(given.status)
  await until(
    "an answer at the other port",
    async () => (await ask({ port: 61_101 }).catch(() => undefined))?.body === "web",
  )

  // the kind goes
  await server.admin.delete("CustomResourceDefinition", `httproutes.${group}`)
  await says(wick, '"notInstalled":["HTTPRoutes"]')
  await until(
    "nothing to be served by the route",
    async () => (await ask({ port: port.targetPort })).status === 404,
  )
  await until(
    "no route to be counted",
    async () => (await gatewayNow())?.status.listeners[0].attachedRoutes === 0,
  )
  expect((await wick.get("/", { host: `${namespace}.test` })).body).toBe("web")

  // and so does the Gateway, with its Service and what that leads to
  await server.admin.delete("Gateway", `${namespace}/edge`)
  await until("the Service to go", async () => (await serviceNow()) === undefined)
  await until(
    "its EndpointSlice to go",
    async () => (await server.admin.get("EndpointSlice", `${namespace}/edge-wick-ipv4`)) === undefined,
  )
  expect(wick.log()).not.toMatch(/Cannot (write|watch)/)
})
