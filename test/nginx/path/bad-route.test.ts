// One route of a host that nginx does not take: it is closed, and requests for all others, of whichever Ingress, do not notice.
import { expect, test } from "vitest"
import { liveChange } from "../../../controller/core/plan/change.ts"
import { emptyLive, type Live } from "../../../controller/model/model.ts"
import type { Route } from "../../../controller/model/route.ts"
import { ControlClient } from "../../../controller/output/control/client.ts"
import { Control } from "../../../controller/output/control/control.ts"
import { startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { startPlane } from "../../../harness/plane.ts"
import { moment } from "../../support/clock.ts"

const route = (path: string, more: Partial<Route> = {}): Route => ({
  path,
  match: "prefix",
  location: "location-plain",
  backend: "app",
  namespace: "shop",
  ingressName: "app",
  serviceName: "app",
  servicePort: "80",
  locationPath: path,
  overrides: {},
  ...more,
})

/** Longer than a template may be. */
const bad = { rewrite: `/${"x".repeat(5000)}` }

test.each([
  ["plain paths", "/admin", "prefix", "/shop", 3],
  ["patterns", "/admin.*", "regex", "/shop.*", 3],
  ["many patterns", "/admin.*", "regex", "/shop.*", 600],
] as const)("beside %s", async (_, path, match, good, count) => {
  await using backends = await startBackends("app")
  await using plane = await startPlane({ workers: 2 })
  const client = new ControlClient(plane.nginx.site.socket)
  const control = new Control({ client, events: { posted: () => {} }, now: moment })
  const endpoints = backends.map(({ port }) => ({ address: "127.0.0.1", port }))
  const liveWith = (own: Partial<Route>): Live => {
    const more = Array.from({ length: count }, (_, at) => route(`/other-${at}/`, { match }))
    const routes = [...more, route(path, { match, ...own }), route(good, { match }), route("/")]
    return {
      ...emptyLive,
      backends: [{ name: "app", loadBalance: "round_robin", endpoints }],
      hosts: [{ server: "main", host: "shop.test", routes }],
    }
  }
  const statusOf = async (path: string) => (await plane.nginx.get(path, { host: "shop.test" })).status
  const apply = (running: Live, wanted: Live) => control.apply(running, wanted, liveChange(running, wanted))

  const before = await apply(emptyLive, liveWith({}))
  expect(before.refusals).toEqual([])
  const load = startLoad({
    port: plane.nginx.port,
    connections: 4,
    question: (n) => ({ host: "shop.test", path: ["/shop/x", "/", "/other-1/x"][n % 3] ?? "/" }),
  })
  const closed = await apply(before.inForce, liveWith(bad))
  expect(closed.refusals).toMatchObject([{ routes: [{ path }], status: 400 }])
  for (let at = 0; at < 6; at += 1) expect(await statusOf("/admin/x")).toBe(503)
  const after = await apply(closed.inForce, liveWith({}))
  expect(after.refusals).toEqual([])
  for (let at = 0; at < 6; at += 1) expect(await statusOf("/admin/x")).toBe(200)
  const { lost, statuses } = await load.stop()
  expect([lost, [...statuses.keys()]]).toEqual([[], [200]])
  client.close()
})
