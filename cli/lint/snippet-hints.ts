import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import {
  type ConfigSnippets,
  configSnippets,
  optionsBeside,
} from "../../controller/core/options/config-snippets.ts"
import { allowsRawText } from "../../controller/core/options/keys/permissions.ts"
import type { Settings } from "../../controller/core/options/settings.ts"
import { compileSnippet } from "../../controller/core/snippets/compile.ts"
import type { CompiledSnippet } from "../../controller/core/snippets/compiled.ts"
import { equivalentOf, filterOf } from "../../controller/core/snippets/equivalents.ts"
import { annotationPath } from "../../controller/model/field-path.ts"
import { nameOf } from "../../controller/model/objects/object.ts"
import { rememberedLast } from "../../controller/support/incremental/last-result.ts"
import type { Finding } from "./report.ts"
import type { Subject } from "./subject.ts"

// What becomes of each snippet of an Ingress, and what says the same without one. What has no effect is a finding, and no hint.

type Text = AnnotationValues["snippets"]["ofPaths"]

/** By how much they take. */
const outcomes = {
  "snippet-as-data": "It is data of the path or host: a change is in force without a reload",
  "snippet-printed":
    "Some of its directives are printed anew: the first Ingress with such text takes one reload",
  "snippet-as-text":
    'Some of its directives are text of nginx.conf, for which the ConfigMap needs "allow-snippet-annotations" and "annotations-risk-level: Critical", as it has: each change of them is a reload',
} as const

/** They are the same for all Ingresses. */
const configSnippetsOf = rememberedLast<Settings, ConfigSnippets>()

export function snippetHints(subject: Subject): readonly Finding[] {
  const { snippets, access } = subject.values
  return [
    ...hintOf("configuration-snippet", snippets.ofPaths, "location", subject),
    ...hintOf("server-snippet", snippets.ofHosts, "server", subject),
    ...hintOf("auth-snippet", access.ofQuestion, "auth", subject),
  ]
}

function hintOf(
  name: string,
  text: Text,
  place: "location" | "server" | "auth",
  { ingress, annotations, around: { settings } }: Subject,
): readonly Finding[] {
  const key = annotations.get(name)?.key
  if (typeof text !== "string" || text.trim() === "" || key === undefined) return []
  const { http, server, location } = configSnippetsOf(settings, [], () => configSnippets(settings))
  const options = { ...optionsBeside([http, server, location]), namespace: ingress.meta.namespace }
  const compiled = compileSnippet(text, place, options)
  const hasText = compiled.raw.length > 0
  if (compiled.refused.length > 0 || (hasText && !allowsRawText(settings))) return []
  const rule = hasText ? "snippet-as-text" : isPrinted(compiled) ? "snippet-printed" : "snippet-as-data"
  const instead = equivalentsIn(compiled.directives.map((it) => it.name))
  return [
    {
      rule,
      relation: "same",
      isHint: true,
      what: `A snippet is in force as it is in ingress-nginx${hasText ? "" : ", and none of its text reaches nginx.conf"}`,
      before: "Its text is in nginx.conf, and each change of it a reload",
      now: outcomes[rule],
      change:
        instead.length === 0
          ? "Nothing. docs/guides/snippets.md says what stands for which directive"
          : `Nothing. What says the same without a snippet: ${instead.join(", ")}`,
      evidence: [{ object: nameOf(ingress), field: annotationPath(key) }],
    },
  ]
}

function isPrinted({ directives }: CompiledSnippet): boolean {
  return directives.some(({ becomes }) => becomes === "typed")
}

function equivalentsIn(names: readonly string[]): readonly string[] {
  return [...saidBy(names, equivalentOf), ...filtersIn(names).map((it) => `in the Gateway API filter ${it}`)]
}

/** Filters of the Gateway API that do what directives do, each with its directive. */
export function filtersIn(names: readonly string[]): readonly string[] {
  return saidBy(names, filterOf)
}

function saidBy(names: readonly string[], instead: (name: string) => string | undefined): readonly string[] {
  const said = names.flatMap((name) => {
    const phrase = instead(name)
    return phrase === undefined ? [] : [`${phrase} for ${name}`]
  })
  return [...new Set(said)]
}
