// Objects of the Gateway API among those that are linted: what wick would say of them.
import { expect, test } from "vitest"
import { lint } from "../../../../cli/lint/lint.ts"
import { lintObjectsOf } from "../../../../cli/lint/objects.ts"
import { reportText } from "../../../../cli/lint/print-text.ts"
import { sarif } from "../../../../cli/lint/sarif.ts"
import { ingressClass, type Json, service } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf } from "../../../../harness/translation.ts"
import { gateway, gatewayClass, gatewayObject, route } from "../../../support/gateway-objects.ts"

function reportOf(objects: readonly Json[], isComplete = false) {
  const options = optionsOf([])
  const changes = [ingressClass, ...objects].flatMap((object) => changesOf(object, "objects.yaml:1"))
  return lint(lintObjectsOf(changes, options, isComplete), { options, badFlags: [], nowMs: 0 })
}

const found = (objects: readonly Json[], isComplete?: boolean) => {
  const { objects: count, findings } = reportOf(objects, isComplete).gateway
  const texts = findings.map(({ rule, relation, evidence }) => `${relation} ${rule} ${evidence[0]?.field}`)
  return [count, ...texts]
}

const edge = gateway("a/edge", [{ port: 80, protocol: "HTTP" }])
const extension = { type: "ExtensionRef", extensionRef: { group: "x.test", kind: "X", name: "x" } }
const withRule = (rule: Json, annotations: Json = {}, more: Json = {}) => {
  const rules = [{ backendRefs: [{ name: "web", port: 80 }], ...rule }]
  const of = route("HTTPRoute", "a/web", "a/edge", { rules, ...more })
  return { ...of, metadata: { ...(of.metadata as Json), annotations } }
}
const own = "nginx.ingress.kubernetes.io"

test.each<[string, readonly Json[], readonly unknown[]]>([
  ["what is served has none", [gatewayClass, edge, withRule({}), service("a/web")], [3]],
  ["a Gateway without its class is taken to be wick's", [edge, withRule({})], [2]],
  [
    "a route without its Gateway is taken to be attached",
    [
      withRule(
        {},
        {},
        {
          parentRefs: [
            { name: "edge", sectionName: "https" },
            { name: "edge", port: 81 },
          ],
        },
      ),
    ],
    [1],
  ],
  [
    "routes of streams, too",
    ["TLSRoute", "TCPRoute", "UDPRoute"].map((kind) => route(kind, "a/web", "a/edge")),
    [3],
  ],
  [
    "a filter that is not supported",
    [withRule({ filters: [extension] })],
    [1, "closed route-unsupported spec.rules[0].filters[0]"],
  ],
  [
    "an annotation that cannot be used",
    [withRule({}, { [`${own}/proxy-read-timeout`]: "5s" })],
    [1, `closed annotation-refused metadata.annotations["${own}/proxy-read-timeout"]`],
  ],
  [
    "an annotation that a filter overrules",
    [
      withRule(
        { filters: [{ type: "CORS", cors: { allowOrigins: ["https://a.test"] } }] },
        { [`${own}/enable-cors`]: "true" },
      ),
    ],
    [1, "different annotation-idle spec.rules[0].filters[0]"],
  ],
  [
    "sessions that the route has in its own words",
    [withRule({ sessionPersistence: {} }, { [`${own}/affinity`]: "cookie" })],
    [1, "different annotation-idle spec.rules[0].sessionPersistence"],
  ],
  [
    "sessions with several backends",
    [
      withRule(
        {
          backendRefs: [
            { name: "web", port: 80 },
            { name: "b", port: 80 },
          ],
        },
        { [`${own}/affinity`]: "cookie" },
      ),
    ],
    [1, "different annotation-idle spec.rules[0].backendRefs"],
  ],
  [
    "an annotation that is about hosts",
    [withRule({}, { [`${own}/server-alias`]: "b.test" })],
    [1, `different annotation-idle metadata.annotations["${own}/server-alias"]`],
  ],
  [
    "a field that nobody knows",
    [withRule({ filterz: [] })],
    [1, "closed field-unknown spec.rules[0].filterz"],
  ],
  [
    "listeners in conflict",
    [
      gateway("a/edge", [
        { port: 80, protocol: "HTTP" },
        { port: 80, protocol: "HTTP" },
      ]),
    ],
    [1, "closed listener-conflict spec.listeners[0]", "closed listener-conflict spec.listeners[1]"],
  ],
])("%s", (_, objects, expected) => {
  expect(found(objects)).toEqual(expected)
})

test("in a cluster nothing is taken to be there", () => {
  expect(found([withRule({ filters: [extension] })], true)).toEqual([0])
  expect(found([gatewayClass, edge, withRule({ filters: [extension] })], true)).toContain(
    "closed route-unsupported spec.rules[0].filters[0]",
  )
})

test("those of other controllers are passed over", () => {
  const other = { ...gatewayClass, spec: { controllerName: "other.test/x" } }
  expect(found([other, edge, withRule({ filters: [extension] })])).toEqual([0])
})

test("what may come later is not said", () => {
  const policy = gatewayObject("BackendTLSPolicy", "a/web", {
    targetRefs: [{ group: "", kind: "Service", name: "web" }],
    validation: {
      hostname: "web.test",
      caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "later" }],
    },
  })
  const tls = { port: 443, protocol: "HTTPS", tls: { certificateRefs: [{ name: "later" }] } }
  expect(found([gatewayClass, gateway("a/edge", [tls]), policy])).toEqual([2])
})

test("people and forges read it", () => {
  const report = reportOf([withRule({ filters: [extension] })])
  const lines = reportText(report, false).map(({ text }) => text)
  expect(lines).toContain("1 object of the Gateway API: 1 finding about them.")
  expect(lines).toContain("Gateway API")
  const [result] = sarif(report, "1", () => undefined).runs[0]?.results ?? []
  expect(result).toMatchObject({ ruleId: "route-unsupported", level: "error" })
})
