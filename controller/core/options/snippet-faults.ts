import { shown } from "../../model/shown.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import type { Refusal } from "../snippets/compiled.ts"
import { guardIn } from "../snippets/guards.ts"
import type { SnippetPlace } from "../snippets/harmless.ts"
import { type ConfigSnippets, configSnippets, textOf } from "./config-snippets.ts"
import type { Surroundings } from "./rules.ts"
import type { Settings } from "./settings.ts"

// What is not in force of the operator's snippets. A text that cannot be read leaves the one before it in force; of others the rest is.

/** The settings that are texts of snippets, and the place of each. */
export const snippetFields = {
  mainSnippet: "main",
  httpSnippet: "http",
  serverSnippet: "server",
  locationSnippet: "location",
  globalAuthSnippet: "auth",
  streamSnippet: "stream",
} as const satisfies Partial<Record<keyof Settings, keyof ConfigSnippets>>

type SnippetField = keyof typeof snippetFields

const fields = Object.keys(snippetFields) as readonly SnippetField[]

/** Something of a snippet that is not in force. */
export interface SnippetFault {
  readonly field: SnippetField
  /** a sentence without its dot, about the text */
  readonly what: string
  /** requests may get in that it would have kept out */
  readonly mayGuard: boolean
  /** it is about the text as a whole, and the one before it stays */
  readonly keepsLast: boolean
}

type Around = Pick<Surroundings, "ports" | "ownPorts" | "compileTexts">

/** A text that nobody meant for nginx has one fault for each word. */
const maxTold = 16

/**
 * @param lastGood the texts before
 * @returns what is in force in the place of texts that cannot be used, and all faults
 */
export function judgeSnippets(
  asked: Settings,
  lastGood: Settings,
  { ports, ownPorts = nobodys, compileTexts = configSnippets }: Around = {},
): { readonly setting: Partial<Settings>; readonly faults: readonly SnippetFault[] } {
  const written = compileTexts(asked)
  const taken = { http: ownPorts, stream: new Set([...(ports ?? usualPorts), ...ownPorts]) }
  const judged = fields.map((field) => {
    const place = snippetFields[field]
    const snippet = written[place]
    const port = place === "http" || place === "stream" ? portFault(textOf(snippet), taken[place]) : undefined
    const keepsLast = lastGood[field] !== "" && lastGood[field] !== asked[field]
    const isBroken = port !== undefined || snippet.refused.some(isWhole)
    return {
      setting: isBroken && (keepsLast || port !== undefined) ? { [field]: lastGood[field] } : {},
      faults: [
        ...(port === undefined ? [] : [wholeFault(field, port, keepsLast, asked[field])]),
        ...snippet.refused.slice(0, maxTold).map((it) => faultOf(field, it, keepsLast)),
      ],
    }
  })
  return {
    setting: Object.assign({}, ...judged.map(({ setting }) => setting)),
    faults: judged.flatMap(({ faults }) => faults),
  }
}

const nobodys: ReadonlySet<number> = new Set()
const usualPorts: ReadonlySet<number> = new Set([80, 443])

/** nginx finds out when it listens, which a check of the configuration does not try where somebody listens already. */
function portFault(text: readonly TypedDirective[], taken: ReadonlySet<number>): string | undefined {
  const listens = text
    .filter(({ name }) => name === "server")
    .flatMap(({ block = [] }) => block.filter(({ name }) => name === "listen"))
  const port = listens
    .map(({ args: [at = ""] }) => portOf(at))
    .find((it) => it !== undefined && taken.has(it))
  return port === undefined ? undefined : `port ${port} is wick's own`
}

/** Source: nginx, listen: a port, or an address with one; 80 where there is none. */
function portOf(at: string): number | undefined {
  if (at.startsWith("unix:")) return undefined
  const digits = /^\d+$/.test(at) ? at : /:(\d+)$/.exec(at)?.[1]
  return digits === undefined ? 80 : Number(digits)
}

function wholeFault(field: SnippetField, what: string, keepsLast: boolean, text: string): SnippetFault {
  const place = guarding[field]
  const mayGuard = !keepsLast && place !== undefined && guardIn(text, place) !== undefined
  return { field, what, mayGuard, keepsLast: true }
}

/** Nothing of the text is in force. */
function isWhole({ directive }: Refusal): boolean {
  return directive === ""
}

function faultOf(field: SnippetField, refusal: Refusal, isKept: boolean): SnippetFault {
  const keepsLast = isKept && isWhole(refusal)
  const isOfRequests = field !== "mainSnippet" && field !== "streamSnippet"
  const mayGuard = isOfRequests && refusal.mayGuard && !keepsLast
  return { field, what: whatOf(refusal), mayGuard, keepsLast }
}

function whatOf({ line, column, directive, reason, instead }: Refusal): string {
  const at = `in line ${line}, column ${column}`
  const rest = instead === undefined ? "" : `; there is ${instead}`
  return directive === "" ? `${reason} ${at}${rest}` : `directive ${shown(directive)} ${at}: ${reason}${rest}`
}

const guarding: Readonly<Partial<Record<keyof Settings, SnippetPlace>>> = {
  httpSnippet: "http",
  serverSnippet: "server",
  locationSnippet: "location",
  globalAuthSnippet: "auth",
}

/**
 * Whether a text may keep requests out that nginx has refused, where there is none before it that could stay.
 *
 * @returns what of it may: a phrase that goes on after a colon
 */
export function guardWithout(field: keyof Settings, text: unknown, kept: unknown): string | undefined {
  const place = guarding[field]
  return place === undefined || typeof text !== "string" || kept !== "" ? undefined : guardIn(text, place)
}
