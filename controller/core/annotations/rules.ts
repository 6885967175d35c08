import { annotationPath, annotationsPath } from "../../model/field-path.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import { shown } from "../../model/shown.ts"
import { isAbove, type Risk } from "../options/keys/permissions.ts"
import type { Settings } from "../options/settings.ts"
import { canonicalKey, effectiveAnnotations, nameUnder } from "./canonical.ts"
import { annotationByName, annotations } from "./table.ts"

// What an operator has closed to those who write Ingresses, and asks of them. It is not asked whether a value makes sense. The webhook refuses
// what breaks a rule, and who reads Ingresses denies it: a webhook that was down is no hole.

/** What annotations are held against. */
export interface AnnotationRules {
  readonly settings: Pick<
    Settings,
    "blockedWords" | "maxRisk" | "requiredAnnotations" | "forbiddenAnnotations"
  >
  /** `--annotations-prefix` */
  readonly prefix: string
}

/** A rule that an Ingress breaks. */
export interface RuleFault {
  /** where, as in a Problem */
  readonly field: string
  /** what to do */
  readonly message: string
}

/** Of an annotation that is there. */
export interface KeyFault extends RuleFault {
  readonly key: string
}

const risks: ReadonlyMap<string, Risk> = new Map(
  annotations.flatMap(({ name, aliases = [], risk }) =>
    [name, ...aliases].map((spelling) => [spelling, risk] as const),
  ),
)

/** Whether it is a snippet that wick reads itself, so that none of its text reaches nginx's configuration. */
export function isParsedSnippet(key: string, prefix: string): boolean {
  return risks.get(nameUnder(key, prefix) ?? "") === "parsed"
}

/** Those above the annotations-risk-level, in the order of their keys. */
export function riskyAnnotations(
  { meta }: Ingress,
  { settings, prefix }: Pick<AnnotationRules, "prefix"> & { readonly settings: Pick<Settings, "maxRisk"> },
): readonly KeyFault[] {
  return Object.keys(meta.annotations)
    .sort()
    .flatMap((key) => {
      const name = nameUnder(key, prefix)
      const risk = name === undefined ? undefined : risks.get(name)
      if (risk === undefined || !isAbove(risk, settings.maxRisk)) return []
      const message = `annotation ${shown(key)} is of risk ${risk}, and annotations-risk-level allows ${settings.maxRisk} at most: remove it, or ask the operator of wick`
      return [{ key, field: annotationPath(key), message }]
    })
}

/** The word of annotation-value-word-blocklist that a value holds. */
function blockedWord(
  key: string,
  value: string,
  {
    settings,
    prefix,
  }: Pick<AnnotationRules, "prefix"> & {
    readonly settings: Pick<Settings, "blockedWords">
  },
): KeyFault | undefined {
  const isRead = nameUnder(key, prefix) !== undefined
  const word = isRead ? settings.blockedWords.find((blocked) => value.includes(blocked)) : undefined
  if (word === undefined) return undefined
  const message = `annotation ${shown(key)} contains the word ${shown(word)}, which annotation-value-word-blocklist forbids: write it without`
  return { key, field: annotationPath(key), message }
}

/** Every annotation with a word of annotation-value-word-blocklist, in the order of their keys. */
export function blockedWords(
  { meta }: Ingress,
  rules: Parameters<typeof blockedWord>[2],
): readonly KeyFault[] {
  if (rules.settings.blockedWords.length === 0) return []
  return Object.keys(meta.annotations)
    .sort()
    .flatMap((key) => blockedWord(key, meta.annotations[key] ?? "", rules) ?? [])
}

/** Keys and values of all annotations together. */
export function annotationBytes({ meta }: Ingress): number {
  const texts = Object.entries(meta.annotations).flat()
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** Those that admission-forbidden-annotations names, under whatever spelling. */
export function unwantedAnnotations(
  { meta }: Ingress,
  { settings: { forbiddenAnnotations }, prefix }: AnnotationRules,
): readonly KeyFault[] {
  if (forbiddenAnnotations.length === 0) return []
  const forbidden = new Set(forbiddenAnnotations.map((name) => canonicalKey(name, prefix)))
  return Object.keys(meta.annotations)
    .filter((key) => forbidden.has(canonicalKey(key, prefix)))
    .sort()
    .map((key) => ({
      key,
      field: annotationPath(key),
      message: `annotation ${shown(key)} is not allowed here: remove it (admission-forbidden-annotations)`,
    }))
}

/** Those that admission-required-annotations names and that are not there, or have no value. */
export function missingAnnotations(
  { meta }: Ingress,
  { settings: { requiredAnnotations }, prefix }: AnnotationRules,
): readonly RuleFault[] {
  if (requiredAnnotations.length === 0) return []
  const there = effectiveAnnotations(meta.annotations, prefix)
  return requiredAnnotations
    .map((name) => canonicalKey(name, prefix))
    .filter((key) => (there.get(key)?.value ?? "") === "")
    .map((key) => ({
      field: annotationsPath,
      message: `annotation ${shown(key)} is missing: add it, every Ingress here must have it (admission-required-annotations)`,
    }))
}

/** All annotations that break a rule, each once. */
export function forbiddenAnnotations(ingress: Ingress, rules: AnnotationRules): readonly KeyFault[] {
  const all = [
    ...unwantedAnnotations(ingress, rules),
    ...blockedWords(ingress, rules),
    ...riskyAnnotations(ingress, rules),
  ]
  return [...new Map(all.toReversed().map((fault) => [fault.key, fault])).values()].toReversed()
}

/** The Ingress without annotations that break a rule. Those that keep requests out stay: a rule never opens a path. */
export function withoutForbidden(ingress: Ingress, forbidden: readonly KeyFault[], prefix: string): Ingress {
  const gone = new Set(forbidden.map(({ key }) => key).filter((key) => !keepsOut(key, prefix)))
  const left = Object.entries(ingress.meta.annotations).filter(([key]) => !gone.has(key))
  return { ...ingress, meta: { ...ingress.meta, annotations: Object.fromEntries(left) } }
}

/** What an Ingress asks of the clients of a host holds for the paths of others, too. */
function keepsOut(key: string, prefix: string): boolean {
  return annotationByName.get(nameUnder(key, prefix) ?? "")?.place === "clients"
}
