// Every text in every object of the Gateway API, one after the other, in the place of what is there: it is data of requests and connections, or a Problem, and never
// what nginx.conf is made of.
import { describe, expect, test } from "vitest"
import { tlsData } from "../../../../harness/certificates.ts"
import { type Json, secret, service, settings, slice } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf, Passes } from "../../../../harness/translation.ts"
import { hostile } from "../../../support/hostile.ts"
import { hostileObjects, places, usualPorts, withText } from "../../../support/hostile-gateway.ts"

const marker = "zqx"

const all: readonly string[] = hostile
  .filter((text) => text.length < 100)
  .flatMap((text) => [`${marker}${text}`, `${text}${marker}`])

/** Each place tries others of them; with WICK_TEST_ALL=1 each tries all. */
const every = process.env.WICK_TEST_ALL === "1" ? 1 : 24
let tried = 0
const someTexts = (): readonly string[] => {
  tried += 1
  return all.filter((_, at) => (at + tried) % every === 0)
}

const objects = hostileObjects(usualPorts)

const entry = {
  ...{
    service: "shop/web:80",
    proxyProtocol: { send: "v1" },
    timeout: "5s",
    connectTimeout: "5s",
    drain: "5s",
  },
  ...{ allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"], loadBalance: "round_robin", uploadRate: "1m" },
  names: { "shop.test": "shop/web:80" },
  tls: { secret: "shop/pair", alpn: ["http/1.1"] },
  backendTls: { name: "own.test", secret: "shop/pair" },
}

const entryOf = (value: Json) => settings("wick/tcp", { 9100: JSON.stringify(value) })
const rest = [service("shop/web"), slice("shop/web", ["10.0.0.1"], 80), secret("shop/pair", tlsData)]

const flags = ["--manifests=x", "--gateway-addresses=10.9.0.1", "--tcp-services-configmap=wick/tcp"]
const passes = new Passes(optionsOf(flags))
/** What is wrong with an object is known until it is read again, whatever it was before. */
const set = (object: Json) => {
  const origin = String(object.kind)
  passes.apply(
    changesOf(object, "test").map((change) => (change.kind === "problems" ? { ...change, origin } : change)),
  )
}
for (const object of [...Object.values(objects), entryOf(entry), ...rest]) set(object)
const usual = passes.translation()

/** Places that let a text through as data, so that the test is seen to try something. */
const passing = new Set<string>()

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...strings(item)])
}

function endsSomething(text: string): boolean {
  return [...text].some((char) => char !== "\t" && (char < " " || char === "\x7f"))
}

function check(place: string, object: Json): void {
  set(object)
  const { model, problems } = passes.translation()
  expect(JSON.stringify(model.fixed), place).not.toContain(marker)
  const marked = strings(model.live).filter((text) => text.includes(marker))
  if (marked.length > 0) passing.add(place)
  // A tab may stand in a header; nothing that ends a line, a text or a record may. Patterns are data of PCRE.
  for (const text of marked.filter((it) => !it.startsWith("/{0}(?")))
    expect(endsSomething(text), place).toBe(false)
  for (const { message, field } of problems) expect(`${field} ${message}`).toMatch(/^[\x20-\x7e…]{1,800}$/)
}

test("they are served as they are", () => {
  expect(usual.model.fixed.listeners?.map(({ port }) => port)).toEqual([80, 81, 443])
  expect(usual.model.live.streams.map(({ name }) => name)).toHaveLength(4)
})

describe.each(Object.entries(objects))("in a %s", (kind, object) => {
  const own = places(object).filter(([first]) => first === "spec" || first === "metadata")

  test.each(own.map((path) => [path.join("."), path] as const))("%s", (name, path) => {
    // Who is read by another name is another object.
    if (name === "metadata.name" || name === "metadata.namespace") {
      for (const text of someTexts())
        expect(changesOf(withText(object, path, text), "test").map((it) => it.kind)).toEqual(["problems"])
      return
    }
    try {
      for (const text of someTexts()) check(`${kind} ${name}`, withText(object, path, text) as Json)
    } finally {
      set(object)
    }
  })
})

test.each(
  places(entry).map((path) => [path.join("."), path] as const),
)("in an entry of TCP services: %s", (name, path) => {
  for (const text of someTexts()) check(`entry ${name}`, entryOf(withText(entry, path, text) as Json))
  set(entryOf(entry))
})

test("texts that may be anything are tried", () => {
  const prefix = "HTTPRoute spec.rules.0"
  for (const place of [
    `${prefix}.filters.0.requestHeaderModifier.set.0.value`,
    `${prefix}.filters.1.responseHeaderModifier.add.0.value`,
    `${prefix}.matches.0.headers.0.value`,
    `${prefix}.matches.0.queryParams.0.value`,
  ])
    expect(passing).toContain(place)
})
