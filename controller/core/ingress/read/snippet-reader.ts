import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { unusable } from "../../annotations/values.ts"
import { allowsRawText } from "../../options/keys/permissions.ts"
import { compileSnippet } from "../../snippets/compile.ts"
import type { CompiledSnippet, CompileOptions, RawDirective, Refusal } from "../../snippets/compiled.ts"
import { refusalText } from "../../snippets/refusal-text.ts"
import type { CompilePlace } from "../../snippets/scope.ts"
import { complainAbout, type IngressContext } from "./ingress-context.ts"

/**
 * What a snippet closes that has something of which it is not known that it lets requests in anyway: the paths of its Ingress, those of its
 * namespace on the hosts of the Ingress, or what its `auth-url` is asked about.
 */
export type Closing = "paths" | "hosts" | "asked-about"

/** What an annotation says. */
export type Said = string | typeof unusable | undefined

/** A snippet of an Ingress. */
export interface SnippetOf {
  /** of the annotation, without prefix */
  readonly name: string
  readonly place: CompilePlace
  readonly closes: Closing
}

/** What snippets are read with. */
interface Around {
  readonly options: CompileOptions
  /** text of the ConfigMap that stands behind that of the annotation */
  readonly behind: string
  /** gets what is closed, as something is not in force */
  readonly closes: Set<Closing>
}

/**
 * Compiles the text of an annotation, and reports what is not in force of it.
 *
 * @returns undefined: nothing is said
 */
export function readSnippet(
  text: Said,
  of: SnippetOf,
  { options, behind, closes }: Around,
  context: IngressContext,
): CompiledSnippet | undefined {
  if (text === unusable) closes.add(of.closes)
  if (text === undefined || text === unusable || text.trim() === "") return undefined
  const own = compileSnippet(text, of.place, options)
  const isRawAllowed = allowsRawText(context.settings)
  const raw = isRawAllowed ? [] : own.raw.map(forbidden)
  const refused = [...own.refused, ...raw]
  const guards = context.settings.unsupportedGuards !== "ignore"
  for (const refusal of refused.slice(0, maxTold))
    tell(refusal, raw.includes(refusal) ? "snippet-not-allowed" : "snippet-in-part", of, guards, context)
  if (guards && refused.some(({ mayGuard }) => mayGuard)) closes.add(of.closes)
  const both = behind.trim() === "" ? own : compileSnippet(before(behind, text, own), of.place, options)
  // What is printed of the ConfigMap's text stands around all.
  return { ...both, text: [...own.text, ...(isRawAllowed ? own.raw : []).map(({ text }) => text)] }
}

/** A text that cannot be read by itself might take the one behind it into a quote of its own. */
function before(behind: string, text: string, { refused }: CompiledSnippet): string {
  return refused.some(({ directive }) => directive === "") ? behind : `${text}\n${behind}`
}

/** A text that nobody can read has one fault for each word. */
export const maxTold = 16

/** What would be raw text, and is not allowed to be. */
function forbidden({ text: _, ...refusal }: RawDirective): Refusal {
  const reason = `${refusal.reason}, for which the ConfigMap needs "allow-snippet-annotations" and "annotations-risk-level: Critical"`
  return { ...refusal, reason }
}

const outcomes: Readonly<Record<Closing, string>> = {
  paths: "requests get 503",
  hosts: "requests get 503 on all paths of the namespace on the hosts of the Ingress",
  "asked-about": "requests that the service is asked about get 503",
}

/** @param code of what keeps nobody out */
function tell(
  refusal: Refusal,
  code: ProblemCode,
  { name, closes }: SnippetOf,
  guards: boolean,
  context: IngressContext,
): void {
  const told = refusalText(refusal, `annotation "${name}"`)
  if (!refusal.mayGuard) complainAbout(context, name, code, `${told}; the rest is in force`)
  else if (!guards)
    complainAbout(
      context,
      name,
      "guard-ignored",
      `${told}; it may keep requests out, which are let in, as unsupported-guards says`,
    )
  else
    complainAbout(
      context,
      name,
      "annotation-guard-closes",
      `${told}; it may keep requests out, so ${outcomes[closes]}`,
    )
}
