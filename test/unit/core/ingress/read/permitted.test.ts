import { describe, expect, test } from "vitest"
import { annotations } from "../../../../../controller/core/annotations/table.ts"
import { parseSettings } from "../../../../../controller/core/options/configmap.ts"
import {
  ingress,
  meta,
  options,
  type Part,
  service,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"

// An Ingress that got past the webhook: it is denied for what a new one would be refused for.

const services = ["shop/web", "blog/web"].flatMap((name): Part[] => [
  service(name, "80"),
  slice(name, ["10.0.0.1"], "80"),
])

function pass(data: Record<string, string>, ...ingresses: readonly Part[]) {
  const { settings } = parseSettings({ kind: "ConfigMap", meta: meta("wick/settings"), data })
  const { model, problems } = translate(snapshot(...services, ...ingresses), settings, {
    ...options,
    passesTls: true,
  })
  const { hosts, passthroughs, backends } = model.live
  const routes = hosts.flatMap(({ host, routes }) => routes.map((route) => ({ host, ...route })))
  const open = routes.filter(({ status, ingressName }) => status === undefined && ingressName !== "")
  return {
    open: [...new Set(open.map(({ host, namespace }) => `${host} ${namespace}`))],
    hosts: hosts.map(({ host }) => host),
    passthroughs,
    alternatives: backends.flatMap(({ alternatives = [] }) => alternatives),
    codes: [...new Set(problems.map(({ code }) => code))],
  }
}

const shop = "shop.test/ → web:80"

describe("every annotation that is forbidden", () => {
  test.each(
    annotations.map((entry) => ({ ...entry, rule: entry.name })),
  )("$name denies its Ingress", (entry) => {
    const own = entry.isOwn === true ? "wick.dev/" : ""
    const value = entry.example
    for (const spelling of [entry.name, ...(entry.aliases ?? [])]) {
      const data = { "admission-forbidden-annotations": entry.name, "annotations-risk-level": "Critical" }
      const it = pass(data, ingress("shop/a", shop, { [`${own}${spelling}`]: value }))
      expect(it.open).toEqual([])
      expect(it.passthroughs).toEqual([])
      expect(it.codes).toContain("annotation-forbidden")
    }
  })

  test("has no effect itself", () => {
    const data = { "admission-forbidden-annotations": "server-alias,from-to-www-redirect" }
    const said = { "server-alias": "alias.test", "from-to-www-redirect": "true" }
    expect(pass(data, ingress("shop/a", shop, said)).hosts).toEqual(["_", "shop.test"])
  })
})

test.each([
  ["the risk level", { "annotations-risk-level": "Low" }, { "proxy-body-size": "8m" }],
  ["the list of words", { "annotation-value-word-blocklist": "lua" }, { "app-root": "/lua" }],
  ["what everybody has to write", { "admission-required-annotations": "x.test/team" }, {}],
] as const)("%s holds for what is there", (_, data, annotations) => {
  const it = pass(data, ingress("shop/a", shop, annotations))
  expect(it.open).toEqual([])
  expect(
    pass({ ...data, "enforce-admission-rules": "false" }, ingress("shop/a", shop, annotations)).codes,
  ).toEqual([])
})

describe("hosts of other namespaces", () => {
  const data = { "admission-hosts": "shop: shop.test; blog: blog.test" }
  const evil = (rules: string | readonly string[], annotations = {}) =>
    pass(data, ingress("blog/evil", rules, annotations, 1), ingress("shop/a", shop, {}, 2))

  test.each([
    ["a rule, however old", "shop.test/ → web:80", {}],
    ["a path of it", "shop.test/x → web:80", {}],
    ["a default backend", "* → web:80", {}],
    ["a rule without host", "/ → web:80", {}],
    ["client certificates that nobody can show", "shop.test/x → web:80", { "auth-tls-secret": "blog/none" }],
    ["a passthrough", "shop.test/ → web:80", { "ssl-passthrough": "true" }],
    ["a canary", "shop.test/ → web:80", { canary: "true", "canary-weight": "100" }],
  ])("are not got by %s", (_, rules, annotations) => {
    const it = evil(rules, annotations)
    expect(it).toMatchObject({ open: ["shop.test shop"], passthroughs: [], alternatives: [] })
    expect(it.codes).toContain("host-forbidden")
  })

  test.each([
    ["an alias", { "server-alias": "alias.test" }],
    ["a redirect between www", { "from-to-www-redirect": "true" }],
  ])("are not got by %s, but its own are", (_, annotations) => {
    const it = evil("blog.test/ → web:80", annotations)
    expect(it.open).toEqual(["blog.test blog", "shop.test shop"])
    expect(it.hosts).toEqual(["_", "blog.test", "shop.test"])
  })
})

test("a canary that is denied sends nothing to 503, and takes nobody's path", () => {
  const data = { "admission-forbidden-annotations": "canary" }
  const canary = ingress("shop/b", "shop.test/ → other:80", { canary: "true", "canary-weight": "50" }, 1)
  const it = pass(data, canary, ingress("shop/a", shop, {}, 2))
  expect(it).toMatchObject({ open: ["shop.test shop"], alternatives: [] })
})
