import type { Entry, Family } from "../../../controller/core/annotations/entry.ts"
import type { SaidAnnotation } from "../../../controller/core/annotations/said.ts"
import { families } from "../../../controller/core/annotations/table.ts"
import { type AnnotationValues, unusable } from "../../../controller/core/annotations/values.ts"
import { flagTable, type Options } from "../../../controller/core/options/flag-table.ts"
import { keys } from "../../../controller/core/options/key-table.ts"
import type { Settings } from "../../../controller/core/options/settings.ts"
import { annotationPath, fieldPath } from "../../../controller/model/field-path.ts"
import { nameOf } from "../../../controller/model/objects/object.ts"
import type { Problem } from "../../../controller/model/problem.ts"
import type { ProblemCode } from "../../../controller/model/problems/catalogue.ts"
import { type Refusal, refusalAt } from "../refusals.ts"
import type { Evidence, Matcher, Subject } from "../subject.ts"
import { keyAt, nameIn, nameOfToday } from "../written.ts"

// The words in which differences say whom they concern. Names of annotations are without prefix. What an annotation or a key says is asked of the
// value that it was read as; a text is looked at only where it was refused.

/** What a value has to be: the value itself, or a question about it. */
type Wanted<T> = (T & (string | number | boolean)) | ((value: T) => boolean)

type ValueAt<Place extends keyof AnnotationValues, Field extends keyof AnnotationValues[Place]> = Exclude<
  NonNullable<AnnotationValues[Place][Field]>,
  typeof unusable
>

const none: readonly Evidence[] = []

/** Every one of them has to find something. */
export function both(...matchers: readonly Matcher[]): Matcher {
  return (subject) => {
    const found = matchers.map((matcher) => matcher(subject))
    return found.every(({ length }) => length > 0) ? found.flat() : none
  }
}

export function either(...matchers: readonly Matcher[]): Matcher {
  return (subject) => matchers.map((matcher) => matcher(subject)).find(({ length }) => length > 0) ?? none
}

/** Finds all that any of them does. */
export function anyOf(...matchers: readonly Matcher[]): Matcher {
  return (subject) => matchers.flatMap((matcher) => matcher(subject))
}

/** Has one of these annotations, whatever it says. What was refused says nothing. */
export function uses(...names: readonly string[]): Matcher {
  return (subject) =>
    names.flatMap((name) => {
      const said = subject.annotations.get(name)
      return said?.kind === "refused" || said?.kind === "unknown" ? [] : annotationOf(subject, said)
    })
}

/** The annotation that fills this field has such a value. */
export function says<
  Place extends keyof AnnotationValues,
  Field extends keyof AnnotationValues[Place] & string,
>(place: Place, field: Field, wanted: Wanted<ValueAt<Place, Field>>): Matcher {
  const { name } = (families[place] as Family)[field] as Entry
  return (subject) => {
    const value = subject.values[place][field]
    const isMeant = value !== undefined && value !== unusable && isWanted(value as never, wanted)
    return isMeant ? annotationOf(subject, subject.annotations.get(name)) : none
  }
}

/** One of these annotations is refused, and is written so. @param pattern of the text, blanks around it left out */
export function refusedText(pattern: RegExp, ...names: readonly string[]): Matcher {
  return (subject) =>
    names.flatMap((name) => {
      const said = subject.annotations.get(name)
      return said?.kind === "refused" && pattern.test(said.text.trim()) ? annotationOf(subject, said) : []
    })
}

/** wick takes the value of the annotation, which came to this in ingress-nginx. */
export function takenNow(name: string, before: Refusal): Matcher {
  return (subject) => {
    const said = subject.annotations.get(name)
    const isNew = said?.kind === "value" && refusalAt(said.key, subject.ingress) === before
    return isNew ? annotationOf(subject, said) : none
  }
}

/** As `takenNow`, of any annotation and whatever it came to. */
export const anyTakenNow: Matcher = (subject) =>
  [...subject.annotations.values()].flatMap((said) =>
    said.kind === "value" && refusalAt(said.key, subject.ingress) !== undefined
      ? annotationOf(subject, said)
      : [],
  )

/** Has none of these annotations. */
export function withoutAny(...names: readonly string[]): Matcher {
  return (subject) =>
    names.some((name) => subject.annotations.has(name))
      ? none
      : ingressItself(subject, "metadata.annotations")
}

/** The value of one of these annotations is refused or changed; of any, when none is named. @param args a pattern at the end: of the message */
export function refused(...args: readonly (string | RegExp)[]): Matcher {
  const names = args.filter((arg) => typeof arg === "string")
  const pattern = args.find((arg) => arg instanceof RegExp)
  return (subject) =>
    problemsWith(subject, isRefusal).filter(
      ({ field, problem }) =>
        (pattern === undefined || pattern.test(problem?.message ?? "")) &&
        (names.length === 0 || names.includes(nameAt(subject, field) ?? "")),
    )
}

/** As `refused`, of any annotation. */
export function refusedFor(pattern: RegExp): Matcher {
  return refused(pattern)
}

/** A pass would say so. @param name of the annotation that it is about */
export function problem(code: ProblemCode, name?: string): Matcher {
  return (subject) =>
    problemsWith(subject, (problem) => problem.code === code).filter(
      ({ field }) => name === undefined || nameAt(subject, field) === name,
    )
}

/** As `problem`, about an object of this kind. */
export function problemOf(kind: string, code: ProblemCode): Matcher {
  return (subject) => problem(code)(subject).filter(({ object }) => object.kind === kind)
}

export function problemText(code: ProblemCode, pattern: RegExp): Matcher {
  return (subject) => problemsWith(subject, (it) => it.code === code && pattern.test(it.message))
}

/** The protocol of its backends is one of these. */
export function isProtocol(...protocols: readonly ValueAt<"protocol", "protocol">[]): Matcher {
  return says("protocol", "protocol", (protocol) => protocols.includes(protocol))
}

/** The ConfigMap has one of these keys, and they are not empty. */
export function key(...names: readonly string[]): Matcher {
  return ({ around: { configMap } }) => {
    if (configMap === undefined) return none
    const found = Object.entries(configMap.data).filter(
      ([name, value]) => names.includes(name.toLowerCase()) && value.trim() !== "",
    )
    return found.map(([name]) => ({ object: nameOf(configMap), field: fieldPath("data", [name]) }))
  }
}

/** The ConfigMap has the key that fills this setting, and it is in force with such a value. */
export function keySays<Field extends keyof Settings>(
  field: Field,
  wanted: Wanted<NonNullable<Settings[Field]>>,
): Matcher {
  const names = keys.filter((it) => it.field === field).map(({ name }) => name)
  const isThere = key(...names)
  return (subject) => {
    const value = subject.around.settings[field]
    return value !== undefined && value !== null && isWanted(value, wanted) ? isThere(subject) : none
  }
}

function isWanted<T>(value: T, wanted: Wanted<T>): boolean {
  return typeof wanted === "function" ? wanted(value) : value === wanted
}

export function usesOrKey(name: string, keyName: string): Matcher {
  return either(uses(name), key(keyName))
}

/** A pass would say this of the ConfigMap, of any key. */
export function settingProblem(code: ProblemCode): Matcher {
  return ({ around }) => around.settingProblems.filter((problem) => problem.code === code).map(evidenceOf)
}

/** A pass would say this of the ConfigMap, in such words. */
export function settingSays(words: RegExp): Matcher {
  return ({ around }) => around.settingProblems.filter(({ message }) => words.test(message)).map(evidenceOf)
}

/** A pass would say one of these of one of these keys. */
function keyProblem(codes: readonly ProblemCode[], ...names: readonly string[]): Matcher {
  const fields = new Set(names.map((name) => fieldPath("data", [name])))
  return (subject) =>
    codes.flatMap((code) => settingProblem(code)(subject)).filter(({ field }) => fields.has(field))
}

/** The value of one of these keys is refused. */
export function settingRefused(...names: readonly string[]): Matcher {
  return keyProblem(["value-refused"], ...names)
}

/** The controller has a flag with another value than its default. @param option of the flag */
export function flag<Name extends keyof typeof flagTable>(name: Name, option: keyof Options): Matcher {
  const { initial } = flagTable[name]
  const object = { kind: "Controller", namespace: "", name: `--${name}` }
  return ({ around: { options } }) => (options[option] === initial ? none : [{ object, field: "" }])
}

export function evidenceOf(problem: Problem): Evidence {
  return { object: problem.object, field: problem.field, problem }
}

/** The Ingress as a whole. */
export function ingressItself({ ingress }: Subject, field = ""): readonly Evidence[] {
  return [{ object: nameOf(ingress), field }]
}

function annotationOf({ ingress }: Subject, said: SaidAnnotation | undefined): readonly Evidence[] {
  return said === undefined ? none : [{ object: nameOf(ingress), field: annotationPath(said.key) }]
}

/** By the name of today, of an annotation that may be empty. */
function nameAt({ ingress }: Subject, field: string): string | undefined {
  const key = keyAt(field, ingress)
  return key === undefined ? undefined : nameOfToday(nameIn(key))
}

function isRefusal({ code }: Problem): boolean {
  return code === "annotation-refused" || code === "annotation-changed"
}

function problemsWith({ problems }: Subject, isMeant: (problem: Problem) => boolean): readonly Evidence[] {
  return problems.filter(isMeant).map(evidenceOf)
}
