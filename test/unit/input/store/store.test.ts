import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { referencesIn } from "../../../../controller/core/annotations/references.ts"
import { looksLikeSettings } from "../../../../controller/core/options/looks-like-settings.ts"
import { referencesInSettings } from "../../../../controller/core/options/references.ts"
import { referencesInStreams } from "../../../../controller/core/streams/references.ts"
import type { Change } from "../../../../controller/input/provider/source.ts"
import { Store, type StoreOptions } from "../../../../controller/input/store/store.ts"
import type { Ingress } from "../../../../controller/model/objects/ingress.ts"
import { parseLabelSelector } from "../../../../controller/model/objects/label-selector.ts"
import type { KubernetesObject } from "../../../../controller/model/objects/object.ts"
import { keyOf } from "../../../../controller/model/objects/object.ts"
import { parseObject } from "../../../../controller/model/objects/parse.ts"
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

const flags: StoreOptions = {
  ingressClass: "nginx",
  controllerClass: "k8s.io/ingress-nginx",
  ingressClassByName: false,
  watchIngressWithoutClass: false,
  readsClasses: true,
  watchNamespace: "",
  gatewayControllerName: "wick.dev/gateway",
  watchNamespaceSelector: undefined,
  configmap: { namespace: "ingress", name: "settings" },
  defaultBackendService: undefined,
  defaultSslCertificate: undefined,
  publishService: undefined,
  enableTopologyAwareRouting: false,
  pod: { namespace: "ingress", name: "wick-0" },
  reportsUnassigned: true,
  referencesOf: (ingress) => referencesIn(ingress, "nginx.ingress.kubernetes.io"),
  referencesOfSettings: referencesInSettings,
  referencesOfStreams: referencesInStreams,
}

function object(value: Json): KubernetesObject {
  const parsed = parseObject(value, { firstSeenMs: () => 0, origin: "" })
  if (parsed.kind !== "object") throw new Error(JSON.stringify(parsed))
  return parsed.object
}

const set = (value: Json): Change => ({ kind: "set", object: object(value) })
const remove = (value: Json): Change => ({ kind: "delete", key: keyOf(object(value)) })

function storeOf(values: readonly Json[], options: Partial<StoreOptions> = {}): Store {
  const store = new Store({ ...flags, ...options })
  store.apply(values.map(set))
  return store
}

/** An Ingress whose class is said in another way than by ingressClassName. */
function classed(name: string, className: string | undefined, annotation?: string): Json {
  const [namespace, plain] = name.split("/")
  const annotations = annotation === undefined ? {} : { "kubernetes.io/ingress.class": annotation }
  const spec = className === undefined ? {} : { ingressClassName: className }
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { namespace, name: plain, annotations },
    spec,
  }
}

const otherClass: Json = {
  ...ingressClass,
  metadata: { name: "other" },
  spec: { controller: "example.com/other" },
}
const namesOf = (snapshot: Snapshot) => snapshot.ingresses.map(({ meta }) => meta.name).sort()
const cart = ingress("shop/cart", "cart.test/ → cart:80")

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

describe("which Ingresses are ours", () => {
  const named = classed("shop/named", "nginx")
  const foreign = classed("shop/foreign", "other")
  const dangling = classed("shop/dangling", "none")
  const annotated = classed("shop/annotated", undefined, "nginx")
  const elsewhere = classed("shop/elsewhere", undefined, "traefik")
  const both = classed("shop/both", "other", "nginx")
  const bare = classed("shop/bare", undefined)
  const all = [ingressClass, otherClass, named, foreign, dangling, annotated, elsewhere, both, bare]
  const ours = (options: Partial<StoreOptions> = {}) => namesOf(storeOf(all, options).snapshot())

  test("by the controller of their IngressClass, which the annotation cannot overrule, or else by the annotation", () => {
    expect(ours()).toEqual(["annotated", "named"])
  })

  test("--ingress-class is the value of the annotation", () => {
    expect(ours({ ingressClass: "traefik" })).toEqual(["elsewhere", "named"])
  })

  test("--controller-class is the controller", () => {
    expect(ours({ controllerClass: "example.com/other" })).toEqual(["annotated", "both", "foreign"])
  })

  test("--ingress-class-by-name accepts the class of that name too, whatever its controller", () => {
    expect(ours({ ingressClass: "other", ingressClassByName: true })).toEqual(["both", "foreign", "named"])
    expect(ours({ ingressClass: "other" })).toEqual(["named"])
  })

  test("--watch-ingress-without-class accepts those that say nothing", () => {
    expect(ours({ watchIngressWithoutClass: true })).toEqual(["annotated", "bare", "named"])
  })

  test("one that nobody can take is a Problem, one of somebody else is not", () => {
    const problems = storeOf(all).snapshot().problems
    expect(problems.map(({ object, field, code }) => [object.name, field, code])).toEqual([
      ["bare", "spec.ingressClassName", "class-missing"],
      ["dangling", "spec.ingressClassName", "class-missing"],
    ])
    expect(storeOf(all, { reportsUnassigned: false }).snapshot().problems).toEqual([])
  })

  test("a class that appears, changes its controller or goes takes effect at once", () => {
    const store = storeOf([cart])
    expect(namesOf(store.snapshot())).toEqual([])
    expect(store.apply([set(ingressClass)])).toBe(true)
    expect(namesOf(store.snapshot())).toEqual(["cart"])
    expect(store.snapshot().problems).toEqual([])
    expect(store.apply([set({ ...ingressClass, spec: { controller: "x" } })])).toBe(true)
    expect(namesOf(store.snapshot())).toEqual([])
    expect(store.apply([set(ingressClass), remove(ingressClass)])).toBe(true)
    expect(namesOf(store.snapshot())).toEqual([])
  })

  test("a class that no Ingress names touches nothing", () => {
    expect(storeOf([ingressClass, cart]).apply([set(otherClass)])).toBe(false)
  })

  test("the mark of the default class is for the API server", () => {
    const annotations = { "ingressclass.kubernetes.io/is-default-class": "true" }
    const standard = { ...ingressClass, metadata: { name: "nginx", annotations } }
    expect(namesOf(storeOf([standard, named, bare]).snapshot())).toEqual(["named"])
  })

  test("where classes may not be listed, ingressClassName is not looked at and the annotation decides", () => {
    const blind = { readsClasses: false }
    expect(ours(blind)).toEqual(["annotated", "both"])
    expect(ours({ ...blind, watchIngressWithoutClass: true })).toEqual([
      "annotated",
      "bare",
      "both",
      "dangling",
      "foreign",
      "named",
    ])
    const store = storeOf([named, both], blind)
    expect(store.apply([set(ingressClass), remove(ingressClass)])).toBe(false)
    // ingress-nginx does not look at the annotation of an update
    expect(store.apply([set(classed("shop/both", "other", "traefik"))])).toBe(true)
    expect(namesOf(store.snapshot())).toEqual([])
  })
})

describe("--watch-namespace-selector", () => {
  const mail = ingress("mail/mail", "mail.test/ → mail:80")
  const watchNamespaceSelector = selector("foo=bar")
  const inShop = namespace("shop", { foo: "bar" })
  const outside = namespace("mail", { foo: "other" })
  const all = [ingressClass, cart, mail]

  test("359: only Ingresses of namespaces with these labels are ours", () => {
    const store = storeOf([...all, inShop, outside], { watchNamespaceSelector })
    expect(namesOf(store.snapshot())).toEqual(["cart"])
    expect(store.snapshot().problems).toEqual([])
    expect(store.apply([set(service("mail/mail"))])).toBe(false)
  })

  test("359: a Namespace that comes, is labelled anew or goes takes effect at once", () => {
    const store = storeOf(all, { watchNamespaceSelector })
    expect(namesOf(store.snapshot())).toEqual([])
    expect(store.apply([set(inShop)])).toBe(true)
    expect(namesOf(store.snapshot())).toEqual(["cart"])
    expect(store.apply([set(outside)])).toBe(true)
    expect(store.apply([set(namespace("mail", { foo: "bar", more: "1" }))])).toBe(true)
    expect(namesOf(store.snapshot())).toEqual(["cart", "mail"])
    expect(store.apply([set(service("mail/mail"))])).toBe(true)
    expect(store.apply([set(namespace("mail", { foo: "bar", more: "2" }))])).toBe(false)
    expect(store.apply([set(outside), remove(inShop)])).toBe(true)
    expect(namesOf(store.snapshot())).toEqual([])
    expect(store.apply([set(service("mail/mail", 81))])).toBe(false)
  })

  test("a namespace may be selected by its name", () => {
    const byName = selector("kubernetes.io/metadata.name in (mail)")
    const store = storeOf([...all, inShop, outside], { watchNamespaceSelector: byName })
    expect(namesOf(store.snapshot())).toEqual(["mail"])
  })

  test("a Namespace that is not there is a Problem of its Ingresses, if the class is ours or may be", () => {
    const problems = (options: Partial<StoreOptions>) => storeOf(all, options).snapshot().problems
    expect(problems({ watchNamespaceSelector }).map(({ code, field }) => [code, field])).toEqual([
      ["namespace-missing", "metadata.namespace"],
      ["namespace-missing", "metadata.namespace"],
    ])
    expect(problems({ watchNamespaceSelector, controllerClass: "x" })).toEqual([])
    expect(problems({ watchNamespaceSelector, reportsUnassigned: false })).toEqual([])
  })

  test("without it Namespaces touch nothing", () => {
    const store = storeOf([ingressClass, cart])
    expect(namesOf(store.snapshot())).toEqual(["cart"])
    expect(store.apply([set(inShop), set(namespace("shop", {})), remove(inShop)])).toBe(false)
  })
})

function namespace(name: string, labels: Readonly<Record<string, string>>): Json {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }
}

function selector(text: string) {
  const parsed = parseLabelSelector(text)
  if (parsed.kind === "refused") throw new Error(parsed.reason)
  return parsed.value
}

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
    // the address of publish-service is nothing that is served
    expect(store.apply([set(service("ingress/balancer", 81))])).toBe(false)
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

describe("the zone of this controller", () => {
  const pod = (name: string, nodeName: string): Json => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "ingress", name },
    spec: { nodeName },
  })
  const node = (name: string, zone: string): Json => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "topology.kubernetes.io/zone": zone } },
  })
  const on = { enableTopologyAwareRouting: true }

  test("is the label of the Node that its own Pod names, whatever came first", () => {
    const objects = [pod("other-0", "b"), node("a", "zone-a"), node("b", "zone-b"), pod("wick-0", "a")]
    expect(storeOf(objects, on).snapshot().zone).toBe("zone-a")
    expect(storeOf(objects.reverse(), on).snapshot().zone).toBe("zone-a")
  })

  test("is not known without the flag, the Pod or the Node", () => {
    const own = pod("wick-0", "a")
    expect(storeOf([own, node("a", "zone-a")]).snapshot().zone).toBeUndefined()
    expect(storeOf([node("a", "zone-a"), pod("other-0", "a")], on).snapshot().zone).toBeUndefined()
    expect(storeOf([own, node("b", "zone-b")], on).snapshot().zone).toBeUndefined()
  })

  test("is a reason for a pass when it changes, and nothing else about Pods and Nodes is", () => {
    const store = storeOf([pod("wick-0", "a")], on)
    expect(store.apply([set(node("b", "zone-b"))])).toBe(false)
    expect(store.apply([set(node("a", "zone-a"))])).toBe(true)
    expect(store.apply([set(pod("other-0", "b")), remove(pod("other-0", "b"))])).toBe(false)
    expect(store.apply([set(pod("wick-0", "b"))])).toBe(true)
    expect(store.snapshot().zone).toBe("zone-b")
    expect(store.apply([remove(pod("wick-0", "b"))])).toBe(true)
    expect(store.snapshot().zone).toBeUndefined()
  })

  test("is one thing; all Pods of its namespace and all Nodes are in the snapshot, whatever the flags", () => {
    const replicas = [pod("wick-0", "a"), pod("wick-1", "b")]
    const elsewhere = { ...pod("cart-0", "a"), metadata: { namespace: "shop", name: "cart-0" } }
    const store = storeOf([...replicas, elsewhere, node("a", "zone-a")], { watchNamespace: "shop" })
    const before = store.snapshot()
    expect([...before.pods.keys()]).toEqual(["ingress/wick-0", "ingress/wick-1"])
    expect([...before.nodes.keys()]).toEqual(["a"])
    expect(store.apply([remove(pod("wick-1", "b"))])).toBe(false)
    expect([...store.snapshot().pods.keys()]).toEqual(["ingress/wick-0"])
    expect(store.snapshot().nodes).toBe(before.nodes)
    expect(before.pods.size).toBe(2)
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

test("somebody hears of each Ingress that becomes ours, changes or is no longer ours, and of no other", () => {
  const heard: string[] = []
  const rule = (ingress: Ingress | undefined) => ingress?.rules[0]?.host ?? "none"
  const oursChanged = (before: Ingress | undefined, after: Ingress | undefined) =>
    heard.push(`${rule(before)} → ${rule(after)}`)
  const store = storeOf([ingressClass, otherClass], { oursChanged })
  store.apply([set(ingress("shop/web", "a.test/ → web:80"))])
  store.apply([set(ingress("shop/web", "a.test/ → web:80"))])
  store.apply([set(ingress("shop/web", "b.test/ → web:80"))])
  store.apply([set(classed("shop/foreign", "other"))])
  store.apply([remove(ingressClass)])
  store.apply([set(ingressClass)])
  store.apply([remove(ingress("shop/web", "b.test/ → web:80"))])
  expect(heard).toEqual([
    "none → a.test",
    "a.test → b.test",
    "b.test → none",
    "none → b.test",
    "b.test → none",
  ])
})

test("whether an Ingress would be ours is asked without keeping it", () => {
  const store = storeOf([ingressClass, otherClass], { watchNamespace: "shop" })
  const wouldBe = (value: Json) => store.wouldBeOurs(object(value) as Ingress)
  expect(wouldBe(classed("shop/web", "nginx"))).toBe(true)
  expect(wouldBe(classed("shop/web", "other"))).toBe(false)
  expect(wouldBe(classed("blog/web", "nginx"))).toBe(false)
  expect(store.snapshot().ingresses).toEqual([])
})
