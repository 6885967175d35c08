// What Problems of the Gateway API are called, where a golden case has none.
import { expect, test } from "vitest"
import type { Json } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../../harness/translation.ts"
import { gateway, gatewayClass, gatewayObject } from "../../../support/gateway-objects.ts"

const at = (type: string, value: string) =>
  gateway("a/edge", [{ port: 80, protocol: "HTTP" }], 0, { spec: { addresses: [{ type, value }] } })
const policy = gatewayObject("BackendTLSPolicy", "a/web", {
  targetRefs: [{ group: "", kind: "Service", name: "web" }],
  validation: { hostname: "web.test", wellKnownCACertificates: "System" },
  options: { "a.test/b": "c" },
})

test.each<[string, Json, string]>([
  ["address-unsupported", at("Hostname", "a.test"), "spec.addresses[0].type"],
  ["gateway-address", at("IPAddress", "192.0.2.9"), "spec.addresses[0].value"],
  ["policy-unsupported", policy, "spec.options"],
])("%s", (code, object, field) => {
  const options = optionsOf(["--manifests=x", "--gateway-addresses=192.0.2.1"])
  const changes = [gatewayClass, object].flatMap((it) => changesOf(it, "test"))
  const { problems } = translationOf(changes, options)
  expect(problems.map((it) => [it.code, it.field])).toContainEqual([code, field])
})
