// The variables of a route, wherever nginx evaluates them.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { until } from "../../../harness/until.ts"

const all =
  "$namespace|$ingress_name|$service_name|$service_port|$location_path|$proxy_upstream_name|$proxy_alternative_upstream_name"
const cart = {
  path: "/cart",
  namespace: "shop",
  ingress_name: "cart-ingress",
  service_name: "cart",
  service_port: "http",
  location_path: "/cart",
  backend: "shop-cart-80",
}
const texts = "shop|cart-ingress|cart|http|/cart|shop-cart-80|"

let backends: Backends
let ingress: Ingress
beforeAll(async () => {
  backends = await startBackends("a")
  const [backend] = backends
  ingress = await startIngress({
    http: `
      log_format route '$request_uri ${all}';
      map $service_name $mapped { default "other"; cart "the cart"; }`,
    location: "access_log logs.txt route;",
    locations: `
      location @return { access_log logs.txt route; return 200 "${all}"; }
      location @host { return 200 $ingress_host; }
      location @map { return 200 "$mapped"; }
      location @set { set $service_name "changed"; return 200 "$service_name $namespace"; }
      location @proxy {
        access_log logs.txt route;
        proxy_set_header X-Route "${all}";
        proxy_pass http://127.0.0.1:${backend?.port};
      }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backends.stop()
})

/** The access log's line for a request. */
function logged(uri: string): Promise<string> {
  const lines = () => readFileSync(join(ingress.nginx.dir, "logs.txt"), "utf8").split("\n")
  return until("the access log", () =>
    lines()
      .find((line) => line.startsWith(`${uri} `))
      ?.slice(uri.length + 1),
  )
}

test("$ingress_host is the name of the host's record", async () => {
  for (const [record, host] of [
    ["named.test", "NAMED.test:80"],
    ["*.wild.test", "a.wild.test"],
    ["_", "unknown.test"],
  ] as const) {
    await ingress.route(record, [{ ...cart, location: "host" }])
    expect(await ingress.ask(host, "/cart")).toBe(record)
  }
})

test("have the record's values, in responses, request headers, maps and the access log", async () => {
  await ingress.route("return.test", [{ ...cart, location: "return" }])
  expect(await ingress.ask("return.test", "/cart/1")).toBe(texts)
  expect(await logged("/cart/1")).toBe(texts)
  await ingress.route("map.test", [{ ...cart, location: "map" }])
  expect(await ingress.ask("map.test", "/cart")).toBe("the cart")
  await ingress.route("proxy.test", [{ ...cart, location: "proxy" }])
  expect(await ingress.ask("proxy.test", "/cart/2")).toBe("a")
  expect(backends[0]?.lastHeaders["x-route"]).toBe(texts)
  expect(await logged("/cart/2")).toBe(texts)
})

test("are empty where the record has no value", async () => {
  await ingress.route("bare.test", [{ location: "return", backend: "b" }])
  expect(await ingress.ask("bare.test")).toBe("|||||b|")
})

test("are absent where there is no route, but for the alternative, which is empty", async () => {
  expect(await ingress.ask("nobody.test", "/nobody")).toBe("404")
  expect(await logged("/nobody")).toBe("-|-|-|-|-|-|")
})

test("may be changed by `set`, as snippets do", async () => {
  await ingress.route("set.test", [{ ...cart, location: "set" }])
  expect(await ingress.ask("set.test", "/cart")).toBe("changed shop")
})

test("keep their values for as long as the request lasts, whatever becomes of the record", async () => {
  await ingress.route("replaced.test", [{ ...cart, location: "proxy" }])
  await backends[0]?.fault(300)
  const before = backends[0]?.requests
  const answer = ingress.ask("replaced.test", "/cart/slow")
  await until("the backend to be asked", () => backends[0]?.requests !== before)
  for (let n = 0; n < 100; n += 1) {
    // Each change drops the worker's copy of the one before as soon as somebody asks for the host.
    await ingress.route("replaced.test", [
      { location: "return", namespace: `n${n}`.repeat(20), backend: "new" },
    ])
    expect(await ingress.ask("replaced.test")).toContain(`n${n}`)
  }
  await backends[0]?.fault(undefined)
  expect(await answer).toBe("a")
  expect(await logged("/cart/slow")).toBe(texts)
})
