// Snippets as those of an Ingress in the namespace "shop", where a few variables are known.
import { compileSnippet } from "../../../../controller/core/snippets/compile.ts"
import type { CompileOptions } from "../../../../controller/core/snippets/compiled.ts"
import type { CompilePlace } from "../../../../controller/core/snippets/scope.ts"

const known = new Set([
  "host",
  "http_x",
  "http_referer",
  "request_method",
  "remote_addr",
  "scheme",
  "request_uri",
  "uri",
])
const options: CompileOptions = {
  namespace: "shop",
  isVariable: (name) => known.has(name) || /^(http|arg|upstream_http)_/.test(name),
  nearestVariable: (name) => (name === "hots" ? "host" : undefined),
}

export function compile(text: string, place: CompilePlace = "location", more: Partial<CompileOptions> = {}) {
  return compileSnippet(text, place, { ...options, ...more })
}

/** What is refused of a text, as "LINE:COLUMN DIRECTIVE: REASON". */
export function refused(text: string, place: CompilePlace = "location", more: Partial<CompileOptions> = {}) {
  return compile(text, place, more).refused.map(
    (it) => `${it.line}:${it.column} ${it.directive}: ${it.reason}`,
  )
}
