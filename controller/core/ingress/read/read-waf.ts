import type { Waf } from "../../../model/route-records.ts"
import { type RuleSetTrouble, ruleSetOf, type WantedRuleSet } from "../../../model/rule-set.ts"
import { compareText } from "../../../support/order.ts"
import { type AnnotationValues, unusable } from "../../annotations/values.ts"
import type { Proxying } from "../../declared/proxying.ts"
import { lineOfRule } from "../../modsecurity/duplicates.ts"
import { faultText } from "../../modsecurity/fault-text.ts"
import { type ReadRules, readRules } from "../../modsecurity/read-rules.ts"
import { type NamedRules, partsOf, type Said, type SaidRules, setOf } from "../../modsecurity/rule-set.ts"
import type { CompiledFirewall } from "../../snippets/compiled.ts"
import {
  annotationField,
  complainAbout,
  type Denied,
  denied,
  deny,
  type IngressContext,
} from "./ingress-context.ts"
import { referenced } from "./referenced.ts"

/** What looks at the requests of an Ingress. */
export interface DeclaredWaf {
  /** what has to be checked before it may be used */
  readonly wanted: WantedRuleSet
  /** absent: there is nothing to use yet, or requests are let in for `modsecurity-fallback` */
  readonly waf?: Waf
  /** nothing may be let in without it */
  readonly isDenied: boolean
}

type Values = AnnotationValues["modsecurity"]

const inSnippet = "configuration-snippet"
const snippet = "modsecurity-snippet"
const ofConfigMap = "modsecurity-rules"
const isOn = "enable-modsecurity"
const maxTold = 16

/**
 * @param firewall what a snippet says of it: what annotations say comes first
 * @param of what of the Ingress it is about: "", or "/server" for location blocks of its server-snippet, where only the ConfigMap says something
 * @returns undefined: no rules look at its requests
 */
export function readWaf(
  values: Values,
  firewall: CompiledFirewall,
  context: IngressContext,
  of: "" | "/server" = "",
): DeclaredWaf | Denied | undefined {
  const { settings } = context
  const asked = values.isOn ?? firewall.isOn ?? settings.enablesModsecurity
  if (asked === false) return complainOfNone(values, context)
  const said = saidBy(values, firewall, context)
  if (asked !== true || said === denied) return denied
  const named = setOf(said, context.shared.rulesOfAll, settings, context.options.modsecurityFiles)
  const { namespace, name } = context.ingress.meta
  const transactionId = values.transactionId ?? firewall.transactionId
  return judged(`${namespace}/${name}${of}`, named, transactionId, context)
}

/** With what looks at requests; what must not be let in without it is denied. */
export function withWaf(proxying: Proxying, waf: DeclaredWaf | Denied | undefined): Proxying {
  if (waf === undefined) return proxying
  if (waf === denied) return { ...proxying, isDenied: true }
  return {
    ...proxying,
    ...(waf.waf && { waf: waf.waf }),
    ruleSet: waf.wanted,
    isDenied: proxying.isDenied || waf.isDenied,
  }
}

/** Annotations that say how rules do their work do nothing where none do any. */
function complainOfNone(values: Values, context: IngressContext): undefined {
  const idle = [
    ...(values.hasCoreRules === true ? ["enable-owasp-core-rules"] : []),
    ...(values.snippet === undefined ? [] : [snippet]),
    ...(values.rules === undefined ? [] : [ofConfigMap]),
    ...(values.transactionId === undefined ? [] : ["modsecurity-transaction-id"]),
  ]
  for (const name of idle) {
    const message = `Annotation "${name}" needs annotation "enable-modsecurity": it has no effect`
    complainAbout(context, name, "annotation-idle", message)
  }
  return undefined
}

function saidBy(values: Values, { rules = [] }: CompiledFirewall, context: IngressContext): Said | Denied {
  const { settings } = context
  const own = values.snippet === undefined ? [] : ofText(values.snippet, snippet, context)
  const ofSnippet = rules.map((text) => ofText(text, inSnippet, context))
  const more = values.rules === undefined ? [] : ofObject(values.rules, context)
  if (own === denied || more === denied || values.hasCoreRules === unusable) return denied
  if (ofSnippet.includes(denied)) return denied
  if (settings.modsecuritySnippet === null || settings.hasCoreRules === null) return denied
  const inOrder = [...own, ...ofSnippet.filter((one) => one !== denied).flat()]
  return { own: inOrder, more, wantsCoreRules: values.hasCoreRules === true }
}

function ofText(
  text: string | typeof unusable,
  annotation: string,
  context: IngressContext,
): readonly SaidRules[] | Denied {
  if (text === unusable) return denied
  if (text.trim() === "") return []
  return taken(readRules(text), `annotation "${annotation}"`, annotation, context)
}

/** Each key of the ConfigMap, in the order of their names. */
function ofObject(name: string | typeof unusable, context: IngressContext): readonly SaidRules[] | Denied {
  if (name === unusable) return denied
  const found = referenced(
    { annotation: ofConfigMap, kind: "ConfigMap", find: ({ lookups }, of) => lookups.configMap(of) },
    name,
    context,
  )
  if (found === denied) return denied
  const texts = Object.entries(found.object.data).sort(([a], [b]) => compareText(a, b))
  const all = texts.map(([key, text]) =>
    taken(readRules(text), `key "${key}" of ConfigMap ${found.name}`, ofConfigMap, context),
  )
  return all.includes(denied) ? denied : all.filter((one) => one !== denied).flat()
}

function taken(
  read: ReadRules,
  source: string,
  annotation: string,
  context: IngressContext,
): readonly SaidRules[] | Denied {
  if (read.kind === "rules") return partsOf(read.pieces, source)
  for (const fault of read.faults.slice(0, maxTold)) {
    const state = `Cannot use the rules of ${source}: ${faultText(fault)}`
    deny(context, annotation, "modsecurity-rules-refused", state)
  }
  return denied
}

/** What is known of the set: what nobody has checked is not in force. */
function judged(
  owner: string,
  named: readonly NamedRules[],
  transactionId: string | undefined,
  context: IngressContext,
): DeclaredWaf {
  const { lookups } = context
  const wanted: WantedRuleSet = {
    owner,
    set: ruleSetOf(named.map(({ part }) => part)),
  }
  const use = (rules: string): DeclaredWaf => ({
    wanted,
    waf: wafOf(wanted.owner, rules, transactionId, context),
    isDenied: false,
  })
  if (!lookups.areRulesChecked) return use(wanted.set.digest)
  const state = lookups.ruleSet(wanted.owner)
  const trouble = state?.wanted === wanted.set.digest ? state.trouble : undefined
  const served = state?.usable === undefined ? { wanted, isDenied: true } : use(state.usable)
  if (trouble === undefined) return served
  if (trouble.kind === "absent") return withoutLibrary(trouble.reason, served, context)
  complainOfRules(trouble, named, context)
  return { wanted, isDenied: true }
}

function wafOf(
  owner: string,
  rules: string,
  transactionId: string | undefined,
  { settings }: IngressContext,
): Waf {
  return {
    ...{ owner, rules },
    ...(transactionId !== undefined && { transactionId }),
    ...(settings.modsecurityFallback === "open" && { failsOpen: true as const }),
  }
}

function complainOfRules(
  { part, line, reason }: Extract<RuleSetTrouble, { kind: "refused" }>,
  named: readonly NamedRules[],
  context: IngressContext,
): void {
  const place =
    placeOfDuplicate(reason, named) ?? (part === undefined ? undefined : named[part]?.placeOf(line))
  const field = fieldOf(annotationOf(place), context)
  const where = place === undefined ? "" : ` of ${place}`
  const message = `Cannot use the rules${where}: libmodsecurity says ${reason}; requests get 503`
  context.complain(field, "modsecurity-rules-invalid", message)
}

/** Of two rules with one id in different texts libmodsecurity does not say where they are: the last one that is not in a file. */
function placeOfDuplicate(reason: string, named: readonly NamedRules[]): string | undefined {
  const [, id] = /rule id: (\d+) is duplicated/i.exec(reason) ?? []
  if (id === undefined) return undefined
  const places = named.flatMap(({ part, placeOf }) => {
    const line = "text" in part ? lineOfRule(part.text, id) : undefined
    return line === undefined ? [] : [placeOf(line)]
  })
  return places.at(-1)
}

/** @param served with the rules before them, if there were any */
function withoutLibrary(reason: string, served: DeclaredWaf, context: IngressContext): DeclaredWaf {
  const isOpen = served.isDenied && context.settings.modsecurityFallback === "open"
  const outcome = isOpen
    ? 'requests get in unseen, as key "modsecurity-fallback" says'
    : served.isDenied
      ? "requests get 503"
      : "the rules before them stay in force"
  const message = `Rules of ModSecurity cannot be used: ${reason}; ${outcome}`
  context.complain(fieldOf(isOn, context), isOpen ? "modsecurity-open" : "modsecurity-absent", message)
  return isOpen ? { ...served, isDenied: false } : served
}

function annotationOf(place: string | undefined): string {
  if (place?.startsWith(`annotation "${inSnippet}"`)) return inSnippet
  return place?.startsWith("key ") ? ofConfigMap : snippet
}

/** Where an annotation stands, or if that is not there, the one that has rules look at requests. */
function fieldOf(annotation: string, context: IngressContext): string {
  const field = annotationField(context, annotation)
  const keys = Object.keys(context.ingress.meta.annotations)
  const isThere = keys.some((key) => key.endsWith(`/${annotation}`))
  return isThere ? field : annotationField(context, isOn)
}
