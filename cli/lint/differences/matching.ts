import { flagTable, type Options } from "../../../controller/core/options/flag-table.ts"
import { annotationPath, fieldPath } from "../../../controller/model/field-path.ts"
import type { Problem } from "../../../controller/model/problem.ts"
import type { ProblemCode } from "../../../controller/model/problems/catalogue.ts"
import { type Evidence, type Matcher, nameOf, type Subject } from "../subject.ts"
import { nameOfToday, writtenAt } from "../written.ts"

// The words in which differences say whom they concern. Names of annotations are without prefix.

type NamesAndPattern = readonly [...names: string[], pattern: RegExp]

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

/** Has one of these annotations. */
export function uses(...names: readonly string[]): Matcher {
  return says(...names, /^/)
}

/** Has one of these annotations with such a value. Blanks around it do not count. */
export function says(...args: NamesAndPattern): Matcher {
  const [names, pattern] = split(args)
  return (subject) =>
    names.flatMap((name) => {
      const written = subject.annotations.get(name)
      return written !== undefined && pattern.test(written.value.trim())
        ? annotationOf(subject, written.key)
        : []
    })
}

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

/** The protocol of its backends. */
export function isProtocol(pattern: RegExp): Matcher {
  return says("backend-protocol", pattern)
}

/** The ConfigMap has one of these keys. */
export function key(...names: readonly string[]): Matcher {
  return keySays(...names, /./s)
}

export function keySays(...args: NamesAndPattern): Matcher {
  const [names, pattern] = split(args)
  return ({ around: { configMap } }) => {
    if (configMap === undefined) return none
    const found = Object.entries(configMap.data).filter(
      ([name, value]) => names.includes(name.toLowerCase()) && pattern.test(value.trim()),
    )
    return found.map(([name]) => ({ object: nameOf(configMap), field: fieldPath("data", [name]) }))
  }
}

/** The annotation, or the key of the same name. */
export function saysOrKey(name: string, pattern: RegExp): Matcher {
  return either(says(name, pattern), keySays(name, pattern))
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

/** The value of one of these keys is refused. */
export function settingRefused(...names: readonly string[]): Matcher {
  const fields = new Set(names.map((name) => fieldPath("data", [name])))
  return (subject) => settingProblem("value-refused")(subject).filter(({ field }) => fields.has(field))
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

function split(args: NamesAndPattern): readonly [readonly string[], RegExp] {
  return [args.slice(0, -1) as string[], args.at(-1) as RegExp]
}

function annotationOf({ ingress }: Subject, key: string): readonly Evidence[] {
  return [{ object: nameOf(ingress), field: annotationPath(key) }]
}

/** By the name of today, of an annotation that may be empty. */
function nameAt({ ingress }: Subject, field: string): string | undefined {
  const written = writtenAt(field, ingress)?.name
  return written === undefined ? undefined : nameOfToday(written)
}

function isRefusal({ code }: Problem): boolean {
  return code === "annotation-refused" || code === "annotation-changed"
}

function problemsWith({ problems }: Subject, isMeant: (problem: Problem) => boolean): readonly Evidence[] {
  return problems.filter(isMeant).map(evidenceOf)
}
