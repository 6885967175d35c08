// Which Ingresses are served, on a real nginx from YAML to answer. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, type Json, manifest, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

let backends: Backends
beforeAll(async () => {
  backends = await startBackends("app")
})
afterAll(() => backends.stop())

const classed = (name: string, controller: string): Json => ({
  ...ingressClass,
  metadata: { name },
  spec: { controller },
})

/** An Ingress of the host `<name>.test`, with this class and this annotation, if any. */
function asking(name: string, className?: string, annotation?: string): Json {
  const annotations = annotation === undefined ? {} : { "kubernetes.io/ingress.class": annotation }
  const { spec, ...rest } = ingress(`demo/${name}`, `${name}.test/ → app:80`, annotations)
  const { ingressClassName: _, ...others } = spec as Json
  return { ...rest, spec: className === undefined ? others : { ...others, ingressClassName: className } }
}

const classes = [
  ingressClass,
  classed("other", "k8s.io/other-class"),
  classed("test-new-ingress-class", "k8s.io/somebody-else"),
]
const ingresses = [
  asking("class-nginx", "nginx"),
  asking("class-other", "other"),
  asking("class-new", "test-new-ingress-class"),
  asking("class-missing", "missing"),
  asking("annotated-nginx", undefined, "nginx"),
  asking("annotated-test", undefined, "testclass"),
  asking("both", "other", "nginx"),
  asking("neither"),
]

/** Starts wick over all of these. */
function startOver(...flags: readonly string[]): Promise<Wick> {
  return startWick({
    manifests: {
      "all.yaml": manifest(
        ...classes,
        ...serviceOn(
          "demo/app",
          backends.map(({ port }) => port),
        ),
        ...ingresses,
      ),
    },
    flags,
  })
}

async function statusOf(wick: Wick, name: string): Promise<number> {
  return (await wick.get("/", { host: `${name}.test` })).status
}

/** Those that are answered; all others get 404. */
async function servedBy(wick: Wick): Promise<readonly string[]> {
  const names = ingresses.map(({ metadata }) => (metadata as { name: string }).name)
  const statuses = await Promise.all(names.map((name) => statusOf(wick, name)))
  expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
  return names.filter((_, at) => statuses[at] === 200)
}

test("351, 352, 354: the class by its controller or the annotation; another one and none get 404", async () => {
  await using wick = await startOver()
  expect(await servedBy(wick)).toEqual(["class-nginx", "annotated-nginx"])
})

test("354: --watch-ingress-without-class serves those that name none", async () => {
  await using wick = await startOver("--watch-ingress-without-class")
  expect(await servedBy(wick)).toEqual(["class-nginx", "annotated-nginx", "neither"])
})

test("356: --ingress-class is the annotation and --controller-class the controller", async () => {
  await using wick = await startOver("--ingress-class=testclass", "--controller-class=k8s.io/other-class")
  expect(await servedBy(wick)).toEqual(["class-other", "annotated-test", "both"])
})

test("357: --ingress-class-by-name serves the class of that name, whoever its controller", async () => {
  await using wick = await startOver("--ingress-class-by-name", "--ingress-class=test-new-ingress-class")
  expect(await servedBy(wick)).toEqual(["class-nginx", "class-new"])
})

test("359: --watch-namespace-selector serves namespaces with these labels, and one that gets them at once", async () => {
  await using wick = await startOver("--watch-namespace-selector=foo=bar")
  const label = (foo: string) => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "demo", labels: { foo } } }
    wick.write("namespace.yaml", manifest(namespace))
  }
  expect(await servedBy(wick)).toEqual([])
  for (const [foo, status] of [
    ["bar", 200],
    ["other", 404],
    ["bar", 200],
  ] as const) {
    label(foo)
    await until(`status ${status}`, async () => (await statusOf(wick, "class-nginx")) === status)
  }
  wick.remove("namespace.yaml")
  await until("the namespace to be gone", async () => (await statusOf(wick, "class-nginx")) === 404)
  expect(await wick.metric("nginx_ingress_controller_success")).toBe(1)
})

test("--disable-catch-all: an Ingress that gets a default backend is left out, and served again without it", async () => {
  await using wick = await startOver("--disable-catch-all")
  const app = (...rules: readonly string[]) => wick.write("one.yaml", manifest(ingress("demo/one", rules)))
  for (const isCaught of [false, true, false]) {
    app("one.test/ → app:80", ...(isCaught ? ["* → app:80"] : []))
    const expected = isCaught ? 404 : 200
    await until(`status ${expected}`, async () => (await statusOf(wick, "one")) === expected)
    expect(await statusOf(wick, "nobody")).toBe(404)
  }
})
