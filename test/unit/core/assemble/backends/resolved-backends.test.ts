import { expect, test } from "vitest"
import {
  ingress,
  options,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"

test("namespaces and Services that differ only by the place of a hyphen have backends of their own; the older Ingress has the short name", () => {
  const older = ingress("a/older", "one.test/ → b-c:80", {}, 1)
  const younger = ingress("a-b/younger", "two.test/ → c:80", {}, 2)
  const input = snapshot(
    younger,
    older,
    service("a/b-c", "80"),
    service("a-b/c", "80"),
    slice("a/b-c", ["10.0.0.1"], "8080"),
    slice("a-b/c", ["10.0.0.2"], "8080"),
  )
  const { backends, hosts } = translate(input, settings, options).model.live
  const addresses = backends.map(({ name, endpoints }) => [name, endpoints[0]?.address])
  expect(addresses).toEqual([
    ["a-b-c-80", "10.0.0.1"],
    ["a-b/c:80", "10.0.0.2"],
  ])
  expect(hosts.map(({ host, routes }) => [host, routes[0]?.backend])).toEqual([
    ["_", "upstream-default-backend"],
    ["one.test", "a-b-c-80"],
    ["two.test", "a-b/c:80"],
  ])
})

test("nobody gets the name of the default backend", () => {
  const input = snapshot(
    ingress("upstream/trick", "one.test/ → default:backend"),
    service("upstream/default", "backend:80"),
    slice("upstream/default", ["10.0.0.1"], "backend:8080"),
  )
  const { backends } = translate(input, settings, options).model.live
  expect(backends.map(({ name }) => name)).toEqual(["upstream/default:backend"])
})

test("a Service port used by many paths is one backend", () => {
  const many = ["one.test/ → cart:80", "two.test/ → cart:80", "two.test/x → cart:80"]
  const input = snapshot(
    ingress("shop/a", many),
    ingress("shop/b", "three.test/ → cart:80"),
    service("shop/cart", "80"),
  )
  expect(translate(input, settings, options).model.live.backends).toHaveLength(1)
})

test("backends of paths that lost to an older Ingress are not made", () => {
  const input = snapshot(
    ingress("shop/a", "one.test/ → cart:80", {}, 1),
    ingress("shop/b", "one.test/ → other:80", {}, 2),
    service("shop/cart", "80"),
    service("shop/other", "80"),
  )
  expect(translate(input, settings, options).model.live.backends.map(({ name }) => name)).toEqual([
    "shop-cart-80",
  ])
})
