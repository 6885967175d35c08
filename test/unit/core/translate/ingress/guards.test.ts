import { expect, test } from "vitest"
import { ingress, options, service, settings, slice, snapshot, translate } from "../objects.ts"

const keys = {
  "global-auth-url": "https://auth.test",
  "whitelist-source-range": "10.0.0.0/8",
  "denylist-source-range": "192.0.2.1",
}
const rules = ["shop.test/cart → shop:80", "shop.test/.well-known/acme-challenge/x → shop:80"]

/** The paths of shop.test that answer 503 while the ConfigMap has this key. */
function closed(
  key: keyof typeof keys,
  annotations: Readonly<Record<string, string>> = {},
  asked = settings,
): readonly string[] {
  const objects = snapshot(
    ingress("demo/shop", rules, annotations),
    service("demo/shop", "80"),
    slice("demo/shop", ["10.0.0.1"], "80"),
  )
  const { hosts } = translate(objects, { ...asked, guards: { [key]: keys[key] } }, options).model.live
  const routes = hosts.filter(({ host }) => host === "shop.test").flatMap(({ routes }) => routes)
  return routes.filter(({ status }) => status === 503).map(({ path }) => path)
}

const all = ["/", "/.well-known/acme-challenge/x", "/cart"]
const allButChallenges = ["/", "/cart"]

test("lists of the ConfigMap close every path, those of ACME too", () => {
  expect(closed("whitelist-source-range")).toEqual(all)
  expect(closed("denylist-source-range")).toEqual(all)
})

test("global authentication closes every path but those of no-auth-locations, by the path of the Ingress", () => {
  expect(closed("global-auth-url")).toEqual(allButChallenges)
  expect(closed("global-auth-url", {}, { ...settings, noAuthLocations: ["/ca"] })).toEqual(all.slice(0, 2))
  expect(closed("global-auth-url", {}, { ...settings, noAuthLocations: [] })).toEqual(all)
})

test("an Ingress can do without global authentication; what cannot be read is no reason to open", () => {
  expect(closed("global-auth-url", { "enable-global-auth": "false" })).toEqual([])
  expect(closed("global-auth-url", { "enable-global-auth": "no" })).toEqual(allButChallenges)
  expect(closed("global-auth-url", { "enable-global-auth": "true" })).toEqual(allButChallenges)
})

test("the Ingress's own list stands in the place of the ConfigMap's, an empty one does not", () => {
  const everybody = "0.0.0.0/0"
  expect(closed("whitelist-source-range", { "whitelist-source-range": everybody })).toEqual([])
  expect(closed("whitelist-source-range", { "allowlist-source-range": everybody })).toEqual([])
  expect(closed("whitelist-source-range", { "allowlist-source-range": "" })).toEqual(all)
  expect(closed("denylist-source-range", { "allowlist-source-range": everybody })).toEqual(all)
})

test("the default backend stays open: no Ingress is there to protect", () => {
  const asked = { ...settings, guards: keys }
  const { hosts } = translate(snapshot(), asked, options).model.live
  expect(hosts.map(({ host, routes }) => [host, routes.map(({ status }) => status)])).toEqual([["_", [404]]])
})
