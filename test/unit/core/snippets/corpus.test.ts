import { describe, expect, test } from "vitest"
import { isNginxVariable } from "../../../../controller/core/options/nginx-variables.ts"
import { compileSnippet } from "../../../../controller/core/snippets/compile.ts"
import type { CompiledSnippet, Verdict } from "../../../../controller/core/snippets/compiled.ts"
import type { CompilePlace } from "../../../../controller/core/snippets/scope.ts"
import { hasCorpus, readCorpus, type Sample } from "../../../../harness/corpus.ts"

const places: Readonly<Record<string, CompilePlace>> = {
  "nginx.ingress.kubernetes.io/configuration-snippet": "location",
  "nginx.ingress.kubernetes.io/server-snippet": "server",
  "nginx.ingress.kubernetes.io/auth-snippet": "auth",
  "nginx.ingress.kubernetes.io/stream-snippet": "stream",
}

/** All snippets of an Ingress. The corpus has other namespaces than those that its authors have written into URLs. */
function compiled({ ingress }: Sample): readonly CompiledSnippet[] {
  const { namespace, annotations } = ingress.metadata
  return Object.entries(places).flatMap(([name, place]) => {
    const text = annotations[name]?.replaceAll(/(:\/\/[-\w]+)\.[-\w]+\.svc\./g, `$1.${namespace}.svc.`)
    return text === undefined ? [] : [compileSnippet(text, place, { namespace, isVariable: isNginxVariable })]
  })
}

const order: readonly Verdict["becomes"][] = ["data", "typed", "raw", "refused"]

/** What is worst of it. */
function verdict(snippets: readonly CompiledSnippet[]): Verdict["becomes"] {
  const all = snippets.flatMap(({ directives, refused }) => [
    ...directives.map(({ becomes }) => becomes),
    ...(refused.length > 0 ? ["refused" as const] : []),
  ])
  return order.findLast((it) => all.includes(it)) ?? "data"
}

describe.skipIf(!hasCorpus)("the snippets of published Ingresses", () => {
  const samples = readCorpus()
    .map((sample) => ({ sample, snippets: compiled(sample) }))
    .filter(({ snippets }) => snippets.length > 0)

  test("are data in most of them, and text in none", () => {
    const counts = new Map(order.map((it) => [it, 0]))
    for (const { snippets } of samples) {
      const it = verdict(snippets)
      counts.set(it, (counts.get(it) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toEqual({ data: 67, typed: 5, raw: 0, refused: 9 })
  })

  test("that are refused would not work with ingress-nginx either, but for one", () => {
    const refused = samples.filter(({ snippets }) => verdict(snippets) === "refused")
    expect(refused.filter(({ sample }) => !sample.breaks)).toHaveLength(1)
  })
})
