// What the compiler is asked pass after pass: texts that have changed.
import { afterEach, expect, test, vi } from "vitest"
import { candidateReader } from "../../../../../controller/core/ingress/candidate.ts"
import { defaultSettings } from "../../../../../controller/core/options/configmap.ts"
import { compileSnippet } from "../../../../../controller/core/snippets/compile.ts"
import { ingress, ingressClass, service, settings, slice } from "../../../../../harness/manifests.ts"
import { ingress as candidate, options } from "../../../../../harness/objects.ts"
import { changesOf, optionsOf, Passes } from "../../../../../harness/translation.ts"

vi.mock(import("../../../../../controller/core/snippets/compile.ts"), { spy: true })

const compiled = vi.mocked(compileSnippet)
afterEach(() => compiled.mockClear())

const passes = new Passes(optionsOf(["--configmap=nginx/settings"]))
const put = (...objects: readonly unknown[]) => {
  passes.apply(objects.flatMap((it) => changesOf(it, "objects.yaml:1")))
  passes.translation()
  return compiled.mock.calls.map(([text]) => text)
}
const shop = (says: Readonly<Record<string, string>>) => ingress("shop/app", "app.test/ → app:80", says, 1)

test("a text is compiled when it has changed, not in each pass", () => {
  const [mine, others] = ["more_set_headers 'X-A: 1';", "deny 192.0.2.1;"]
  const first = put(
    ingressClass,
    settings("nginx/settings", { "server-snippet": "add_header X-Own 1;" }),
    ...[service("shop/app"), slice("shop/app", ["10.0.0.1"], 80)],
    shop({ "configuration-snippet": mine }),
    ingress("shop/other", "other.test/ → app:80", { "configuration-snippet": others }, 2),
  )
  expect(first).toEqual(expect.arrayContaining([mine, others, "add_header X-Own 1;"]))
  compiled.mockClear()
  expect(put(slice("shop/app", ["10.0.0.2"], 80))).toEqual([])
  expect(put(shop({ "configuration-snippet": `${mine} ` }))).toEqual([`${mine} `])
})

test("the webhook compiles the ConfigMap's texts once, whatever it is asked", () => {
  const texts = ["deny 192.0.2.1;", "deny 192.0.2.2;"]
  const problemsOf = candidateReader({ ...defaultSettings, serverSnippet: "add_header X-Own 1;" }, options)
  compiled.mockClear()
  for (const text of texts)
    problemsOf(candidate("shop/app", "app.test/ → app:80", { "configuration-snippet": text }))
  expect(compiled.mock.calls.map(([text]) => text)).toEqual(texts)
})
