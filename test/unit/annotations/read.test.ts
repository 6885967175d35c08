import { expect, test } from "vitest"
import { readAnnotations } from "../../../controller/annotations/read.ts"
import { ingress, options } from "../translate/objects.ts"

function read(annotations: Record<string, string>) {
  return readAnnotations(ingress("shop/cart", [], annotations), options.annotationsPrefix)
}

function messages(annotations: Record<string, string>): string[] {
  return read(annotations).problems.map((problem) => problem.message)
}

test("values arrive typed at their place", () => {
  const { values, problems } = read({
    "proxy-connect-timeout": "5",
    "proxy-send-timeout": "6",
    "proxy-read-timeout": "7",
    "proxy-body-size": "8m",
    "proxy-http-version": "1.0",
    canary: "true",
  })
  expect(problems).toEqual([])
  expect(values).toEqual({
    route: {
      proxyConnectTimeoutMs: 5000,
      proxySendTimeoutMs: 6000,
      proxyReadTimeoutMs: 7000,
      clientMaxBodyBytes: 8_388_608,
    },
    policy: { proxyHttpVersion: "1.0" },
    live: { canary: true },
  })
})

test("a refused value leaves its field alone and keeps the others", () => {
  const { values, problems } = read({ "proxy-read-timeout": "180s", "proxy-send-timeout": "9" })
  expect(values.route).toEqual({ proxySendTimeoutMs: 9000 })
  expect(problems).toEqual([
    {
      object: { kind: "Ingress", namespace: "shop", name: "cart" },
      field: 'metadata.annotations["nginx.ingress.kubernetes.io/proxy-read-timeout"]',
      code: "annotation-refused",
      message:
        'Cannot use "180s" for annotation "proxy-read-timeout": write whole seconds without a unit, as in 180; its default applies',
    },
  ])
})

test("a typo is answered with the name that was meant", () => {
  expect(messages({ "proxy-raed-timeout": "5" })).toEqual([
    'Annotation "proxy-raed-timeout" is unknown: did you mean "proxy-read-timeout"',
  ])
  expect(messages({ zebra: "5" })).toEqual(['Annotation "zebra" is unknown: no known name is like it'])
})

test("a key of the ConfigMap is recognised as such", () => {
  expect(messages({ "use-gzip": "true", "keep-alive": "5" })).toEqual([
    'Annotation "keep-alive" is unknown: it is a key of the ConfigMap and holds for all Ingresses',
    'Annotation "use-gzip" is unknown: it is a key of the ConfigMap and holds for all Ingresses',
  ])
})

test("a known name without effect says so, in its older spelling too", () => {
  expect(messages({ affinity: "cookie", "whitelist-source-range": "10.0.0.0/8" })).toEqual([
    'Annotation "affinity" has no effect yet',
    'Annotation "whitelist-source-range" has no effect yet',
  ])
})

test("annotations of other tools are passed over, also with a similar prefix", () => {
  const plain = ingress("shop/cart", [])
  const annotations = {
    "kubernetes.io/ingress.class": "nginx",
    "ingress.kubernetes.io/proxy-read-timeout": "5",
    "nginx.ingress.kubernetes.ioo/proxy-read-timeout": "5",
  }
  const reading = readAnnotations(
    { ...plain, meta: { ...plain.meta, annotations } },
    options.annotationsPrefix,
  )
  expect(reading).toEqual({ values: { route: {}, policy: {}, live: {} }, problems: [] })
})

test("another prefix is another set of annotations", () => {
  const plain = ingress("shop/cart", [])
  const annotations = {
    "wick.test/proxy-read-timeout": "5",
    "nginx.ingress.kubernetes.io/proxy-read-timeout": "6",
  }
  const { values } = readAnnotations({ ...plain, meta: { ...plain.meta, annotations } }, "wick.test")
  expect(values.route).toEqual({ proxyReadTimeoutMs: 5000 })
})

test("what a message repeats is short and cannot break a line", () => {
  const [message = ""] = messages({ "proxy-body-size": `1m\n## ${"x".repeat(70_000)}` })
  expect(message.length).toBeLessThan(300)
  expect(message).toContain('"1m\\n## xxx')
  expect(message).not.toContain("\n")
})
