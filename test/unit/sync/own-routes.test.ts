import { expect, test } from "vitest"
import { emptyLive, type Model } from "../../../controller/model/model.ts"
import type { Route } from "../../../controller/model/route.ts"
import { withOwnBackend, withOwnRoutes } from "../../../controller/sync/own-routes.ts"
import { fixed } from "../output/render/site.ts"

const implicit: Route = {
  path: "/",
  match: "prefix",
  location: "location-00000001",
  backend: "upstream-default-backend",
  namespace: "",
  ingressName: "",
  serviceName: "",
  servicePort: "",
  locationPath: "/",
  overrides: {},
}
const declared: Route = { ...implicit, ingressName: "app", namespace: "demo" }

const model = (...routes: readonly Route[]): Model => ({
  fixed,
  live: { ...emptyLive, hosts: [{ server: "main", host: "_", routes }] },
})

function routesOf(from: Model): readonly Route[] {
  const { live } = withOwnRoutes(from, "/healthz")
  return live.hosts[0]?.routes ?? []
}

test("health and status are paths of the default host", () => {
  const own = routesOf(model(implicit)).map(({ path, match, location }) => [path, match, location])
  expect(own.slice(1)).toEqual([
    ["/healthz", "exact", "healthz"],
    ["/nginx_status", "exact", "nginx-status"],
  ])
})

test("hosts of a Gateway's listeners have neither, also where they come first", () => {
  const of = (server: string) => ({ server, host: "_", routes: [implicit] })
  const [first, last] = [of("http:192.0.2.1:80"), of("tcp:192.0.2.1:80")]
  const { hosts } = withOwnRoutes(
    { fixed, live: { ...emptyLive, hosts: [first, of("main"), last] } },
    "/ok",
  ).live
  expect(hosts.map(({ routes }) => routes.map(({ path }) => path))).toEqual([
    ["/"],
    ["/", "/ok", "/nginx_status"],
    ["/"],
  ])
})

test("an Ingress that has one of them keeps it", () => {
  const taken = { ...declared, path: "/nginx_status", match: "exact" } as const
  expect(routesOf(model(declared, taken)).map(({ location }) => location)).toEqual([
    "location-00000001",
    "location-00000001",
    "healthz",
  ])
})

test("where no Service is the default backend, the default server is", () => {
  const from = model(implicit)
  const complete = withOwnBackend(from, 8181).live.backends
  expect(complete).toEqual([
    {
      name: "upstream-default-backend",
      loadBalance: "round_robin",
      endpoints: [{ address: "127.0.0.1", port: 8181 }],
    },
  ])
  expect(withOwnBackend(from, 8181).live.backends).toBe(complete)
  const named = { ...from, live: { ...from.live, backends: complete } }
  expect(withOwnBackend(named, 8182)).toBe(named)
})

test("that backend has its place in the order of names", () => {
  const from = model(implicit)
  const backends = ["a-web-80", "z-web-80"].map(
    (name) => ({ name, loadBalance: "round_robin", endpoints: [] }) as const,
  )
  const complete = withOwnBackend({ ...from, live: { ...from.live, backends } }, 8181).live.backends
  expect(complete.map(({ name }) => name)).toEqual(["a-web-80", "upstream-default-backend", "z-web-80"])
})
