/** Settings of a backend: from the posted JSON into its record and back. */
import { expect, test } from "vitest"
import { setBackends } from "./build.ts"
import { Worker } from "./host.ts"

const BACKENDS = "/configuration/backends"

type Fields = { [field: string]: unknown }

function shown(worker: Worker, name = "a"): Fields {
  return JSON.parse(worker.get(`${BACKENDS}?name=${name}`).body)[0]
}

/** What a backend of these fields is shown as, beside its name and endpoints. */
function settled(fields: Fields): Fields {
  const worker = new Worker()
  setBackends(worker, { name: "a", ...fields })
  const { name, endpoints, ...rest } = shown(worker)
  return rest
}

const byCookie = (cookie: Fields | null, mode?: unknown) => ({
  sessionAffinityConfig: { name: "cookie", mode, cookieSessionAffinity: cookie },
})
const hashBy = (key: unknown, more: Fields = {}) => ({
  upstreamHashByConfig: { "upstream-hash-by": key, ...more },
})
const shaping = (fields: Fields) => ({ trafficShapingPolicy: fields })

test("sessions come before hashing, hashing before load-balance", () => {
  const algorithm = (fields: Fields) => settled(fields)["load-balance"]
  const hashed = hashBy("$host")
  const subset = hashBy("$host", { "upstream-hash-by-subset": true })
  expect(algorithm({ "load-balance": "ewma" })).toBe("ewma")
  expect(algorithm({ "load-balance": "ewma", ...hashed })).toBe("chash")
  expect(algorithm({ "load-balance": "chash", ...subset })).toBe("chashsubset")
  expect(algorithm({ ...byCookie({ name: "c" }), ...hashed })).toBe("sticky_balanced")
  expect(algorithm({ ...hashed, ...byCookie({ name: "c" }, "balanced") })).toBe("sticky_balanced")
  expect(algorithm({ ...byCookie({ name: "c" }, "Persistent") })).toBe("sticky_balanced")
  expect(algorithm({ ...byCookie({ name: "c" }, "persistent"), ...subset })).toBe("sticky_persistent")
})

test("load-balance names an algorithm; without its settings, or unknown, it is round robin", () => {
  const algorithm = (name: string | null) => settled({ "load-balance": name })["load-balance"]
  for (const name of ["round_robin", "ewma", "least_conn", "p2c", "custom"])
    expect(algorithm(name)).toBe(name)
  for (const name of ["chash", "chashsubset", "sticky_balanced", "sticky_persistent", "EWMA", "", null]) {
    expect(algorithm(name)).toBe("round_robin")
  }
})

const none = { "load-balance": "round_robin" }

test.each<[string, Fields]>([
  [
    "affinity of another kind",
    {
      sessionAffinityConfig: {
        name: "",
        mode: "persistent",
        cookieSessionAffinity: { name: "c", locations: { a: ["/"] }, secure: true, samesite: "Lax" },
      },
    },
  ],
  ["no key to hash", hashBy("", { "upstream-hash-by-subset": true, "upstream-hash-by-subset-size": 5 })],
  [
    "shaping that takes nothing",
    shaping({ weight: 0, weightTotal: 200, header: "", headerValue: "x", headerPattern: "y", cookie: "" }),
  ],
  ["a weight below nothing", shaping({ weight: -5 })],
  ["no alternatives", { alternativeBackends: [] }],
  [
    "all null",
    Object.fromEntries(
      [
        "endpoints",
        "service",
        "port",
        "sslPassthrough",
        "load-balance",
        "sessionAffinityConfig",
        "upstreamHashByConfig",
        "noServer",
        "trafficShapingPolicy",
        "alternativeBackends",
        "slowStart",
        "outlierEjection",
        "policy",
      ].map((field) => [field, null]),
    ),
  ],
])("%s leaves nothing", (_, fields) => {
  expect(settled(fields)).toEqual(none)
})

test("what the data plane of ingress-nginx assumes is filled in", () => {
  expect(settled(byCookie(null))).toMatchObject(byCookie({ name: "route" }, "balanced"))
  expect(settled(byCookie({ name: "", secure: false, expires: "", domain: null }))).toMatchObject(
    byCookie({ name: "route" }, "balanced"),
  )
  const subset = { "upstream-hash-by-subset": true, "upstream-hash-by-subset-size": 3 }
  expect(settled(hashBy("k", { "upstream-hash-by-subset": true }))).toMatchObject(hashBy("k", subset))
  expect(settled(hashBy("k", { "upstream-hash-by-subset-size": 7 }))).toMatchObject(hashBy("k"))
  expect(settled(shaping({ cookie: "c" }))).toMatchObject(
    shaping({ weight: 0, weightTotal: 100, cookie: "c" }),
  )
})

test("a policy hashes for itself, and sessions come before it", () => {
  const policy = { name: "mine", digest: "5".repeat(64) }
  const custom = { "load-balance": "custom", policy }
  expect(settled(custom)).toEqual(custom)
  expect(settled({ ...custom, ...hashBy("$host") })).toEqual({ ...custom, ...hashBy("$host") })
  expect(settled({ ...custom, ...byCookie({ name: "c" }) })).toMatchObject({
    "load-balance": "sticky_balanced",
    policy,
  })
  expect(settled({ policy, ...hashBy("$host") })["load-balance"]).toBe("chash")
})

test("numbers beyond what counts are cut", () => {
  const weights = (weight: number, weightTotal: number) =>
    settled(shaping({ weight, weightTotal })).trafficShapingPolicy
  const most = 2 ** 31 - 1
  expect(weights(10, -1)).toEqual({ weight: 10, weightTotal: 100 })
  expect(weights(2 ** 53, 2 ** 32)).toEqual({ weight: most, weightTotal: most })
})

test.each([
  ["172800", "172800"],
  [0, "0"],
  ["-0", "0"],
  ["-1", "-1"],
  [-100000000000, "-100000000000"],
  ["\\u00312", "12"],
])("%j seconds are shown as %j", (posted, seconds) => {
  const worker = new Worker()
  const text = JSON.stringify([{ name: "a", ...byCookie({ expires: posted }) }]).replace("\\\\u", "\\u")
  expect(worker.post(BACKENDS, text).status).toBe(201)
  expect(shown(worker)).toMatchObject(byCookie({ expires: seconds }, "balanced"))
})

test.each([["none"], ["LAX"], ["strict "], ["Default"]])("samesite %j is left out", (samesite) => {
  expect(settled(byCookie({ name: "c", samesite }))).toEqual({
    "load-balance": "sticky_balanced",
    ...byCookie({ name: "c" }, "balanced"),
  })
})

/** As Go encodes ingress-nginx's structs, what of them is omitted when empty included. */
const REFERENCE: Fields[] = [
  {
    name: "shop-cart-80",
    service: {
      metadata: {},
      spec: {
        ports: [{ name: "http", protocol: "TCP", port: 80, targetPort: "web" }],
        selector: { app: "cart" },
        clusterIP: "10.96.0.7",
        clusterIPs: ["10.96.0.7"],
        type: "ClusterIP",
        sessionAffinity: "None",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        internalTrafficPolicy: "Cluster",
      },
      status: { loadBalancer: {} },
    },
    port: "http",
    sslPassthrough: false,
    endpoints: [
      { address: "10.0.0.1", port: "8080" },
      { address: "10.0.0.2", port: "8080" },
    ],
    sessionAffinityConfig: {
      name: "cookie",
      mode: "persistent",
      cookieSessionAffinity: {
        name: "INGRESSCOOKIE",
        expires: "172800",
        maxage: "172800",
        locations: { "shop.test": ["/cart", "/cart/old"], "~^www\\d+\\.shop\\.test$": ["/cart"] },
        path: "/",
        change_on_failure: true,
      },
    },
    upstreamHashByConfig: { "upstream-hash-by-subset-size": 3 },
    "load-balance": "round_robin",
    noServer: false,
    trafficShapingPolicy: {
      weight: 0,
      weightTotal: 0,
      header: "",
      headerValue: "",
      headerPattern: "",
      cookie: "",
    },
    alternativeBackends: ["shop-cart-canary-80"],
  },
  {
    name: "shop-cart-canary-80",
    port: 80,
    sslPassthrough: false,
    sessionAffinityConfig: { name: "", mode: "", cookieSessionAffinity: { name: "" } },
    upstreamHashByConfig: {},
    noServer: true,
    trafficShapingPolicy: {
      weight: 20,
      weightTotal: 100,
      header: "X-Canary",
      headerValue: "",
      headerPattern: "^(beta|dev)$",
      cookie: "",
    },
  },
]

test("the full set of ingress-nginx is taken with all its settings", () => {
  const worker = new Worker()
  expect(worker.post(BACKENDS, REFERENCE).status).toBe(201)
  const { sessionAffinityConfig, alternativeBackends } = REFERENCE[0] ?? {}
  expect(shown(worker, "shop-cart-80")).toMatchObject({
    "load-balance": "sticky_persistent",
    sessionAffinityConfig,
    alternativeBackends,
  })
  expect(shown(worker, "shop-cart-canary-80")).toEqual({
    name: "shop-cart-canary-80",
    "load-balance": "round_robin",
    endpoints: [],
    noServer: true,
    trafficShapingPolicy: { weight: 20, weightTotal: 100, header: "X-Canary", headerPattern: "^(beta|dev)$" },
  })
})
