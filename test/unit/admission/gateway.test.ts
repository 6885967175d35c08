// Objects of the Gateway API that ask to be let in, among those that are there.
import { expect, test } from "vitest"
import { translateOptions } from "../../../controller/core/options/translation.ts"
import { ingress, type Json, service } from "../../../harness/manifests.ts"
import { changesOf, optionsOf, storeWith } from "../../../harness/translation.ts"
import { gateway, gatewayClass, gatewayObject, route } from "../../support/gateway-objects.ts"
import { refusalOf, review, submitted, warningsOf, webhook } from "./reviews.ts"

const http = { port: 8080, protocol: "HTTP" }
const open = { spec: { allowedListeners: { namespaces: { from: "All" } } } }
const edge = gateway("a/edge", [http], 0, open)
const others: Json = {
  ...gatewayClass,
  metadata: { name: "other" },
  spec: { controllerName: "other.test/x" },
}
const pool = ["--gateway-addresses=192.0.2.1,192.0.2.2"]

interface Around {
  readonly there?: readonly Json[]
  readonly flags?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  readonly old?: Json
  readonly isWatched?: (namespace: string) => boolean
  readonly ingresses?: readonly Json[]
}

/** What is answered about an object among these. */
function asked(object: Json, { there = [edge], flags = pool, settings = {}, old, ...more }: Around = {}) {
  const options = optionsOf(["--manifests=x", ...flags])
  const store = storeWith(options)
  for (const it of [gatewayClass, others, service("a/web"), ...there])
    store.apply(changesOf(it, "").filter(({ kind }) => kind === "set"))
  const { ask } = webhook({
    ...{ flags: translateOptions(options), settings, standing: store.snapshot() },
    ...(more.isWatched && { isWatched: more.isWatched }),
    ...(more.ingresses && { others: more.ingresses }),
  })
  const { kind } = object as { kind: string }
  return ask(
    review(submitted(object), {
      kind: { group: "gateway.networking.k8s.io", version: "v1", kind },
      ...(old && { operation: "UPDATE", oldObject: submitted(old) }),
    }),
  )
}

const withRule = (rule: Json, more: Json = {}, age = 5) =>
  route(
    "HTTPRoute",
    "a/web",
    "a/edge",
    { rules: [{ backendRefs: [{ name: "web", port: 80 }], ...rule }], ...more },
    age,
  )
const extension = {
  filters: [{ type: "ExtensionRef", extensionRef: { group: "x.test", kind: "X", name: "x" } }],
}
const policy = (name: string, age: number, spec: Json = {}) =>
  gatewayObject(
    "BackendTLSPolicy",
    `a/${name}`,
    {
      targetRefs: [{ group: "", kind: "Service", name: "web" }],
      validation: { hostname: "web.test", wellKnownCACertificates: "System" },
      ...spec,
    },
    age,
  )
const setOf = (listener: Json) =>
  gatewayObject(
    "ListenerSet",
    "a/set",
    { parentRef: { name: "edge" }, listeners: [{ name: "s", ...listener }] },
    3,
  )

test.each<[string, Json, Around]>([
  ["a Gateway", gateway("b/edge", [http], 9), {}],
  ["a route", withRule({}), {}],
  ["a route whose Service comes later", withRule({ backendRefs: [{ name: "later", port: 80 }] }), {}],
  ["a route whose Gateway comes later", withRule({}), { there: [] }],
  [
    "a listener whose Secret comes later",
    gateway("b/tls", [{ port: 443, protocol: "HTTPS", tls: { certificateRefs: [{ name: "later" }] } }], 9),
    {},
  ],
  ["a policy", policy("one", 9), { there: [edge, withRule({})] }],
  [
    "what another controller is for",
    gateway("b/edge", [{ ...http, filters: { requests: [{ type: "X" }] } }], 9, {
      spec: { gatewayClassName: "other" },
    }),
    {},
  ],
  ["a policy for Services that are none of ours", policy("one", 9, { options: { a: "b" } }), {}],
  ["a namespace that is not watched", withRule(extension), { isWatched: () => false }],
])("%s is let in", (_, object, around) => {
  const answer = asked(object, around)
  expect([refusalOf(answer), warningsOf(answer)]).toEqual(["", []])
})

test.each<[string, Json, Around, string]>([
  ["a filter that is not supported", withRule(extension), {}, "spec.rules[0].filters[0]: "],
  [
    "a backend of another kind",
    withRule({ backendRefs: [{ kind: "Bucket", group: "x.test", name: "web" }] }),
    {},
    "spec.rules[0].backendRefs[0]",
  ],
  [
    "an annotation that cannot be used",
    {
      ...withRule({}),
      metadata: {
        ...(withRule({}).metadata as Json),
        annotations: { "nginx.ingress.kubernetes.io/proxy-read-timeout": "5s" },
      },
    },
    {},
    'Cannot use "5s" for annotation "proxy-read-timeout": write whole seconds',
  ],
  [
    "filters of a listener",
    gateway(
      "b/edge",
      [
        {
          ...http,
          filters: {
            requests: [
              {
                type: "ExternalAuth",
                externalAuth: { protocol: "HTTP", backendRef: { name: "x", port: 1 } },
              },
            ],
          },
        },
      ],
      9,
    ),
    {},
    'spec.listeners[0].filters: Cannot serve listener "l0": filters of listeners are not supported',
  ],
  [
    "addresses of another type",
    gateway("b/edge", [http], 9, { spec: { addresses: [{ type: "Hostname", value: "a.test" }] } }),
    {},
    'Cannot use addresses of type "Hostname": only IPAddress is supported',
  ],
  ["listeners that conflict", gateway("b/edge", [http, http], 9), {}, "spec.listeners[0]"],
  ["a set whose listener its Gateway has", setOf(http), {}, "spec.listeners[0]"],
  [
    "a port in another way on the ports of Ingresses",
    gateway("b/edge", [{ ...http, protocol: "TCP" }], 9),
    { flags: [] },
    'Gateway "a/edge" (requests)',
  ],
  [
    "a policy for what an older one is for",
    policy("two", 9),
    { there: [edge, withRule({}), policy("one", 1)] },
    'BackendTLSPolicy "one" is older and for the same',
  ],
  [
    "options of a policy",
    policy("one", 9, { options: { "a.test/b": "c" } }),
    { there: [edge, withRule({})] },
    'Cannot verify backends by option "a.test/b"',
  ],
  [
    "a host that is for other namespaces",
    withRule({}, { hostnames: ["shop.test"] }),
    { flags: [], settings: { "admission-hosts": "a: own.test" } },
    'host "shop.test" is not for namespace "a" (admission-hosts)',
  ],
  ["what cannot be read", gatewayObject("HTTPRoute", "a/web", { rules: 5 }), {}, "spec.rules"],
])("%s is refused", (_, object, around, text) => {
  expect(refusalOf(asked(object, around))).toContain(text)
})

test("what was there before may stay, as it is", () => {
  const old = withRule(extension)
  const edited = { ...old, metadata: { ...(old.metadata as Json), labels: { a: "b" } } }
  expect(asked(edited, { old })).toMatchObject({ status: 200 })
  const more = withRule(extension, { hostnames: ["a.test"] })
  const answer = asked(more, { old })
  expect(refusalOf(answer)).toBe("")
  expect(warningsOf(answer).join()).toContain("spec.rules[0].filters[0]")
  const other = withRule({ ...extension, matches: [{ path: { type: "PathPrefix", value: "/x" } }] })
  expect(refusalOf(asked(other, { old }))).toContain("spec.rules[0].filters[0]")
  expect(refusalOf(asked(old, { old: withRule(extension, { parentRefs: [{ name: "none" }] }) }))).toContain(
    "filters",
  )
})

test("a host that an Ingress has is a warning: so applications are moved", () => {
  const answer = asked(withRule({}, { hostnames: ["shop.test"] }), {
    ...{ there: [gateway("a/edge", [{ ...http, port: 80 }])], flags: [] },
    ingresses: [ingress("a/shop", "shop.test/ → web:80")],
  })
  expect(refusalOf(answer)).toBe("")
  expect(warningsOf(answer).join()).toContain(
    'Cannot serve host "shop.test": Ingress "a/shop" has it already',
  )
})

test("a Gateway that takes something from a younger one is told so", () => {
  const younger = gateway("b/edge", [{ ...http, port: 7000, protocol: "TCP" }], 9)
  const answer = asked(gateway("a/edge", [http, { ...http, port: 7000 }], 0, open), {
    ...{ there: [edge, younger], flags: [], old: edge },
  })
  expect(refusalOf(answer)).toBe("")
  expect(warningsOf(answer).join()).toContain('Gateway "b/edge" has a Problem then')
})
