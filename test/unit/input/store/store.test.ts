import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { looksLikeSettings } from "../../../../controller/core/options/looks-like-settings.ts"
import type { Change } from "../../../../controller/input/provider/source.ts"
import type { StoreOptions } from "../../../../controller/input/store/store.ts"
import { keyOf } from "../../../../controller/model/objects/object.ts"
import type { Problem } from "../../../../controller/model/problem.ts"
import type { Snapshot } from "../../../../controller/model/snapshot.ts"
import { compareText } from "../../../../controller/support/order.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
  withTls,
} from "../../../../harness/manifests.ts"
import { cart, classed, namesOf, namespace, otherClass, remove, selector, set, storeOf } from "./stores.ts"

test("a ConfigMap with ingress-nginx's keys that no flag names is said to have no effect", () => {
  const named = settings("ingress/settings", { "use-gzip": "true", "Proxy-Body-Size": "8m" })
  const pages = settings("ingress/pages", { "index.html": "hello" })
  const codes = (options: Partial<StoreOptions>) => {
    const { problems } = storeOf([named, pages], { looksLikeSettings, ...options }).snapshot()
    return problems.map(({ code, object }) => [code, object.name])
  }
  expect(codes({ configmap: undefined })).toEqual([["configmap-unnamed", "settings"]])
  expect(codes({})).toEqual([])
  expect(codes({ configmap: undefined, looksLikeSettings: () => false })).toEqual([])
})

describe("what a change touches", () => {
  const store = () =>
    storeOf([ingressClass, cart, service("shop/cart"), slice("shop/cart", ["10.0.0.1"], 80)])

  test.each<[string, Change, boolean]>([
    ["the same Ingress again", set(cart), false],
    ["an Ingress with another path", set(ingress("shop/cart", "cart.test/x → cart:80")), true],
    ["an Ingress of another class", set(classed("shop/new", undefined, "traefik")), false],
    ["our Ingress going", remove(cart), true],
    ["an Ingress going that was never there", remove(ingress("shop/none", "a.test/ → a:80")), false],
    ["a Service that an Ingress names", set(service("shop/cart", 81)), true],
    ["a Service of that name elsewhere", set(service("other/cart")), false],
    ["a Service that no Ingress names", set(service("shop/mail")), false],
    ["a slice of a Service that an Ingress names", set(slice("shop/cart", ["10.0.0.2"], 80, "1")), true],
    [
      "a slice that moves to another Service",
      set({ ...slice("shop/mail", [], 80), metadata: { namespace: "shop", name: "cart-0", labels: {} } }),
      true,
    ],
    ["a slice of another Service", set(slice("shop/mail", ["10.0.0.2"], 80)), false],
    ["the ConfigMap of settings", set(settings("ingress/settings", { a: "1" })), true],
    ["another ConfigMap", set(settings("shop/settings", { a: "1" })), false],
    ["a Problem of a source", { kind: "problems", origin: "a.yaml", problems: [problem("a")] }, true],
    ["no Problem where none was", { kind: "problems", origin: "a.yaml", problems: [] }, false],
  ])("%s: %#", (_, change, isTouched) => {
    expect(store().apply([change])).toBe(isTouched)
  })

  test("the default backend's Service counts without an Ingress", () => {
    const store = storeOf([], { defaultBackendService: { namespace: "ingress", name: "default" } })
    expect(store.apply([set(service("ingress/default"))])).toBe(true)
    expect(store.apply([set(slice("ingress/default", ["10.0.0.1"], 80))])).toBe(true)
  })

  test("a Service counts as long as one Ingress is left that names it", () => {
    const second = ingress("shop/second", ["a.test/ → cart:80", "b.test/ → cart:80"])
    const store = storeOf([ingressClass, cart, second])
    store.apply([remove(cart)])
    expect(store.apply([set(service("shop/cart"))])).toBe(true)
    store.apply([remove(second)])
    expect(store.apply([remove(service("shop/cart"))])).toBe(false)
  })
})

function problem(name: string): Problem {
  return {
    object: { kind: "Ingress", namespace: "shop", name },
    field: "spec",
    code: "host-refused",
    message: "X",
  }
}

describe("what is kept", () => {
  test("--watch-namespace keeps one namespace and what has none", () => {
    const elsewhere = ingress("mail/mail", "mail.test/ → mail:80")
    const store = storeOf([ingressClass, cart, elsewhere, service("mail/mail")], { watchNamespace: "shop" })
    expect(namesOf(store.snapshot())).toEqual(["cart"])
    expect(store.snapshot().services.size).toBe(0)
  })

  test("what flags name is kept wherever it lies, and an EndpointSlice with its Service", () => {
    const at = (name: string) => ({ namespace: "ingress", name })
    const flagged = {
      configmap: at("settings"),
      defaultSslCertificate: at("certificate"),
      defaultBackendService: at("fallback"),
      publishService: at("balancer"),
    }
    const objects = ["settings", "fallback", "balancer", "certificate", "other"].flatMap((name) => [
      settings(`ingress/${name}`, {}),
      secret(`ingress/${name}`, {}),
      service(`ingress/${name}`),
      slice(`ingress/${name}`, ["10.0.0.1"], 80),
    ])
    const store = storeOf(objects, { ...flagged, watchNamespace: "shop" })
    const { configMaps, secrets, services, endpointSlices } = store.snapshot()
    expect([configMaps, secrets, services, endpointSlices].map((map) => [...map.keys()])).toEqual([
      ["ingress/settings"],
      ["ingress/certificate"],
      ["ingress/fallback", "ingress/balancer"],
      ["ingress/fallback", "ingress/balancer"],
    ])
    // where Ingresses are reached is nothing that is served, but where Gateways have addresses
    expect(store.apply([set(service("ingress/balancer", 81))])).toBe(false)
    const beside = storeOf(objects, { ...flagged, gatewayAddresses: ["10.9.0.1"] })
    expect(beside.apply([set(service("ingress/balancer", 81))])).toBe(true)
    expect(store.apply([set(service("ingress/fallback", 81))])).toBe(true)
  })

  test("what entries of TCP and UDP services name touches a pass, as long as a flag names their ConfigMap", () => {
    const tcp = (value: string) => settings("ingress/tcp", { 5432: value, wrong: value })
    const options = { tcpServicesConfigmap: { namespace: "ingress", name: "tcp" } }
    const store = storeOf([tcp("shop/db:5432"), service("shop/db"), service("shop/other")], options)
    expect([...store.named("ConfigMap")]).toContain("ingress/tcp")
    expect(store.apply([set(service("shop/db", 81))])).toBe(true)
    expect(store.apply([set(slice("shop/db", ["10.0.0.1"], 80))])).toBe(true)
    expect(store.apply([set(service("shop/other", 81))])).toBe(false)
    expect(store.apply([set(tcp("shop/other:5432"))])).toBe(true)
    expect(store.apply([set(service("shop/db", 82))])).toBe(false)
    expect(store.apply([set(service("shop/other", 82))])).toBe(true)
    const unnamed = storeOf([tcp("shop/db:5432"), service("shop/db")])
    expect(unnamed.apply([set(service("shop/db", 81))])).toBe(false)
  })

  test("Helm's bookkeeping is left out", () => {
    const secret: Json = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s" },
      type: "helm.sh/release.v1",
    }
    const tiller: Json = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "t", labels: { OWNER: "TILLER" } },
    }
    const snapshot = storeOf([secret, tiller, settings("shop/kept", {})]).snapshot()
    expect(snapshot.secrets.size).toBe(0)
    expect([...snapshot.configMaps.keys()]).toEqual(["shop/kept"])
  })
})

describe("snapshots", () => {
  test("do not change afterwards", () => {
    const store = storeOf([ingressClass, cart, service("shop/cart")])
    const before = store.snapshot()
    store.apply([remove(cart), remove(service("shop/cart")), set(slice("shop/cart", [], 80))])
    expect(namesOf(before)).toEqual(["cart"])
    expect(before.services.size).toBe(1)
    expect(before.endpointSlices.size).toBe(0)
  })

  test("share what did not change", () => {
    const store = storeOf([
      ingressClass,
      cart,
      service("shop/cart"),
      service("shop/mail"),
      slice("shop/cart", [], 80),
    ])
    const before = store.snapshot()
    store.apply([set(service("shop/mail", 81)), set(cart), set(slice("shop/mail", [], 80))])
    const after = store.snapshot()
    expect(after.ingresses).toBe(before.ingresses)
    expect(after.secrets).toBe(before.secrets)
    expect(after.services).not.toBe(before.services)
    expect(after.services.get("shop/cart")).toBe(before.services.get("shop/cart"))
    expect(after.endpointSlices.get("shop/cart")).toBe(before.endpointSlices.get("shop/cart"))
  })

  test("are the same whatever way led there: any order, detours and repetitions", () => {
    const names = ["shop/a", "shop/b", "mail/a"]
    const value = fc.oneof(
      fc
        .tuple(fc.constantFrom(...names), fc.constantFrom("x", "y"))
        .map(([name, path]) => ingress(name, `h.test/${path} → s:80`)),
      fc
        .tuple(fc.constantFrom(...names), fc.constantFrom(undefined, "nginx", "other"))
        .map(([name, of]) => classed(name, of)),
      fc.tuple(fc.constantFrom(...names), fc.constantFrom(80, 81)).map(([name, port]) => service(name, port)),
      fc
        .tuple(fc.constantFrom(...names), fc.constantFrom("0", "1"), fc.constantFrom("10.0.0.1", "10.0.0.2"))
        .map(([name, part, address]) => slice(name, [address], 80, part)),
      fc.constantFrom(ingressClass, otherClass, { ...ingressClass, spec: { controller: "x" } }),
      fc
        .tuple(fc.constantFrom(...names), fc.constantFrom("a", "b"))
        .map(([name, of]) => withTls(ingress(name, "h.test/ → s:80"), `=${of}`)),
      fc.tuple(fc.constantFrom(...names), fc.constantFrom("1", "2")).map(([name, a]) => secret(name, { a })),
      fc
        .tuple(fc.constantFrom("shop", "mail"), fc.constantFrom("bar", "other"))
        .map(([name, foo]) => namespace(name, { foo })),
      fc
        .constantFrom("shop/a", "mail/a", "none")
        .map((name) => settings("ingress/settings", { "ssl-dh-param": name, "add-headers": name })),
    )
    const step = fc.tuple(value, fc.boolean()).map(([value, isSet]) => (isSet ? set(value) : remove(value)))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (steps, random) => {
        const options = { watchNamespaceSelector: random.next().value % 2 ? selector("foo=bar") : undefined }
        const wandering = storeOf([], options)
        for (const change of steps) {
          const { ingresses, secrets, problems } = wandering.snapshot()
          const isTouched = wandering.apply([change])
          if (!isTouched) expect(wandering.snapshot()).toMatchObject({ ingresses, secrets, problems })
        }
        const final = new Map<string, Change>()
        for (const change of steps)
          final.set(
            JSON.stringify(
              change.kind === "set" ? keyOf(change.object) : change.kind === "delete" && change.key,
            ),
            change,
          )
        const shuffled = [...final.values()]
          .map((change) => [random.next().value, change] as const)
          .sort(([a], [b]) => a - b)
        const direct = storeOf([], options)
        direct.apply(shuffled.map(([, change]) => change))
        expect(comparable(direct.snapshot())).toEqual(comparable(wandering.snapshot()))
        for (const kind of ["Secret", "ConfigMap"] as const)
          expect([...direct.named(kind)].sort()).toEqual([...wandering.named(kind)].sort())
      }),
    )
  })
})

/** With the parts sorted whose order does not count. */
function comparable(snapshot: Snapshot) {
  const sorted = <V>(map: ReadonlyMap<string, V>) => [...map].sort(([a], [b]) => compareText(a, b))
  return {
    ingresses: [...snapshot.ingresses].sort((a, b) =>
      compareText(JSON.stringify(a.meta), JSON.stringify(b.meta)),
    ),
    services: sorted(snapshot.services),
    endpointSlices: sorted(snapshot.endpointSlices),
    secrets: sorted(snapshot.secrets),
    configMaps: sorted(snapshot.configMaps),
    problems: snapshot.problems,
  }
}
