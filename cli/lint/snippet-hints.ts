import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import {
  type ConfigSnippets,
  configSnippets,
  optionsBeside,
} from "../../controller/core/options/config-snippets.ts"
import type { Settings } from "../../controller/core/options/settings.ts"
import { compileSnippet } from "../../controller/core/snippets/compile.ts"
import type { CompiledSnippet } from "../../controller/core/snippets/compiled.ts"
import { equivalentOf } from "../../controller/core/snippets/equivalents.ts"
import { annotationPath } from "../../controller/model/field-path.ts"
import { nameOf } from "../../controller/model/objects/object.ts"
import { rememberedLast } from "../../controller/support/incremental/last-result.ts"
import type { Finding } from "./report.ts"
import type { Subject } from "./subject.ts"

// What becomes of each snippet of an Ingress, and what says the same without one. What has no effect is a finding, and no hint.

type Text = AnnotationValues["snippets"]["ofPaths"]

/** A word for what takes more than a post, and one for what does not. */
const outcomes = {
  "snippet-as-data": "It is data of the path or host: a change is in force without a reload",
  "snippet-printed":
    "Some of its directives are printed anew: the first Ingress with such text takes one reload",
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
  if (compiled.refused.length > 0 || compiled.raw.length > 0) return []
  const rule = isPrinted(compiled) ? "snippet-printed" : "snippet-as-data"
  const instead = equivalentsIn(compiled)
  return [
    {
      rule,
      relation: "same",
      isHint: true,
      what: "A snippet is in force as it is in ingress-nginx, and none of its text reaches nginx.conf",
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

function equivalentsIn({ directives }: CompiledSnippet): readonly string[] {
  const named = directives.flatMap(({ name }) => {
    const instead = equivalentOf(name)
    return instead === undefined ? [] : [`${instead} for ${name}`]
  })
  return [...new Set(named)]
}
