import { expect, test } from "vitest"
import { emptyManifest, problemsOf, readManifest } from "../../../../controller/input/manifests/manifest.ts"
import { readValues } from "../../../../controller/input/manifests/values.ts"

async function messages(text: string, file = "cart.yaml"): Promise<string[][]> {
  const thread = { read: async (document: { text: string; line: number }) => readValues(document, file) }
  const manifest = await readManifest(text, file, emptyManifest, () => 0, thread)
  return problemsOf(manifest).map(({ code, message }) => [code, message])
}

const head = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: cart, namespace: shop }\n"
const backend = "backend: { service: { name: cart, port: { number: 80 } } }"

test("a field that is none is named with the nearest one, and its line", async () => {
  const rule = `spec:\n  rules:\n    - host: cart.test\n      http:\n        path:\n          - { path: /, ${backend} }\n`
  expect(await messages(`# a comment\n---\n${head}${rule}`)).toEqual([
    ["field-unknown", 'Field spec.rules[0].http.path is unknown: did you mean "paths" (cart.yaml:10)'],
  ])
})

test("so is a field with a wrong value, where it stands", async () => {
  const path = `- path: /\n            backend: { service: { name: cart,\n              port: { number: "80" } } }\n`
  const rule = `spec:\n  rules:\n    - host: cart.test\n      http:\n        paths:\n          ${path}`
  expect(await messages(`${head}${rule}`)).toEqual([
    ["type-wrong", expect.stringMatching(/^Field .*port\.number has to be .* \(cart\.yaml:11\)$/)],
  ])
})

test("a field that is missing is said to be so where its object is", async () => {
  const rule = "spec:\n  rules:\n    - host: cart.test\n      http:\n        paths:\n          - path: /\n"
  expect(await messages(`${head}${rule}`)).toEqual([
    ["field-missing", "Field spec.rules[0].http.paths[0].backend is missing (cart.yaml:9)"],
  ])
})

test.each([
  ["Ingres", "Ingress"],
  ["ingress", "Ingress"],
])("the kind %s was meant to be %s", async (written, meant) => {
  expect(await messages(head.replace("kind: Ingress", `kind: ${written}`))).toEqual([
    ["kind-unknown", `Text at cart.yaml:1 is of the unknown kind "${written}": did you mean ${meant}?`],
  ])
})

test("kinds of others are theirs, however they are called", async () => {
  expect(await messages("apiVersion: example.com/v1\nkind: Ingres\nmetadata: { name: a }\n")).toEqual([])
  expect(await messages("apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: a }\n")).toEqual([])
})

test("a host with capital letters is used without them, and said to be none that an API server takes", async () => {
  const rule = "spec:\n  rules:\n    - host: Cart.Test\n"
  expect(await messages(`${head}${rule}`)).toEqual([
    ["host-in-capitals", expect.stringMatching(/^Field spec\.rules\[0\]\.host .* \(cart\.yaml:6\)$/)],
  ])
})

test("what an API server has looked at is not looked at again", async () => {
  const status = "status: { loadBalancer: {} }\n"
  expect(await messages(`${head}spec: { rules: [] }\n${status}`)).toEqual([])
})
