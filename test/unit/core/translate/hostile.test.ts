import { expect, test } from "vitest"
import type { Ingress } from "../../../../controller/model/objects/ingress.ts"
import {
  ingress,
  meta,
  options,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../harness/objects.ts"
import { hostile } from "../../../support/hostile.ts"

// Every string of a user that has broken an ingress controller, at every place where a user may write one: it is refused with a Problem,
// or it is data in `live`, never in `fixed`, which is what becomes configuration text.

const mark = "marked"

const texts: readonly string[] = hostile.flatMap((text) => [
  `${mark}${text}`,
  `${text}${mark}`,
  `8m${text}${mark}`,
  `/${mark}${text}/`,
])

const normal = ingress("shop/cart", ["cart.test/ → cart:80"])
const world = [service("shop/cart", "http:80>8080"), slice("shop/cart", ["10.0.0.1"], "http:8080")]

/** Where a user's text can stand. */
const places: Readonly<Record<string, (text: string) => Ingress>> = {
  host: (text) => ({ ...normal, rules: normal.rules.map((rule) => ({ ...rule, host: text })) }),
  path: (text) => withPath({ path: text }),
  "path with a slash": (text) => withPath({ path: `/${text}` }),
  "path that may be a pattern": (text) => withPath({ path: `/${text}`, pathType: "ImplementationSpecific" }),
  "Service name": (text) =>
    withPath({ backend: { kind: "service", name: text, port: { kind: "number", number: 80 } } }),
  "port name": (text) =>
    withPath({ backend: { kind: "service", name: "cart", port: { kind: "name", name: text } } }),
  "default backend": (text) => ({
    ...normal,
    defaultBackend: { kind: "service", name: text, port: { kind: "name", name: text } },
  }),
  namespace: (text) => ({ ...normal, meta: { ...normal.meta, namespace: text } }),
  name: (text) => ({ ...normal, meta: { ...normal.meta, name: text } }),
  uid: (text) => ({ ...normal, meta: { ...normal.meta, uid: text } }),
  "annotation name": (text) => annotated(text, "5"),
  ...Object.fromEntries(
    [
      "proxy-read-timeout",
      "proxy-send-timeout",
      "proxy-connect-timeout",
      "proxy-body-size",
      "proxy-http-version",
      "canary",
      "load-balance",
      "session-cookie-expires",
      "session-cookie-samesite",
      "wick.dev/slow-start",
      "configuration-snippet",
      "auth-tls-secret",
      "auth-tls-verify-client",
      "auth-tls-verify-depth",
      "auth-tls-match-cn",
      "auth-tls-error-page",
      "auth-tls-pass-certificate-to-upstream",
    ].map((name) => [`annotation ${name}`, (text: string) => annotated(name, text)]),
  ),
}

/** Annotations whose text goes on as it is written, with the annotations that they need. */
const textual: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "canary-by-header": { canary: "true" },
  "canary-by-header-value": { canary: "true", "canary-by-header": "X-Canary" },
  "canary-by-header-pattern": { canary: "true", "canary-by-header": "X-Canary" },
  "canary-by-cookie": { canary: "true" },
  "session-cookie-name": { affinity: "cookie" },
  "session-cookie-path": { affinity: "cookie" },
  "session-cookie-domain": { affinity: "cookie" },
  "upstream-hash-by": {},
}

function withPath(change: object): Ingress {
  const rules = normal.rules.map((rule) => ({
    ...rule,
    paths: (rule.paths ?? []).map((path) => ({ ...path, ...change })),
  }))
  return { ...normal, rules }
}

function annotated(name: string, value: string): Ingress {
  const key = name.startsWith("wick.dev/") ? name : `${options.annotationsPrefix}/${name}`
  return { ...normal, meta: meta("shop/cart", { [key]: value }) }
}

test.each(Object.entries(places))("%s", (place, make) => {
  const before = translate(snapshot(normal, ...world), settings, options)
  for (const text of texts) {
    const { model, problems } = translate(snapshot(make(text), ...world), settings, options)
    expect(model.fixed, `${place}: ${JSON.stringify(text)}`).toEqual(before.model.fixed)
    const isComment = place === "annotation configuration-snippet" && text.trim().startsWith("#")
    const isData = isComment || JSON.stringify(model.live).includes(mark)
    expect(
      isData || problems.length > 0 || place === "uid",
      `${place}: ${JSON.stringify(text)} is passed over`,
    ).toBe(true)
    for (const { message, field } of problems) {
      expect(`${field} ${message}`).toMatch(/^[\x20-\x7e…]{1,600}$/)
    }
  }
})

// names and namespaces of objects are checked where objects are read (controller/model/objects)
const checkedBefore = ["name", "namespace"]

test("hosts, Services, ports and annotation values never become data with such a character", () => {
  const special = texts.filter((text) => !/^[a-zA-Z0-9/-]+$/.test(text))
  for (const [place, make] of Object.entries(places)) {
    if (place.includes("path") || checkedBefore.includes(place)) continue
    for (const text of special) {
      const { live } = translate(snapshot(make(text), ...world), settings, options).model
      expect(JSON.stringify(live), place).not.toContain(mark)
    }
  }
})

test.each(
  Object.entries(textual),
)("%s goes on without anything that could end a text or a header", (name, needs) => {
  const main = ingress("shop/main", ["cart.test/ → main:80"])
  for (const text of texts) {
    const own = ingress("shop/cart", ["cart.test/ → cart:80"], { ...needs, [name]: text }, 1)
    const others = needs.canary === undefined ? [] : [main]
    const { model, problems } = translate(snapshot(own, ...others, ...world), settings, options)
    const said = JSON.stringify(model.live.backends)
    expect(said.includes(mark) || problems.length > 0, JSON.stringify(text)).toBe(true)
    if (!said.includes(mark)) continue
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(text).not.toMatch(/[;"'`<>#%]/)
  }
})

test("paths never become data with a control character", () => {
  const control = texts.filter((text) => /\p{Cc}|[\u2028\u2029]/u.test(text) || !text.isWellFormed())
  expect(control.length).toBeGreaterThan(20)
  for (const text of control) {
    const { live } = translate(snapshot(withPath({ path: `/${text}` }), ...world), settings, options).model
    expect(JSON.stringify(live)).not.toContain(mark)
  }
})

test("endpoint addresses are refused unless they are addresses", () => {
  for (const text of texts) {
    const poisoned = slice("shop/cart", [text, `10.0.0.1${text}`], "http:8080")
    const { model, problems } = translate(
      snapshot(normal, service("shop/cart", "80"), poisoned),
      settings,
      options,
    )
    expect(model.live.backends[0]?.endpoints).toEqual([])
    expect(problems).toHaveLength(2)
  }
})
