// Which Ingresses of a real API server are served, by their class. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Backends } from "../../harness/backends.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { grant } from "../../harness/cluster/rights.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ingress, ingressClass, type Json, service } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"

let server: ApiServer
let pods: Backends
let namespace: string
beforeAll(async () => {
  server = await startApiServer()
  namespace = await server.namespace("classes")
  pods = await startPods("web")
  const web = `${namespace}/web`
  await server.admin.apply(service(web, podPort), sliceOf(web, pods))
})
afterAll(async () => {
  await pods.stop()
  await server.stop()
})

const classed = (name: string, controller: string): Json => ({
  ...ingressClass,
  metadata: { name },
  spec: { controller },
})

/** An Ingress of the host `<name>.test`, with this class and this annotation, if any. */
function asking(name: string, className?: string, annotation?: string): Json {
  const annotations = annotation === undefined ? {} : { "kubernetes.io/ingress.class": annotation }
  const { spec, ...rest } = ingress(`${namespace}/${name}`, `${name}.test/ → web:${podPort}`, annotations)
  const { ingressClassName: _, ...others } = spec as Json
  return { ...rest, spec: className === undefined ? others : { ...others, ingressClassName: className } }
}

/** Of the class `other`, with our annotation: the API server lets nobody make that at once. */
function bothWays(name: string): Json[] {
  return [asking(name, "other"), asking(name, "other", "nginx")]
}

async function untilStatus(wick: Wick, expected: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, status] of Object.entries(expected)) {
    const isSo = async () => (await wick.get("/", { host: `${name}.test` })).status === status
    await until(`status ${status} of ${name}`, isSo).catch((error: Error) => {
      throw new Error(`${error.message}\n${wick.log()}`)
    })
  }
}

test("351, 352, 354: by the class, the annotation, or not at all", async () => {
  await server.admin.apply(
    classed("nginx", "k8s.io/ingress-nginx"),
    classed("other", "k8s.io/other-class"),
    asking("by-class", "nginx"),
    asking("by-annotation", undefined, "nginx"),
    asking("other-annotation", undefined, "testclass"),
    ...bothWays("other-class"),
    asking("missing", "missing"),
    asking("neither"),
  )
  await using wick = await startWickIn(server)
  await untilStatus(wick, { "by-class": 200, "by-annotation": 200 })
  await untilStatus(wick, { "other-annotation": 404, "other-class": 404, missing: 404, neither: 404 })
  // A class that does not exist may be of a controller that is still to come.
  expect(wick.log()).not.toContain("class-missing")
})

test("351: a class that comes after its Ingress, goes, or comes back with another controller takes effect at once", async () => {
  await server.admin.apply(asking("early", "late"))
  await using wick = await startWickIn(server)
  await untilStatus(wick, { early: 404 })
  await server.admin.apply(classed("late", "k8s.io/ingress-nginx"))
  await untilStatus(wick, { early: 200 })
  await server.admin.delete("IngressClass", "late")
  await untilStatus(wick, { early: 404 })
  // The API server lets nobody change the controller of a class.
  await server.admin.apply(classed("late", "example.com/other"), asking("sign", undefined, "nginx"))
  await untilStatus(wick, { sign: 200, early: 404 })
  await server.admin.delete("IngressClass", "late")
  await server.admin.apply(classed("late", "k8s.io/ingress-nginx"))
  await untilStatus(wick, { early: 200 })
  expect(await wick.metric("nginx_ingress_controller_success")).toBe(1)
})

test("356, 357: the flags say which classes and which annotation", async () => {
  await server.admin.apply(
    classed("by-name", "example.com/somebody"),
    asking("356-class", "other"),
    asking("356-annotation", undefined, "by-name"),
    asking("357-name", "by-name"),
  )
  const flags = [
    "--controller-class=k8s.io/other-class",
    "--ingress-class=by-name",
    "--ingress-class-by-name",
  ]
  await using wick = await startWickIn(server, { flags })
  await untilStatus(wick, { "356-class": 200, "356-annotation": 200, "357-name": 200, neither: 404 })
})

test("354: --watch-ingress-without-class serves those that name none", async () => {
  await server.admin.apply(asking("neither"))
  await using wick = await startWickIn(server, { flags: ["--watch-ingress-without-class"] })
  await untilStatus(wick, { neither: 200, missing: 404 })
})

test("352: without the right to list IngressClasses the annotation decides, of an update too", async () => {
  const own = await server.namespace("blind")
  const { kubeconfig } = await grant(server, own, {
    change: (rules) => rules.filter(({ resources }) => !resources.includes("ingressclasses")),
  })
  await server.admin.apply(
    ...bothWays("blind-both"),
    asking("blind-class", "nginx"),
    asking("blind-new", undefined, "nginx"),
  )
  await using wick = await startWickIn(server, { kubeconfig, pod: `${own}/wick-0` })
  await untilStatus(wick, { "blind-both": 200, "blind-new": 200, "blind-class": 404 })
  await server.admin.apply(asking("blind-new", undefined, "testclass"))
  await untilStatus(wick, { "blind-new": 404 })
  await server.admin.apply(asking("blind-class", "nginx", "nginx"))
  await untilStatus(wick, { "blind-class": 200 })
})
