// The settings of a backend on a real nginx: a full set as ingress-nginx posts it is in force in every worker, and shown as posted.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b")
  plane = await startPlane({ workers: 4 })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})

const cookie = {
  name: "INGRESSCOOKIE",
  expires: "172800",
  locations: { "shop.test": ["/"] },
  path: "/",
  change_on_failure: true,
}

/** As Go encodes it: what is empty but not omitted included. */
function posted(): object {
  return {
    name: "shop-cart-80",
    service: { metadata: {}, spec: { ports: [{ port: 80 }] }, status: { loadBalancer: {} } },
    port: 80,
    sslPassthrough: false,
    endpoints: backends.map(({ port }) => ({ address: "127.0.0.1", port: String(port) })),
    sessionAffinityConfig: { name: "cookie", mode: "persistent", cookieSessionAffinity: cookie },
    upstreamHashByConfig: { "upstream-hash-by": "$request_uri" },
    noServer: false,
    trafficShapingPolicy: {
      weight: 0,
      weightTotal: 0,
      header: "X-Canary",
      headerValue: "",
      headerPattern: "^(1|2)$",
      cookie: "",
    },
    alternativeBackends: ["shop-cart-canary-80"],
  }
}

test("a full set of ingress-nginx with settings is served, and every worker shows it", async () => {
  await plane.apply({ routes: { set: [host("shop.test", "shop-cart-80")] } })
  const answer = await plane.nginx.control("POST", "/configuration/backends", JSON.stringify([posted()]))
  expect(answer.status).toBe(201)
  for (let i = 0; i < 40; i++) {
    expect((await plane.nginx.get("/", { headers: { host: "shop.test" } })).status).toBe(200)
    const [shown] = (await plane.nginx.control("GET", "/configuration/backends")).json() as [object]
    expect(shown).toMatchObject({
      "load-balance": "sticky_persistent",
      sessionAffinityConfig: { name: "cookie", mode: "persistent", cookieSessionAffinity: cookie },
      upstreamHashByConfig: { "upstream-hash-by": "$request_uri" },
      trafficShapingPolicy: { weight: 0, weightTotal: 100, header: "X-Canary", headerPattern: "^(1|2)$" },
      alternativeBackends: ["shop-cart-canary-80"],
    })
  }
})
