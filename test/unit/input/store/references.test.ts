import { describe, expect, test } from "vitest"
import type { Store } from "../../../../controller/input/store/store.ts"
import { ingress, ingressClass, secret, settings, withTls } from "../../../../harness/manifests.ts"
import { cart, classed, otherClass, remove, set, storeOf } from "./stores.ts"

describe("what is named", () => {
  const withTlsSecret = withTls(cart, "cart.test=cart", "=")
  const named = (store: Store) => [...store.named("Secret"), ...store.named("ConfigMap")].sort()

  test("by Ingresses of ours, flags and the global settings, whether it exists or not", () => {
    const annotated = ingress("shop/more", "more.test/ → cart:80", {
      "auth-tls-secret": "certs/ca",
      "custom-headers": "shop/headers",
      "proxy-ssl-secret": "No_Name",
    })
    const values = {
      "ssl-dh-param": "ingress/dh",
      "add-headers": "ingress/headers",
      "proxy-body-size": "a/b",
    }
    const foreign = { ...withTls(classed("shop/x", "other"), "=foreign") }
    const store = storeOf(
      [ingressClass, otherClass, withTlsSecret, annotated, foreign, settings("ingress/settings", values)],
      {
        defaultSslCertificate: { namespace: "ingress", name: "default" },
      },
    )
    expect([...store.named("Secret")].sort()).toEqual([
      "certs/ca",
      "ingress/default",
      "ingress/dh",
      "shop/cart",
    ])
    expect([...store.named("ConfigMap")].sort()).toEqual([
      "ingress/headers",
      "ingress/settings",
      "shop/headers",
    ])
  })

  test("is the same set while it does not change", () => {
    const store = storeOf([ingressClass, withTlsSecret])
    const before = store.named("Secret")
    const second = withTls(ingress("shop/second", "a.test/ → cart:80"), "=cart")
    store.apply([
      set(second),
      set(secret("shop/cart", { a: "b" })),
      remove(withTlsSecret),
      set(withTls(cart, "b.test=cart")),
    ])
    expect(store.named("Secret")).toBe(before)
    store.apply([set(cart), remove(second)])
    expect(before.has("shop/cart")).toBe(true)
    expect(store.named("Secret").has("shop/cart")).toBe(false)
  })

  test("follows the global settings", () => {
    const store = storeOf([settings("ingress/settings", { "add-headers": "ingress/a" })])
    expect(named(store)).toEqual(["ingress/a", "ingress/settings"])
    expect(store.apply([set(settings("ingress/a", { x: "1" }))])).toBe(true)
    store.apply([set(settings("ingress/settings", { "add-headers": "ingress/b" }))])
    expect(named(store)).toEqual(["ingress/b", "ingress/settings"])
    expect(store.apply([set(settings("ingress/a", { x: "2" }))])).toBe(false)
    store.apply([remove(settings("ingress/settings", {}))])
    expect(named(store)).toEqual(["ingress/settings"])
  })

  test("is what the snapshot has of Secrets, whichever came first", () => {
    const store = storeOf([ingressClass, secret("shop/cart", { a: "b" }), secret("shop/other", {})])
    expect(store.snapshot().secrets.size).toBe(0)
    store.apply([set(withTlsSecret)])
    const { secrets } = store.snapshot()
    expect([...secrets.keys()]).toEqual(["shop/cart"])
    expect(store.apply([set(secret("shop/other", { c: "d" }))])).toBe(false)
    expect(store.snapshot().secrets).toBe(secrets)
    store.apply([set(cart)])
    expect(store.snapshot().secrets.size).toBe(0)
    expect(secrets.size).toBe(1)
  })
})
