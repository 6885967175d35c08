// What is kept from pass to pass, and what is not: certificates are renewed every few hours in some clusters, and routes stay for years.
import { expect, test } from "vitest"
import { memoryBytes } from "../../../../bench/support/memory.ts"
import { Translator, translateOptions } from "../../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../../controller/model/facts.ts"
import { service } from "../../../../harness/manifests.ts"
import { settings, tlsSecret } from "../../../../harness/objects.ts"
import { changesOf, optionsOf, Passes, storeWith } from "../../../../harness/translation.ts"
import { gateway, gatewayClass, gatewayObject, route } from "../../../support/gateway-objects.ts"

const edge = { port: 80, protocol: "HTTP" }
const policy = gatewayObject("BackendTLSPolicy", "a/policy", {
  targetRefs: [{ group: "", kind: "Service", name: "web" }],
  validation: { hostname: "web.test", wellKnownCACertificates: "System" },
})

test("what a route was built to with a certificate is let go when its Gateway shows another one", () => {
  const options = optionsOf(["--manifests=x"])
  const store = storeWith(options)
  const translator = new Translator(translateOptions(options))
  const shown = { spec: { tls: { backend: { clientCertificateRef: { name: "own" } } } } }
  const routes = Array.from({ length: 200 }, (_, nth) => route("HTTPRoute", `a/web-${nth}`, "a/edge"))
  const all = [gatewayClass, service("a/web"), gateway("a/edge", [edge], 0, shown), ...routes]
  store.apply(all.flatMap((object) => changesOf(object, "")))
  const renew = (times: number, name: string) => {
    for (let nth = 0; nth < times; nth += 1) {
      const { state } = tlsSecret("a/own", { names: [`${name}-${"x".repeat(nth)}`] })
      const facts = { ...noFacts, tlsSecrets: new Map([["a/own", state]]) }
      translator.translate(store.snapshot(), facts, settings)
    }
    return memoryBytes()
  }
  const before = renew(5, "before")
  expect(renew(50, "after") - before).toBeLessThan(5e6)
})

test("a policy says of no more Gateways what becomes of it than an API server takes", () => {
  const passes = new Passes(optionsOf(["--manifests=x"]))
  const many = Array.from({ length: 17 }, (_, nth) => [
    gateway(`a/edge-${nth}`, [{ ...edge, hostname: `h${nth}.test` }], nth),
    route("HTTPRoute", `a/web-${nth}`, `a/edge-${nth}`),
  ])
  const all = [gatewayClass, service("a/web"), ...many.flat(), policy]
  passes.apply(all.flatMap((object) => changesOf(object, "")))
  const { statuses = [] } = passes.translation()
  const { status } = statuses.find(({ kind }) => kind === "BackendTLSPolicy") ?? {}
  expect(status).toMatchObject({
    ancestors: Array.from({ length: 16 }, (_, nth) => ({ ancestorRef: { name: `edge-${nth}` } })),
  })
})
