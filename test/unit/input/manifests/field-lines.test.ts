import { expect, test } from "vitest"
import { emptyManifest, problemsOf, readManifest } from "../../../../controller/input/manifests/manifest.ts"
import { ParseThread } from "../../../../controller/input/manifests/parse-thread.ts"

async function messages(text: string, file = "cart.yaml"): Promise<string[][]> {
  const thread = new ParseThread(new AbortController().signal)
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

const item = (name: string, field: string) =>
  `  - apiVersion: networking.k8s.io/v1\n    kind: Ingress\n    metadata: { name: ${name} }\n    ${field}\n`

test("items of a list are told apart, those of lists in it and of aliases too", async () => {
  const good = item("good", "spec: {}")
  const inner = `  - kind: IngressList\n    apiVersion: networking.k8s.io/v1\n    items:\n      - metadata: { name: inner }\n        spec: { rule: [] }\n`
  const list = `# a comment\napiVersion: v1\nkind: List\nitems:\n${item("one", "specs: {}")}${good}${inner}${item("two", "spec: { rules: 5 }")}`
  const aliases = `---\nkind: List\nitems:\n  - &text { kind: Ingres, apiVersion: networking.k8s.io/v1 }\n  - *text\n`
  expect(await messages(list + aliases)).toEqual([
    ["field-unknown", 'Field specs is unknown: did you mean "spec" (cart.yaml:8)'],
    ["field-unknown", 'Field spec.rule is unknown: did you mean "rules" (cart.yaml:17)'],
    ["type-wrong", expect.stringMatching(/^Field spec\.rules has to be .* \(cart\.yaml:21\)$/)],
    ["kind-unknown", expect.stringMatching(/^Text at cart\.yaml:25 /)],
    ["kind-unknown", expect.stringMatching(/^Text at cart\.yaml:26 /)],
  ])
})

test("so are the lines of JSON, of a list of which not all is known", async () => {
  const metadata = { name: "cart", annotations: { "example.com/😀": '\\ \u{1f600} "', wrong: 5 } }
  const ingress = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata }
  const list = {
    kind: "List",
    items: [ingress, { kind: "Unknown", apiVersion: "v2" }, { ...ingress, specs: {} }],
  }
  const text = JSON.stringify(list, undefined, "\t")
  const lineOf = (word: string, from = 0) => text.slice(0, text.indexOf(word, from)).split("\n").length
  const second = text.indexOf("Unknown")
  const annotation = 'Field metadata.annotations["wrong"] has to be a text: put it in quotes'
  expect(await messages(text, "cart.json")).toEqual([
    ["type-wrong", `${annotation} (cart.json:${lineOf('"wrong"')})`],
    ["field-unknown", `Field specs is unknown: did you mean "spec" (cart.json:${lineOf('"specs"')})`],
    ["type-wrong", `${annotation} (cart.json:${lineOf('"wrong"', second)})`],
  ])
  expect(await messages(JSON.stringify(list), "cart.json")).toHaveLength(3)
})

test("of two equal keys in JSON that line is named whose value counts", async () => {
  const text =
    '{"kind": "Ingress", "apiVersion": "networking.k8s.io/v1",\n"spec": 4,\n"metadata": {"name": "a"},\n"spec": 5}'
  expect(await messages(text, "cart.json")).toEqual([
    ["type-wrong", expect.stringMatching(/^Field spec has to be .* \(cart\.json:4\)$/)],
  ])
})

test("a long document has lines, one beyond the limit of the parser none", async () => {
  const long = (items: number) =>
    JSON.stringify(
      { kind: "List", items: [...Array(items).keys()].map((index) => ingressOf(`a${index}`)) },
      undefined,
      1,
    )
  const ingressOf = (name: string) => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name },
  })
  const withMistake = (text: string) =>
    text.replace(/\]\n\}$/, ', {"kind": "Ingres", "apiVersion": "networking.k8s.io/v1"}]\n}')
  const some = withMistake(long(1000))
  expect(some.length).toBeGreaterThan(64 * 1024)
  expect(await messages(some, "cart.json")).toEqual([
    ["kind-unknown", expect.stringContaining(`cart.json:${some.split("\n").length - 1} `)],
  ])
  const many = withMistake(long(30_000))
  expect(many.length).toBeGreaterThan(2 * 1024 ** 2)
  expect(await messages(many, "cart.json")).toEqual([
    ["kind-unknown", expect.stringContaining("cart.json:1 ")],
  ])
})

test("a name of a file is not taken for a pattern, nor a field for the place", async () => {
  const annotations = `metadata: { name: a, annotations: { "$&.yaml:1":\n 5 } }\n`
  expect(
    await messages(`apiVersion: networking.k8s.io/v1\nkind: Ingress\n${annotations}`, "$&.yaml"),
  ).toEqual([
    ["type-wrong", 'Field metadata.annotations["$&.yaml:1"] has to be a text: put it in quotes ($&.yaml:3)'],
  ])
})
