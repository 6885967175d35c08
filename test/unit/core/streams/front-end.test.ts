import { expect, test } from "vitest"
import { defaultSettings } from "../../../../controller/core/options/configmap.ts"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import { Translator, translateOptions } from "../../../../controller/core/translate/translate.ts"
import { type Facts, noFacts } from "../../../../controller/model/facts.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"
import { ingress, ingressClass, type Json, service, settings, slice } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf, storeWith } from "../../../../harness/translation.ts"

const flags = optionsOf(["--tcp-services-configmap=edge/tcp", "--udp-services-configmap=edge/udp"])

/** A store and a translator that are followed from one change to the next. */
function started(...objects: readonly Json[]) {
  const store = storeWith(flags)
  const translator = new Translator(translateOptions(flags))
  const put = (...some: readonly Json[]) =>
    store.apply(some.flatMap((object) => changesOf(object, "objects.yaml:1")))
  put(ingressClass, ...objects)
  const pass = (facts: Facts = noFacts, settings: Settings = defaultSettings) =>
    translator.translate(store.snapshot(), facts, settings)
  return { store, translator, put, pass }
}

const tcp = (data: Readonly<Record<string, string>>) => settings("edge/tcp", data)
const udp = settings("edge/udp", {})
const db = [service("shop/db", 5432), slice("shop/db", ["10.0.0.1"], 5432)]

test("nothing else of the model is another one when entries and endpoints change, and nothing of streams when an Ingress does", () => {
  const app = [
    ingress("shop/app", "app.test/ → app:80"),
    service("shop/app"),
    slice("shop/app", ["10.0.0.9"], 80),
  ]
  const { put, pass } = started(tcp({ 5432: "shop/db:5432" }), udp, ...db, ...app)
  const before = pass().model
  put(slice("shop/db", ["10.0.0.2"], 5432))
  const { model: moved } = pass()
  expect(moved.fixed).toEqual(before.fixed)
  expect(moved.live.hosts).toBe(before.live.hosts)
  expect(moved.live.backends.find(({ name }) => name === "tcp:shop/db:5432")?.endpoints).toEqual([
    { address: "10.0.0.2", port: 5432 },
  ])
  put(ingress("shop/app", "other.test/ → app:80"))
  const { model: renamed } = pass()
  expect(renamed.live.streams).toEqual(moved.live.streams)
  expect(renamed.fixed.streams).toEqual([{ protocol: "tcp", port: 5432 }])
})

test("another Service is a change of data, another port one of listeners", () => {
  const { put, pass } = started(tcp({ 5432: "shop/db:5432" }), udp, ...db)
  const before = pass().model
  put(tcp({ 5432: "shop/other:5432:PROXY" }))
  const { model: other } = pass()
  expect(other.fixed).toEqual(before.fixed)
  expect(other.live.streams).toMatchObject([{ backend: "tcp:shop/other:5432", acceptsProxyProtocol: true }])
  put(tcp({ 5432: "shop/db:5432", 5433: "shop/db:5432" }))
  const { live, fixed } = pass().model
  expect(fixed.streams?.map(({ port }) => port)).toEqual([5432, 5433])
  expect(live.streams.map(({ backend }) => backend)).toEqual(["tcp:shop/db:5432", "tcp:shop/db:5432"])
})

test("a Service port may serve requests and connections, under two names, also where ingress-nginx has one", () => {
  const web = ingress("tcp-shop/web", "web.test/ → db:5432")
  const own = [service("tcp-shop/db", 5432), slice("tcp-shop/db", ["10.0.0.7"], 5432)]
  const shared = ingress("shop/db", "db.test/ → db:5432")
  const { pass } = started(tcp({ 5432: "shop/db:5432" }), udp, ...db, web, ...own, shared)
  const names = pass().model.live.backends.map(({ name }) => name)
  expect(names).toEqual(["shop-db-5432", "tcp-shop-db-5432", "tcp:shop/db:5432"])
})

test("a Service may not lead to the ports of services", () => {
  const loop = slice("shop/db", ["127.0.0.1"], 5432)
  const { pass } = started(tcp({ 5432: "shop/db:5432" }), udp, service("shop/db", 5432), loop)
  const { problems, model } = pass()
  expect(model.live.backends.map(({ endpoints }) => endpoints)).toEqual([[]])
  expect(problems.map(({ code }) => code).sort()).toEqual(["address-refused", "stream-without-endpoint"])
})

test("a policy is in force from the pass on that knows it", () => {
  const entry = JSON.stringify({ service: "shop/db:5432", loadBalance: "wasm/ours" })
  const { pass } = started(tcp({ 5432: entry }), udp, ...db)
  const settings = { ...defaultSettings, allowedPolicies: [{ name: "ours" }] }
  const policyIn = (facts: Facts) => pass(facts, settings).model.live.backends[0]?.policy
  expect(policyIn(noFacts)).toBeUndefined()
  const usable = { digest: "a".repeat(64), needs: 0 }
  expect(policyIn({ ...noFacts, policies: new Map([["ours", { usable }]]) })).toEqual({
    ...{ name: "ours", config: "" },
    ...usable,
  })
})

test("what clients of a port alone are shown is asked about by OCSP, and stapled", () => {
  const entry = JSON.stringify({ service: "shop/db:5432", tls: { secret: "shop/tls" } })
  const { store, translator, pass } = started(tcp({ 5432: entry }), udp, ...db)
  const certificate = { id: "ab", chain: [], key: new SecretText("") }
  const pair = { certificate, names: [], notAfterMs: 1e15, keyType: "ec" }
  const facts: Facts = {
    ...noFacts,
    tlsSecrets: new Map([["shop/tls", { kind: "usable", secret: { pair } }]]),
    ocsp: new Map([["ab", { staple: { certificate: "ab", response: "MIIB", untilMs: 5 } }]]),
  }
  const wanted = () => translator.wantedFacts(store.snapshot(), facts, defaultSettings).certificates
  expect(wanted().map(({ id }) => id)).toContain("ab")
  expect(wanted()).toBe(wanted())
  expect(pass(facts).model.live.staples).toMatchObject([{ certificate: "ab", response: "MIIB" }])
})

test("without flags, or entries, nothing is listened on", () => {
  const { pass } = started(tcp({}), udp)
  expect(pass()).toMatchObject({ model: { live: { streams: [] } }, problems: [] })
  expect(pass().model.fixed).not.toHaveProperty("streams")
})
