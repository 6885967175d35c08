import { describe, expect, test } from "vitest"
import type { StoreOptions } from "../../../../controller/input/store/store.ts"
import type { Ingress } from "../../../../controller/model/objects/ingress.ts"
import { ingress, ingressClass, type Json, service } from "../../../../harness/manifests.ts"
import {
  cart,
  classed,
  namesOf,
  namespace,
  object,
  otherClass,
  remove,
  selector,
  set,
  storeOf,
} from "./stores.ts"

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
