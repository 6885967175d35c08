import { nearest } from "../../support/nearest.ts"
import { compileSnippet } from "../snippets/compile.ts"
import type { CompiledSnippet, CompileOptions } from "../snippets/compiled.ts"
import { refusalText } from "../snippets/refusal-text.ts"
import type { CompilePlace } from "../snippets/scope.ts"
import type { ClosedByKeys } from "./key.ts"
import { isNginxVariable, nginxVariables } from "./nginx-variables.ts"
import type { Settings } from "./settings.ts"

// The snippets of the ConfigMap, and what those of Ingresses are compiled with. What an http-snippet declares, all others may name.

/** The keys, and where their text stands. */
export const snippetKeys = {
  mainSnippet: "main",
  httpSnippet: "http",
  serverSnippet: "server",
  locationSnippet: "location",
  streamSnippet: "stream",
  globalAuthSnippet: "auth",
} as const satisfies Readonly<Partial<Record<keyof Settings, CompilePlace>>>

export type SnippetKey = keyof typeof snippetKeys

/** Texts of the keys. `null`: one that cannot be read; nothing of it is in force. */
export type SnippetSettings = Pick<Settings, SnippetKey>

/** What is known where a snippet stands. @param ports at which routes are served */
export function compileOptions(
  { httpSnippet }: Pick<SnippetSettings, "httpSnippet">,
  namespace: string,
  ports?: ReadonlySet<number>,
): CompileOptions {
  const usual: CompileOptions = {
    namespace,
    isVariable: isNginxVariable,
    nearestVariable: (name) => nearest(name, nginxVariables),
    ...(ports && { ports }),
  }
  if (httpSnippet === null || httpSnippet.trim() === "") return usual
  const { variables, requestZones, connectionZones } = compileSnippet(httpSnippet, "http", usual).declares
  const known = new Set(variables)
  return {
    ...usual,
    isVariable: (name) => known.has(name) || isNginxVariable(name),
    requestZones: new Set(requestZones),
    connectionZones: new Set(connectionZones),
  }
}

/** What a key of the ConfigMap says by itself. Its Services are in no namespace. */
export function compiledKey(
  key: SnippetKey,
  settings: SnippetSettings,
  options: CompileOptions,
): CompiledSnippet {
  const compiled = compileSnippet(settings[key] ?? "", snippetKeys[key], options)
  return { ...compiled, text: [...compiled.text, ...compiled.raw.map(({ text }) => text)] }
}

/** Which requests are refused, when something that may keep them out is not in force. Absent: what stands outside of `http` keeps no request from a route. */
export const closedBySnippet: Readonly<Partial<Record<SnippetKey, ClosedByKeys>>> = {
  httpSnippet: "all",
  serverSnippet: "all",
  locationSnippet: "all",
  globalAuthSnippet: "asked-about",
}

/** Something of a snippet that is not in force. */
export interface SnippetFault {
  readonly key: SnippetKey
  readonly mayGuard: boolean
  /** a sentence without its end */
  readonly text: string
}

const keys = Object.keys(snippetKeys) as readonly SnippetKey[]

export function snippetFaults(
  settings: SnippetSettings,
  ports: ReadonlySet<number> | undefined,
): readonly SnippetFault[] {
  const used = keys.filter((key) => (settings[key] ?? "").trim() !== "")
  if (used.length === 0) return []
  const options = compileOptions(settings, "", ports)
  return used.flatMap((key) =>
    compiledKey(key, settings, options).refused.map((refusal) => {
      return { key, mayGuard: refusal.mayGuard, text: refusalText(refusal) }
    }),
  )
}

export function unreadableSnippets(settings: SnippetSettings): readonly SnippetKey[] {
  return keys.filter((key) => settings[key] === null)
}
