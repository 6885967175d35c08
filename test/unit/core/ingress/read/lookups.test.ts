import { expect, test } from "vitest"
import { Translator } from "../../../../../controller/core/translate/translate.ts"
import type { ConfigMap } from "../../../../../controller/model/objects/config-map.ts"
import type { Snapshot } from "../../../../../controller/model/snapshot.ts"
import {
  ingress,
  meta,
  options,
  passOf,
  service,
  settings,
  slice,
  snapshot,
} from "../../../../../harness/objects.ts"

const parts = [
  ingress("shop/cart", "cart.test/ → cart:80", { "custom-headers": "headers" }),
  ingress("shop/other", "other.test/ → cart:80"),
  service("shop/cart", "80"),
  slice("shop/cart", ["10.0.0.1"], "80"),
]
const world = snapshot(...parts)
const allowed = { ...settings, allowedResponseHeaders: ["X-One"] }

function configMap(name: string, data: Record<string, string>): ConfigMap {
  return { kind: "ConfigMap", meta: meta(name), data }
}

function withConfigMaps(...configMaps: readonly ConfigMap[]): Snapshot {
  const named = configMaps.map((object) => [`${object.meta.namespace}/${object.meta.name}`, object] as const)
  return { ...world, configMaps: new Map(named) }
}

function hosts(given: Snapshot, translator: Translator) {
  const { hosts } = passOf(translator, given, allowed).model.live
  return { cart: hosts.find(({ host }) => host === "cart.test"), all: hosts }
}

test("a ConfigMap that an annotation names is noticed when it comes, changes and goes", () => {
  const translator = new Translator(options)
  const header = (given: Snapshot) => hosts(given, translator).cart?.routes[0]
  expect(header(withConfigMaps())?.status).toBe(503)
  const one = configMap("shop/headers", { "X-One": "1" })
  expect(header(withConfigMaps(one))).toMatchObject({ headers: [{ name: "X-One", value: "1" }] })
  expect(header(withConfigMaps(one))?.status).toBeUndefined()
  const two = configMap("shop/headers", { "X-One": "2" })
  expect(header(withConfigMaps(two))).toMatchObject({ headers: [{ name: "X-One", value: "2" }] })
  expect(header(withConfigMaps())?.status).toBe(503)
})

test("any other ConfigMap changes nothing, and only what concerns it is made again", () => {
  const translator = new Translator(options)
  const one = configMap("shop/headers", { "X-One": "1" })
  const before = hosts(withConfigMaps(one), translator).all
  const after = hosts(withConfigMaps(one, configMap("shop/else", {})), translator).all
  expect(after).toBe(before)
  const changed = hosts(withConfigMaps(configMap("shop/headers", { "X-One": "2" })), translator).all
  expect(changed.map((host, at) => host === before[at])).toEqual([true, false, true])
})
