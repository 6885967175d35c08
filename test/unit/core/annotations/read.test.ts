import { describe, expect, test } from "vitest"
import { readAnnotations } from "../../../../controller/core/annotations/read.ts"
import { ingress, options } from "../../../../harness/objects.ts"

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
  expect(values).toMatchObject({
    route: {
      proxyConnectTimeoutMs: 5000,
      proxySendTimeoutMs: 6000,
      proxyReadTimeoutMs: 7000,
      clientMaxBodyBytes: 8_388_608,
    },
    protocol: { httpVersion: "1.0" },
    canary: { isCanary: true },
    affinity: {},
    balancing: {},
    routing: {},
  })
})

test("our own stand under a prefix of their own, and nowhere else", () => {
  expect(read({ "wick.dev/slow-start": "30s" })).toMatchObject({
    values: { balancing: { slowStartMs: 30_000 } },
    problems: [],
  })
  expect(
    messages({ "slow-start": "30s", "wick.dev/slow-strat": "30s", "wick.dev/canary-weight": "5" }),
  ).toEqual([
    'Annotation "slow-start" is unknown: write it as "wick.dev/slow-start"',
    'Annotation "canary-weight" is unknown: its prefix is that of ingress-nginx',
    'Annotation "slow-strat" is unknown: did you mean "slow-start"',
  ])
})

describe("an annotation that needs another one", () => {
  test.each([
    ["canary-weight", "5", "canary", "true"],
    ["wick.dev/canary-n-way", "true", "canary", "1"],
    ["session-cookie-name", "sid", "affinity", "cookie"],
    ["upstream-hash-by-subset", "true", "upstream-hash-by", "$host"],
    ["wick.dev/outlier-ejection-time", "5s", "wick.dev/outlier-failures", "3"],
  ])("%s", (name, value, needed, its) => {
    const plain = (key: string) => key.replace("wick.dev/", "")
    const sentence = `Annotation "${plain(name)}" needs annotation "${plain(needed)}": it has no effect`
    expect(messages({ [name]: value })).toEqual([sentence])
    expect(messages({ [name]: value, [needed]: its })).toEqual([])
  })

  test("false and a refused value are as if it were not there", () => {
    const sentence = 'Annotation "canary-weight" needs annotation "canary": it has no effect'
    expect(messages({ "canary-weight": "5", canary: "false" })).toEqual([sentence])
    expect(messages({ "canary-weight": "5", canary: "yes" })).toEqual([
      expect.stringContaining('Cannot use "yes"'),
      sentence,
    ])
  })
})

describe("load-balance", () => {
  test.each(["round_robin", "ewma", "least_conn", "p2c", " ewma "])("%s is taken", (name) => {
    const { values, problems } = read({ "load-balance": name })
    expect(values.balancing).toEqual({ loadBalance: name.trim() })
    expect(problems).toEqual([])
  })

  test("267: an unknown name is round robin, with a Problem", () => {
    const { values, problems } = read({ "load-balance": "foo" })
    expect(values.balancing).toEqual({ loadBalance: "round_robin" })
    expect(problems.map(({ message }) => message)).toEqual([
      'Cannot use "foo" for annotation "load-balance" as it is: write round_robin or ewma or least_conn or p2c; round robin is used instead',
    ])
  })

  test.each([
    ["chash", "upstream-hash-by", { "upstream-hash-by": "$host" }],
    [
      "chashsubset",
      "upstream-hash-by-subset",
      { "upstream-hash-by": "$host", "upstream-hash-by-subset": "true" },
    ],
    ["sticky_balanced", "affinity", { affinity: "cookie" }],
    ["sticky_persistent", "affinity", { affinity: "cookie", "affinity-mode": "persistent" }],
  ])("%s is what %s asks for, and round robin without it", (name, needed, its) => {
    expect(read({ "load-balance": name }).values.balancing).toEqual({ loadBalance: "round_robin" })
    expect(messages({ "load-balance": name })).toEqual([
      `Annotation "load-balance" needs annotation "${needed}": round robin is used instead`,
    ])
    expect(messages({ "load-balance": name, ...its })).toEqual([])
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

test("a name of former times is answered with that of today", () => {
  expect(messages({ "secure-backends": "true", "session-cookie-hash": "md5" })).toEqual([
    'Annotation "secure-backends" is unknown: write "backend-protocol" with the value HTTPS',
    'Annotation "session-cookie-hash" is unknown: it is gone; drop it',
  ])
})

test("a key of the ConfigMap is recognised as such", () => {
  expect(messages({ "use-gzip": "true", "keep-alive": "5" })).toEqual([
    'Annotation "keep-alive" is unknown: it is a key of the ConfigMap and holds for all Ingresses',
    'Annotation "use-gzip" is unknown: it is a key of the ConfigMap and holds for all Ingresses',
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
  expect(Object.values(reading.values).filter((group) => Object.keys(group).length > 0)).toEqual([])
  expect(reading).toMatchObject({
    problems: [],
  })
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
