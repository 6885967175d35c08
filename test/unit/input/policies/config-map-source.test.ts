// Modules in a ConfigMap, alone and beside those of --policies.
import { expect, test } from "vitest"
import { policiesIn, together } from "../../../../controller/input/policies/config-map-source.ts"
import { digestOf, emptySource, type PolicyModule } from "../../../../controller/input/policies/module.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import { meta } from "../../../../harness/objects.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

function configMap(binaryData: Record<string, Uint8Array>, data: Record<string, string> = {}): ConfigMap {
  return { kind: "ConfigMap", meta: meta("wick/policies"), data, binaryData }
}

const module: PolicyModule = { name: "one", digest: digestOf(bytes("d")), read: async () => bytes("d") }

test("binaryData has modules, data or binaryData their signatures", async () => {
  const object = configMap(
    { "one.wasm": bytes("1"), "two.wasm": bytes("2"), "two.wasm.sig": bytes("b") },
    { "one.wasm.sig": "a", "three.wasm": "no bytes" },
  )
  const source = policiesIn(object)
  expect(
    [...source.modules.values()].map(({ name, digest, signature }) => [name, digest, signature]),
  ).toEqual([
    ["one", digestOf(bytes("1")), "a"],
    ["two", digestOf(bytes("2")), "b"],
  ])
  expect(source.problems).toEqual([])
  expect(policiesIn(object)).toBe(source)
})

test("other keys are a Problem", () => {
  const { modules, problems } = policiesIn(configMap({ "notes.txt": bytes("?"), "A.wasm": bytes("!") }))
  expect([modules.size, problems.map(({ field }) => field)]).toEqual([
    0,
    ['binaryData["notes.txt"]', 'binaryData["A.wasm"]'],
  ])
})

test("a file comes before a ConfigMap, and that is said", () => {
  const directory = { ...emptySource, modules: new Map([["one", module]]) }
  const both = together(directory, configMap({ "one.wasm": bytes("1"), "two.wasm": bytes("2") }))
  expect([...both.modules.values()].map(({ name, digest }) => [name, digest])).toEqual([
    ["one", module.digest],
    ["two", digestOf(bytes("2"))],
  ])
  expect(both.problems.map(({ code, message }) => [code, message])).toEqual([
    [
      "policy-source-unusable",
      'Cannot use "one.wasm" as a balancing policy: there is one of this name below --policies, which is used',
    ],
  ])
})
