import fc from "fast-check"
import { expect, test } from "vitest"
import {
  type Translation,
  Translator,
  translateOptions,
} from "../../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../../controller/model/facts.ts"
import type { TlsSecretState } from "../../../../controller/model/tls-secret.ts"
import { ingressClass, type Json } from "../../../../harness/manifests.ts"
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
