import { expect, test } from "vitest"
import {
  ingress,
  options,
  type Part,
  service,
  settings,
  slice,
  snapshot,
  tlsSecret,
  translate,
} from "../../../../harness/objects.ts"

const observed = (...objects: readonly Part[]) => translate(snapshot(...objects), settings, options).observed

test("an Ingress whose rules name Services that are not there, or have nobody, is known by both", () => {
  const objects = [
    service("shop/cart", "80"),
    slice("shop/cart", ["10.0.0.1"], "8080"),
    service("shop/idle", "80"),
    ingress("shop/fine", "fine.test/ → cart:80"),
    ingress("shop/idle", ["idle.test/ → cart:80", "idle.test/idle → idle:80"]),
    ingress("shop/lost", "lost.test/ → none:80"),
    ingress("shop/wrong", "wrong.test/ → cart:81"),
    ingress("shop/bare", "bare.test"),
    ingress("shop/rest", "* → none:80"),
  ]
  const found = [...observed(...objects).sources()]
  const told = found.map((one) => [one.source.name, one.lacksService, one.lacksEndpoint])
  expect(told.sort()).toEqual([
    ["fine", false, false],
    ["idle", false, true],
    ["lost", true, false],
    ["wrong", true, false],
  ])
})

test("an Ingress whose paths all have canaries is known, too", () => {
  const objects = [
    service("shop/cart", "80"),
    slice("shop/cart", ["10.0.0.1"], "8080"),
    ingress("shop/main", "a.test/ → cart:80"),
    ingress("shop/canary", "a.test/ → none:80", { canary: "true" }, 1),
  ]
  const found = [...observed(...objects).sources()]
  expect(found.map((one) => [one.source.name, one.lacksService])).toEqual([
    ["main", false],
    ["canary", true],
  ])
})

test("hosts show the certificates of their tls section, or the default one; `_` stands for all others", () => {
  const withTls = (name: string, host: string, secretName: string) => ({
    ...ingress(name, `${host}/ → cart:80`),
    tls: [{ hosts: [host], secretName }],
  })
  const shown = observed(
    tlsSecret("shop/own", { names: ["own.test"] }),
    tlsSecret("shop/bad"),
    withTls("shop/a", "own.test", "own"),
    withTls("shop/b", "bad.test", "bad"),
    ingress("shop/c", "plain.test/ → cart:80"),
  ).certificates()
  expect(shown.map(({ host, secret, certificate }) => [host, secret, certificate?.id])).toEqual([
    ["_", undefined, undefined],
    ["bad.test", undefined, undefined],
    ["own.test", "shop/own", "id-of-own_test-rsa"],
  ])
})

test("what a copy of a certificate in another namespace is, is told by the Secret's name", () => {
  const copies = ["a", "b"].flatMap((namespace) => [
    tlsSecret(`${namespace}/wild`, { names: ["*.shop.test"] }),
    {
      ...ingress(`${namespace}/web`, `${namespace}.shop.test/ → cart:80`),
      tls: [{ hosts: [`${namespace}.shop.test`], secretName: "wild" }],
    },
  ])
  const secrets = observed(...copies)
    .certificates()
    .map(({ host, secret }) => [host, secret])
  expect(secrets).toEqual([
    ["_", undefined],
    ["a.shop.test", "a/wild"],
    ["b.shop.test", "b/wild"],
  ])
})
