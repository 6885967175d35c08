import { expect, test } from "vitest"
import { liveChange, postable } from "../../../controller/core/plan/change.ts"
import type { Location } from "../../../controller/model/location.ts"
import { emptyLive, type Fixed, type Model } from "../../../controller/model/model.ts"
import type { Route } from "../../../controller/model/route.ts"
import type { ServerBlock } from "../../../controller/model/server-block.ts"
import { CheckedLocations } from "../../../controller/sync/checked-locations.ts"
import { ingress, options, service, settings, slice, snapshot, translate } from "../../../harness/objects.ts"

// A location that is only for questions to an authentication service is one all the same.

const question: Location = { name: "location-question", protocol: "https" }

/** Two hosts; who is asked about one is asked by `question`. */
function model(): Model {
  const url = { "auth-url": "https://auth/" }
  const objects = snapshot(
    ingress("demo/asked", "asked.test/ → app:80", { ...url, "permanent-redirect": "https://else.test" }),
    ingress("demo/plain", "plain.test/ → app:80", url),
    ...[service("demo/app", "80"), slice("demo/app", ["10.0.0.1"], "80")],
    ...[service("demo/auth", "443"), slice("demo/auth", ["10.0.0.2"], "443")],
  )
  const { fixed, live } = translate(objects, settings, options).model
  const asking = (route: Route): Route => {
    const external = route.access?.external
    return external ? { ...route, access: { external: { ...external, location: question.name } } } : route
  }
  const hosts = live.hosts.map((host) =>
    host.host === "asked.test" ? { ...host, routes: host.routes.map(asking) } : host,
  )
  return { fixed: { ...fixed, locations: [question, ...fixed.locations] }, live: { ...live, hosts } }
}

const routesOf = ({ live }: Model, name: string) =>
  live.hosts.filter(({ host }) => host === name).flatMap(({ routes }) => routes)

test("when nginx refuses it, only the routes that need it answer 503", async () => {
  const wanted = model()
  const checked = new CheckedLocations()
  const { fixed } = wanted
  const inForce = fixed.locations.filter((location) => location !== question)
  const verdict = ({ locations }: typeof fixed) =>
    Promise.resolve(locations.includes(question) ? ({ reason: "bad" } as const) : ("taken" as const))
  expect(await checked.refused(fixed, { locations: inForce }, fixed.http, verdict)).toBe(true)
  const { model: left, problems } = checked.leaveOut(wanted)
  expect(left.fixed.locations).toEqual(inForce)
  expect(problems.map(({ object, code }) => [object.name, code])).toEqual([["asked", "location-refused"]])
  const [asked] = routesOf(left, "asked.test")
  expect(asked).toMatchObject({ status: 503, location: inForce[0]?.name })
  expect([asked?.redirect, asked?.access]).toEqual([undefined, undefined])
  expect(routesOf(left, "plain.test")[0]).toMatchObject({ access: { external: { location: "auth-https" } } })
})

/** `plain.test` has a server block of its own. */
function withBlock(): Model & { readonly block: ServerBlock } {
  const { fixed, live } = model()
  const source = { kind: "Ingress", namespace: "demo", name: "plain" }
  const text = [{ name: "client_header_buffer_size", args: ["-1"] }]
  const block = { name: "server-1", hosts: ["plain.test"], text, source }
  return { fixed: { ...fixed, servers: { own: [block], shared: [] } }, live, block }
}

test("when nginx refuses a server block, its hosts answer 503, in the block of all others", async () => {
  const { block, ...wanted } = withBlock()
  const checked = new CheckedLocations()
  const asked: Fixed[] = []
  const verdict = (fixed: Fixed) => {
    asked.push(fixed)
    return Promise.resolve(
      fixed.servers?.own.includes(block) ? ({ reason: "bad" } as const) : ("taken" as const),
    )
  }
  expect(await checked.refused(wanted.fixed, model().fixed, wanted.fixed.http, verdict)).toBe(true)
  const { model: left, problems } = checked.leaveOut(wanted)
  expect(left.fixed).toEqual(model().fixed)
  expect(problems.map(({ object, code }) => [object.name, code])).toEqual([["plain", "location-refused"]])
  expect(routesOf(left, "plain.test").map(({ status }) => status)).toEqual([503])
  expect(routesOf(left, "asked.test")).toEqual(routesOf(wanted, "asked.test"))
  const mended = { ...block, name: "server-2", text: [{ name: "client_header_buffer_size", args: ["1k"] }] }
  const again = { ...wanted, fixed: { ...wanted.fixed, servers: { own: [mended], shared: [] } } }
  expect(checked.leaveOut(again).model).toBe(again)
})

test("text that nginx took and refuses now is found, too, and what has none stays", async () => {
  const { block, ...wanted } = withBlock()
  const { fixed } = wanted
  const text: Location = { name: "location-text", text: [{ name: "resolver", args: ["gone.test"] }] }
  const all = { ...fixed, locations: [...fixed.locations, text] }
  const verdict = ({ locations }: Fixed) =>
    Promise.resolve(locations.includes(text) ? ({ reason: "host not found" } as const) : ("taken" as const))
  const checked = new CheckedLocations()
  expect(await checked.refused(all, all, all.http, verdict)).toBe(true)
  const { model: left } = checked.leaveOut({ ...wanted, fixed: all })
  expect([left.fixed.locations, left.fixed.servers?.own]).toEqual([fixed.locations, [block]])
})

test("until it is in force, the hosts that need it wait, and no others", () => {
  const { fixed, live } = model()
  const inForce = new Set(fixed.locations.map(({ name }) => name))
  inForce.delete(question.name)
  const { hosts } = postable(liveChange(emptyLive, live), inForce)
  expect(hosts.set.map(({ host }) => host)).toEqual(["_", "plain.test"])
})
