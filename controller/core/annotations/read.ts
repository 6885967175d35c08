import { annotationPath } from "../../model/field-path.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import { nearest } from "../../support/nearest.ts"
import { compareText } from "../../support/order.ts"
import { ownPrefix } from "../options/conflicts.ts"
import { gate, type Need } from "./parse.ts"
import { removedNames } from "./removed.ts"
import { type Annotation, annotationByName, configMapKeys, families, knownNames, ownNames } from "./table.ts"
import { type AnnotationValues, unusable } from "./values.ts"

// In comes an Ingress, out go typed values and the Problems of those annotations that are unknown, without effect or refused. Nothing is
// known here of routes, backends, locations or nginx: an entry of the table says which field takes a value.

export interface AnnotationReading {
  readonly values: AnnotationValues
  readonly problems: readonly Problem[]
}

type Draft = { -readonly [P in keyof AnnotationValues]: Record<string, unknown> }

/** Where an annotation stands: its key in the Ingress, cut at the first slash. */
interface Place {
  readonly key: string
  readonly prefix: string
  readonly name: string
  readonly isOwn: boolean
}

/** Something that is wrong with the annotation `key`. */
interface Finding {
  readonly key: string
  readonly code: ProblemCode
  readonly message: string
}

/** An annotation that was taken, and what else has to be there. */
interface Taken {
  readonly key: string
  readonly name: string
  readonly need: Need
}

/** The annotations of one Ingress while they are read. */
interface Reading {
  readonly all: Readonly<Record<string, string>>
  readonly draft: Draft
  readonly needs: Taken[]
}

/**
 * Reads the annotations of `ingress` under `prefix` and our own; those of other tools are passed over. Problems are in order of the keys.
 */
export function readAnnotations(ingress: Ingress, prefix: string): AnnotationReading {
  const { annotations: all } = ingress.meta
  const draft = emptyDraft()
  const reading: Reading = { all, draft, needs: [] }
  const findings = Object.keys(all)
    .sort()
    .map(placeOf)
    .filter((place) => place.isOwn || place.prefix === prefix)
    .flatMap((place) => readOne(reading, place) ?? [])
  findings.push(...reading.needs.flatMap((taken) => unmet(taken, draft) ?? []))
  findings.sort((a, b) => compareText(a.key, b.key))
  // the types of the values are those of the parsers (entry.ts), which the loop over all entries cannot express
  const values = draft as AnnotationValues
  return { values, problems: findings.map((found) => problem(ingress, found)) }
}

function emptyDraft(): Draft {
  return Object.fromEntries(Object.keys(families).map((place) => [place, {}])) as Draft
}

function placeOf(key: string): Place {
  const slash = key.indexOf("/")
  const prefix = key.slice(0, Math.max(slash, 0))
  return { key, prefix, name: key.slice(slash + 1), isOwn: prefix === ownPrefix }
}

function readOne(reading: Reading, place: Place): Finding | undefined {
  const entry = annotationByName.get(place.name)
  if (entry === undefined || (entry.isOwn ?? false) !== place.isOwn) return unread(place)
  const isAlias = place.name !== entry.name
  if (isAlias && writtenAs(entry.name, reading, place) !== "") return overridden(entry, place)
  const isEmpty = reading.all[place.key] === ""
  const aliases = isEmpty && !isAlias ? (entry.aliases ?? []) : []
  if (aliases.some((alias) => writtenAs(alias, reading, place) !== "")) return undefined
  return readValue(reading, entry, place)
}

/** @returns "" when it is not there: an older name counts where the one of today is empty (behaviour of ingress-nginx) */
function writtenAs(name: string, { all }: Reading, { prefix }: Place): string {
  return all[`${prefix}/${name}`] ?? ""
}

function readValue({ all, draft, needs }: Reading, entry: Annotation, { key }: Place): Finding | undefined {
  const { name } = entry
  const written = all[key] ?? ""
  const text = entry.takesLines ? written.replaceAll(/\r?\n/g, " ") : written
  const parsed = gate<unknown>(entry.parse, entry.keepsLines)(text)
  // nothing is not too little: most empty values are as if they were not there (behaviour of ingress-nginx)
  const isAbsent = text === "" && entry.refusesEmpty === undefined
  const whenRefused = isAbsent ? undefined : entry.whenRefused
  const value = parsed.kind === "value" ? parsed.value : whenRefused && unusable
  if (value !== undefined) draft[entry.place][entry.field] = value
  if (value !== undefined && entry.needs !== undefined) {
    needs.push({ key, name, need: { name: entry.needs, otherwise: "it has no effect" } })
  }
  if (isAbsent) return absent(key, name)
  if (parsed.kind === "refused") {
    const message = `Cannot use ${shown(text)} for annotation "${name}": ${parsed.reason}; ${whenRefused ?? "its default applies"}`
    return { key, code: "annotation-refused", message }
  }
  if (parsed.needs !== undefined) needs.push({ key, name, need: parsed.needs })
  if (parsed.remark === undefined) return undefined
  const message = `Cannot use ${shown(text)} for annotation "${name}" as it is: ${parsed.remark}`
  return { key, code: "annotation-changed", message }
}

function absent(key: string, name: string): Finding {
  return { key, code: "annotation-empty", message: `Annotation "${name}" is empty: it counts as absent` }
}

function unmet({ key, name, need }: Taken, draft: Draft): Finding | undefined {
  const needed = annotationByName.get(need.name)
  if (needed !== undefined && (draft[needed.place][needed.field] ?? false) !== false) return undefined
  const message = `Annotation "${name}" needs annotation "${need.name}": ${need.otherwise}`
  return { key, code: "annotation-idle", message }
}

function unread({ key, name, isOwn }: Place): Finding {
  const message = `Annotation ${shown(name)} is unknown: ${hintFor(name, isOwn)}`
  return { key, code: "annotation-unknown", message }
}

function hintFor(name: string, isOwn: boolean): string {
  const elsewhere = annotationByName.get(name)
  if (elsewhere !== undefined) {
    return elsewhere.isOwn ? `write it as "${ownPrefix}/${name}"` : "its prefix is that of ingress-nginx"
  }
  const today = isOwn ? undefined : removedNames.get(name)
  if (today !== undefined) return today
  if (configMapKeys.has(name)) return "it is a key of the ConfigMap and holds for all Ingresses"
  const known = nearest(name, isOwn ? ownNames : knownNames)
  return known === undefined ? "no known name is like it" : `did you mean "${known}"`
}

function overridden(entry: Annotation, { key, name }: Place): Finding {
  const message = `Annotation "${name}" has no effect: the same Ingress has "${entry.name}", the name of today`
  return { key, code: "annotation-overridden", message }
}

function problem(ingress: Ingress, { key, code, message }: Finding): Problem {
  const { namespace, name } = ingress.meta
  const field = annotationPath(key)
  return { object: { kind: "Ingress", namespace, name }, field, code, message }
}
