import { expect, test } from "vitest"
import { emptyManifest, problemsOf, readManifest } from "../../../../controller/input/manifests/manifest.ts"
import { readValues } from "../../../../controller/input/manifests/values.ts"
import type { Problem } from "../../../../controller/model/problem.ts"

const thread = {
  read: async (document: Parameters<typeof readValues>[0], file: string) => readValues(document, file),
}

async function problems(text: string, file = "cart.yaml"): Promise<readonly Problem[]> {
  return problemsOf(await readManifest(text, file, emptyManifest, () => 0, thread))
}

const said = async (text: string, file?: string) =>
  (await problems(text, file)).map(({ code, message }) => [code, message])

const head = `# the shop's
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: cart
`

test("a field that is none of its kind's is named with the one that was meant, and its line", async () => {
  expect(
    await said(`${head}spec:
  rules:
    - host: cart.test
      http:
        path:
          - path: /
`),
  ).toEqual([
    ["field-unknown", "Field spec.rules[0].http.path is none of Ingress: write paths (cart.yaml:11)"],
  ])
  expect(await said(`${head}spec:\n  ingressClas: nginx\n`)).toEqual([
    [
      "field-unknown",
      "Field spec.ingressClas is none of Ingress: write ingressClassName or defaultBackend or tls or rules, or remove it (cart.yaml:8)",
    ],
  ])
  expect(await said(`${head}spec:\n  ingressClassname: nginx\n`)).toEqual([
    ["field-unknown", "Field spec.ingressClassname is none of Ingress: write ingressClassName (cart.yaml:8)"],
  ])
})

test("a host in capitals counts in small letters, which is said", async () => {
  expect(
    await said(`${head}spec:\n  rules:\n    - host: Cart.test\n  tls:\n    - hosts: [a.test, CART.test]\n`),
  ).toEqual([
    [
      "host-capitals",
      'Field spec.rules[0].host has capitals, which count as small letters: write "cart.test" (cart.yaml:9)',
    ],
    [
      "host-capitals",
      'Field spec.tls[0].hosts[1] has capitals, which count as small letters: write "cart.test" (cart.yaml:11)',
    ],
  ])
})

test("a kind that is nearly one of ours is named, and others are somebody else's", async () => {
  expect(await said("apiVersion: networking.k8s.io/v1\nkind: Ingres\nmetadata: {name: a}\n")).toEqual([
    ["kind-unknown", 'Text at cart.yaml:2 is of kind "Ingres", which nobody reads: write Ingress'],
  ])
  expect(await said("apiVersion: v1\nkind: service\nmetadata: {name: a}\n")).toEqual([
    ["kind-unknown", 'Text at cart.yaml:2 is of kind "service", which nobody reads: write Service'],
  ])
  expect(await said("apiVersion: example.test/v1\nkind: Ingres\nmetadata: {name: a}\n")).toEqual([])
  expect(await said("apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\n")).toEqual(
    [],
  )
  expect(await said("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n")).toEqual([])
})

test("positions are those of fields, in lists and in JSON, too", async () => {
  const list = `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Service
    metadata: {name: a}
    spec:
      ports:
        - por: 80
  - apiVersion: v1
    kind: Service
    metadata: {name: b}
    spec:
      type: 5
`
  expect(await said(list)).toEqual([
    ["field-missing", "Field spec.ports[0].port is missing or no port (cart.yaml:9)"],
    ["field-unknown", "Field spec.ports[0].por is none of Service: write port (cart.yaml:9)"],
    ["type-wrong", expect.stringContaining("(cart.yaml:14)")],
  ])
  const json =
    '{\n"apiVersion": "v1",\n"kind": "Service",\n"metadata": {"name": "a"},\n"spec": {\n"selectr": {}}}'
  expect(await said(json, "a.json")).toEqual([
    ["field-unknown", "Field spec.selectr is none of Service: write selector (a.json:6)"],
  ])
})

test("what Kubernetes knows is no Problem", async () => {
  expect(
    await said(`${head}  labels: {a: b}
  annotations: {c: d}
spec:
  ingressClassName: nginx
  defaultBackend: {service: {name: a, port: {number: 80}}}
  tls: [{hosts: [a.test], secretName: a}]
  rules:
    - host: a.test
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {name: http}}}}]}
status: {loadBalancer: {}}
`),
  ).toEqual([])
})

test("of a long document the first line is named", async () => {
  const long = `${head}spec:\n  ingressClas: nginx\n# ${"x".repeat(32 * 1024)}\n`
  expect(await said(long)).toEqual([
    [
      "field-unknown",
      "Field spec.ingressClas is none of Ingress: write ingressClassName or defaultBackend or tls or rules, or remove it (cart.yaml:3)",
    ],
  ])
})
