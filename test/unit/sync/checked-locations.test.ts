import { expect, test } from "vitest"
import { liveChange, postable } from "../../../controller/core/plan/change.ts"
import type { Location } from "../../../controller/model/location.ts"
import { emptyLive, type Model } from "../../../controller/model/model.ts"
import type { Route } from "../../../controller/model/route.ts"
import { CheckedLocations } from "../../../controller/sync/checked-locations.ts"
import { ingress, options, service, settings, slice, snapshot, translate } from "../../../harness/objects.ts"

// A location that is only for questions to an authentication service is one all the same.

const question: Location = { name: "location-question", protocol: "https", isQuestion: true }

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
  const inForce = fixed.locations.filter(({ isQuestion }) => isQuestion === undefined)
  const verdict = ({ locations }: typeof fixed) =>
    Promise.resolve(locations.includes(question) ? ({ reason: "bad" } as const) : ("taken" as const))
  expect(await checked.refused(fixed, inForce, fixed.http, verdict)).toBe(true)
  const { model: left, problems } = checked.leaveOut(wanted)
  expect(left.fixed.locations).toEqual(inForce)
  expect(problems.map(({ object, code }) => [object.name, code])).toEqual([["asked", "location-refused"]])
  const [asked] = routesOf(left, "asked.test")
  expect(asked).toMatchObject({ status: 503, location: inForce[0]?.name })
  expect([asked?.redirect, asked?.access]).toEqual([undefined, undefined])
  expect(routesOf(left, "plain.test")[0]).toMatchObject({ access: { external: { location: "auth-https" } } })
})

test("until it is in force, the hosts that need it wait, and no others", () => {
  const { fixed, live } = model()
  const inForce = new Set(fixed.locations.map(({ name }) => name))
  inForce.delete(question.name)
  const { hosts } = postable(liveChange(emptyLive, live), inForce)
  expect(hosts.set.map(({ host }) => host)).toEqual(["_", "plain.test"])
})
