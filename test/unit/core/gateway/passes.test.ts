import fc from "fast-check"
import { expect, test } from "vitest"
import {
  type Translation,
  Translator,
  translateOptions,
} from "../../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../../controller/model/facts.ts"
import type { TlsSecretState } from "../../../../controller/model/tls-secret.ts"
import { ingressClass, type Json, service, slice } from "../../../../harness/manifests.ts"
import { settings, tlsSecret } from "../../../../harness/objects.ts"
import { changesOf, optionsOf, storeWith } from "../../../../harness/translation.ts"
import { runs } from "../../../support/runs.ts"
import { identity, part, world } from "./arbitrary.ts"

const wick: Json = {
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "GatewayClass",
  metadata: { name: "wick" },
  spec: { controllerName: "wick.dev/gateway" },
}

const placements = {
  "addresses of their own": ["--gateway-addresses=192.0.2.1,192.0.2.2"],
  "no address": [],
}

type Secrets = ReadonlyMap<string, TlsSecretState>

const secretsOf = (...names: readonly string[]): Secrets =>
  new Map(names.map((name) => [name, tlsSecret(name, { names: ["one.test"] }).state]))

/** What may be known of Secrets. */
const known = [secretsOf("a/one"), secretsOf("a/one", "b/one", "a/wild"), secretsOf()]

/** Follows objects that come and go, as the controller does. */
class Following {
  readonly #store
  readonly #translator

  constructor(args: readonly string[]) {
    const options = optionsOf(args)
    this.#store = storeWith(options)
    this.#translator = new Translator(translateOptions(options))
    this.set(ingressClass)
    this.set(wick)
  }

  set(object: Json): void {
    this.#store.apply(changesOf(object, ""))
  }

  remove(object: Json): void {
    const sets = changesOf(object, "").filter(({ kind }) => kind === "set")
    for (const change of sets) {
      if (change.kind !== "set") continue
      const { kind, meta } = change.object
      this.#store.apply([{ kind: "delete", key: { kind, namespace: meta.namespace, name: meta.name } }])
    }
  }

  pass(tlsSecrets: Secrets) {
    const facts = { ...noFacts, tlsSecrets }
    return asked(this.#translator.translate(this.#store.snapshot(), facts, settings))
  }
}

/** With what it has when it is asked. */
function asked({ observed, ...translation }: Translation) {
  return { ...translation, certificates: observed.certificates(), sources: [...observed.sources()] }
}

const edits = fc.array(fc.tuple(part, fc.constantFrom(...known)), { maxLength: 10 })

test.each(
  Object.entries(placements),
)("what is remembered between passes changes nothing of Gateways with %s", (_, args) => {
  fc.assert(
    fc.property(world, edits, (objects, changes) => {
      const following = new Following(args)
      const held = new Map(objects.map((object) => [identity(object), object]))
      let secrets = known[0] ?? secretsOf()
      const isAsFromScratch = () => {
        const fresh = new Following(args)
        for (const object of held.values()) fresh.set(object)
        expect(following.pass(secrets)).toEqual(fresh.pass(secrets))
      }
      for (const object of objects) following.set(object)
      isAsFromScratch()
      for (const [edit, said] of changes) {
        const before = held.get(identity(edit))
        if (before !== undefined) {
          held.delete(identity(edit))
          following.remove(before)
          isAsFromScratch()
        }
        held.set(identity(edit), edit)
        following.set(edit)
        isAsFromScratch()
        secrets = said
        isAsFromScratch()
      }
    }),
    runs(60),
  )
})

const http = (name: string): Json => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: { namespace: "a", name },
  spec: {
    parentRefs: [{ name: "edge" }],
    hostnames: [`${name}.test`],
    rules: [{ backendRefs: [{ name, port: 80 }] }],
  },
})

const edge: Json = {
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: { namespace: "a", name: "edge" },
  spec: { gatewayClassName: "wick", listeners: [{ name: "x", port: 80, protocol: "HTTP" }] },
}

function served(): Following {
  const following = new Following(placements["addresses of their own"])
  const backends = [service("a/one"), service("a/two"), slice("a/one", ["10.0.0.1"], 80)]
  for (const object of [edge, http("one"), http("two"), ...backends]) following.set(object)
  return following
}

test("an endpoint that moves is no reason to look at a Gateway", () => {
  const following = served()
  const secrets = secretsOf()
  const before = following.pass(secrets)
  following.set(slice("a/one", ["10.0.0.2"], 80))
  const after = following.pass(secrets)
  expect(after.model.live.backends).not.toEqual(before.model.live.backends)
  // A look at any of them makes these lists anew.
  expect(after.statuses).toBe(before.statuses)
  expect(after.listeners).toBe(before.listeners)
  expect(after.model.live.hosts).toBe(before.model.live.hosts)
})

test("a route moves its own host and its own status", () => {
  const following = served()
  const secrets = secretsOf()
  const before = following.pass(secrets)
  following.set({ ...http("one"), spec: { ...(http("one").spec as Json), rules: [{ backendRefs: [] }] } })
  const after = following.pass(secrets)
  const moved = <T>(was: readonly T[], is: readonly T[]) => is.filter((it, at) => it !== was[at])
  expect(moved(before.model.live.hosts, after.model.live.hosts).map(({ host }) => host)).toEqual(["one.test"])
  expect(moved(before.statuses, after.statuses).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "HTTPRoute one",
  ])
})

const ofSet = (name: string): readonly Json[] => [
  {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "ListenerSet",
    metadata: { namespace: "a", name },
    spec: {
      parentRef: { name: "edge" },
      listeners: [{ name: "x", port: 80, protocol: "HTTP", hostname: `*.${name}.test` }],
    },
  },
  {
    ...http(`own.${name}`),
    spec: { ...(http(`own.${name}`).spec as Json), parentRefs: [{ kind: "ListenerSet", name }] },
  },
]

test("a ListenerSet moves its own routes and no other's", () => {
  const following = served()
  const allowedListeners = { namespaces: { from: "All" } }
  following.set({ ...edge, spec: { ...(edge.spec as Json), allowedListeners } })
  for (const object of ofSet("one")) following.set(object)
  const secrets = secretsOf()
  const before = following.pass(secrets)
  for (const object of ofSet("two")) following.set(object)
  const after = following.pass(secrets)
  const come = <T>(was: readonly T[], is: readonly T[]) => is.filter((it) => !was.includes(it))
  expect(come(before.statuses, after.statuses).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "Gateway edge",
    "ListenerSet two",
    "HTTPRoute own.two",
  ])
  expect(come(before.model.live.hosts, after.model.live.hosts).map(({ host }) => host)).toEqual([
    "**.two.test",
    "own.two.test",
  ])
})
