// A route that nginx refuses does not take its host along.
import { beforeEach, describe, expect, test } from "vitest"
import type { Route } from "../../../../controller/model/route.ts"
import type { PostedHost } from "../../../../controller/output/control/posted.ts"
import { problemsOf } from "../../../../controller/output/control/refusal.ts"
import { host, live } from "./live.ts"
import { type StartedControl, shop, startControl } from "./started-control.ts"

let fake: StartedControl["fake"]
let to: StartedControl["to"]
beforeEach(async () => {
  const started = await startControl()
  ;({ fake, to } = started)
  return started.stop
})

describe("a route that nginx does not take", () => {
  const routeOf = (path: string, more: Partial<Route> = {}) =>
    host("shared.test", "a").routes.map((route): Route => ({ ...route, path, ...more }))
  const bad = { rewrite: "/bad", ingressName: "other", access: { allow: "list" } }
  const withRoutes = (...routes: readonly Route[]) =>
    live(shop.backends, [...shop.hosts, { ...host("shared.test", "a"), routes }])
  const served = () =>
    fake
      .routesOf("main/shared.test")
      .map(({ path, match, status }) => [path, match, status ?? "open"].join(" "))

  test("is closed, and all others of its host are served, whoever they are of", async () => {
    const wanted = withRoutes(...routeOf("/"), ...routeOf("/admin", bad), ...routeOf("/shop"))
    const { inForce, refusals } = await to(wanted)
    expect(served()).toEqual(["/ prefix open", "/admin prefix 503", "/shop prefix open"])
    expect(problemsOf(refusals, wanted)).toMatchObject([
      {
        object: { kind: "Ingress", namespace: "shop", name: "other" },
        code: "refused",
        message:
          'Cannot serve path "/admin" of host "shared.test": the route /admin is bad; requests get 503',
      },
    ])
    const { parts = [] } = fake.zones.routes.get("main/shared.test") as PostedHost
    expect([...fake.zones.route_parts.keys()].toSorted()).toEqual([...parts].toSorted())
    const better = withRoutes(...routeOf("/"), ...routeOf("/admin"), ...routeOf("/shop"))
    expect((await to(better, inForce)).refusals).toEqual([])
    expect(served()).toEqual(["/ prefix open", "/admin prefix open", "/shop prefix open"])
    expect(fake.zones.route_parts.size).toBe(0)
    expect(fake.missing).toEqual([])
  })

  test("is found among others of the same path", async () => {
    await to(
      withRoutes(
        ...routeOf("/x"),
        ...routeOf("/x", { ...bad, match: "exact" }),
        ...routeOf("/x/"),
        ...routeOf("/y"),
      ),
    )
    expect(served()).toEqual(["/x prefix open", "/x exact 503", "/x/ prefix open", "/y prefix open"])
  })

  test.each([20, 1000])("is found among %s patterns, which stay in their order", async (count) => {
    const routes = Array.from({ length: count }, (_, at) =>
      routeOf(`/p${at}.*`, { match: "regex", ...(at % 10 === 7 && bad) }),
    ).flat()
    await to(withRoutes(...routes))
    expect(served()).toEqual(routes.map(({ path, rewrite }) => `${path} regex ${rewrite ? 503 : "open"}`))
  })

  test("is left out if its path is at fault", async () => {
    fake.refusesPaths.add("/admin")
    const wanted = withRoutes(...routeOf("/"), ...routeOf("/admin", bad))
    const { refusals } = await to(wanted)
    expect(served()).toEqual(["/ prefix open"])
    expect(problemsOf(refusals, wanted)).toMatchObject([
      { message: 'Cannot serve path "/admin" of host "shared.test": the route /admin is bad' },
    ])
  })

  test("leaves what is in force of a host that cannot be set", async () => {
    const before = withRoutes(...routeOf("/"))
    await to(before)
    fake.refuses.add("shared.test")
    const { inForce } = await to(withRoutes(...routeOf("/"), ...routeOf("/admin", bad)), before)
    expect(served()).toEqual(["/ prefix open"])
    expect(inForce).toEqual(before)
    expect(fake.zones.route_parts.size).toBe(0)
  })
})
