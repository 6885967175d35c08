import { expect, test } from "vitest"
import { ingress, options, service, settings, slice, snapshot, translate } from "../objects.ts"

const rules = ["shop.test/cart → shop:80", "shop.test/.well-known/acme-challenge/x → shop:80"]
const guards = { "global-auth-url": "https://auth.test" }

/** The paths of shop.test that answer 503 while the ConfigMap has global-auth-url. */
function closed(annotations: Readonly<Record<string, string>> = {}, asked = settings): readonly string[] {
  const objects = snapshot(
    ingress("demo/shop", rules, annotations),
    service("demo/shop", "80"),
    slice("demo/shop", ["10.0.0.1"], "80"),
  )
  const { hosts } = translate(objects, { ...asked, guards }, options).model.live
  const routes = hosts.filter(({ host }) => host === "shop.test").flatMap(({ routes }) => routes)
  return routes.filter(({ status }) => status === 503).map(({ path }) => path)
}

const all = ["/", "/.well-known/acme-challenge/x", "/cart"]
const allButChallenges = ["/", "/cart"]

test("global authentication closes every path but those of no-auth-locations, by the path of the Ingress", () => {
  expect(closed()).toEqual(allButChallenges)
  expect(closed({}, { ...settings, noAuthLocations: ["/ca"] })).toEqual(all.slice(0, 2))
  expect(closed({}, { ...settings, noAuthLocations: [] })).toEqual(all)
})

test("an Ingress can do without global authentication; what cannot be read is no reason to open", () => {
  expect(closed({ "enable-global-auth": "false" })).toEqual([])
  expect(closed({ "enable-global-auth": "no" })).toEqual(allButChallenges)
  expect(closed({ "enable-global-auth": "true" })).toEqual(allButChallenges)
})

test("the default backend stays open: no Ingress is there to protect", () => {
  const { hosts } = translate(snapshot(), { ...settings, guards }, options).model.live
  expect(hosts.map(({ host, routes }) => [host, routes.map(({ status }) => status)])).toEqual([["_", [404]]])
})
