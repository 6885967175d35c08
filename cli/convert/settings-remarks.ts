import { emptyAnnotations } from "../../controller/core/annotations/canonical.ts"
import { annotationByName } from "../../controller/core/annotations/table.ts"
import { unusable, valueIn } from "../../controller/core/annotations/values.ts"
import { annotationPath, fieldPath } from "../../controller/model/field-path.ts"
import type { ProblemCode } from "../../controller/model/problems/catalogue.ts"
import { directiveNamesIn } from "../lint/differences/snippet-directives.ts"
import { filtersIn } from "../lint/snippet-hints.ts"
import type { Subject } from "../lint/subject.ts"
import { type Remark, remarksOfIngress } from "./conversion.ts"
import { reasonFor } from "./equivalents.ts"
import { at } from "./filters.ts"

/** Annotations of the controller that come to nothing; those of others are theirs. @param isConcerned by its name, whether one may */
export function annotationRemarks(
  subject: Subject,
  isConcerned: (name: string) => boolean,
  remarks: Remark[],
): void {
  const { add } = remarksOfIngress(subject, remarks)
  for (const { name, field, what } of emptyGuards(subject)) if (isConcerned(name)) add("open", field, what)
  for (const name of [...subject.annotations.keys()].filter(isConcerned)) {
    const reason = reasonFor(name)
    const guard = subject.problems.find((it) => guardCodes.has(it.code) && it.field === at(subject, name))
    if (guard !== undefined) add("open", guard.field, guard.message)
    else if (reason !== undefined && !saysNothing(subject, name))
      add(reason.kind, at(subject, name), `${reason.what}${filtersOf(subject, name)}`)
    for (const { code, field, message } of subject.problems)
      if (reason === undefined && unusableCodes.has(code) && field === at(subject, name))
        add("left-out", field, message)
  }
}

/** Lists that name nobody: they count as absent where others are looked up by name, and keep everybody out. */
function emptyGuards({ ingress, problems, around: { options } }: Subject) {
  const prefix = options.annotationsPrefix
  const refused = new Set(
    problems.flatMap(({ code, field }) => (code === "annotation-refused" ? [field] : [])),
  )
  return emptyAnnotations(ingress.meta, prefix).flatMap(({ name, key }) => {
    const reason = reasonFor(name)
    const field = annotationPath(key)
    return reason?.kind === "open" && refused.has(field) ? [{ name, field, what: reason.what }] : []
  })
}

/** What of a snippet is a filter. */
function filtersOf({ values: { snippets } }: Subject, name: string): string {
  const text = { "configuration-snippet": snippets.ofPaths, "server-snippet": snippets.ofHosts }[name]
  const filters = typeof text === "string" ? filtersIn(directiveNamesIn(text)) : []
  return filters.length === 0 ? "" : `. Here that is ${filters.join(", ")}`
}

/** What may keep requests out, and is neither in force in wick nor can be elsewhere. */
const guardCodes: ReadonlySet<ProblemCode> = new Set([
  "annotation-guard-closes",
  "key-guard-closes",
  "guard-ignored",
])

/** What of a value cannot be used, and names that nobody knows. */
const unusableCodes: ReadonlySet<ProblemCode> = new Set([
  "annotation-refused",
  "annotation-changed",
  "annotation-unknown",
])

/** What an Ingress has anyway asks for nothing, and neither does what needs another annotation that is not there. */
function saysNothing(subject: Subject, name: string): boolean {
  const { annotations } = subject
  const { access, clients } = subject.values
  const needed = annotationByName.get(name)?.needs
  if (needed !== undefined && !annotations.has(needed)) return true
  if (name.startsWith("auth-tls-") && clients.verify === "off") return true
  if (name.startsWith("enable-")) return name === "enable-global-auth" || isOff(subject, name)
  if (name === "allowlist-source-range")
    return access.allow !== unusable && access.allow?.ranges.includes("0.0.0.0/0") === true
  return name === "satisfy" && access.satisfy === "all"
}

function isOff({ values }: Subject, name: string): boolean {
  const entry = annotationByName.get(name)
  return entry !== undefined && valueIn(values, entry) === false
}

/** Settings of all hosts, none of which has an equivalent. */
export function configMapRemarks({ configMap, settingProblems }: Subject["around"]): readonly Remark[] {
  if (configMap === undefined) return []
  const guarding = new Set(
    settingProblems.flatMap(({ code, field }) => (guardCodes.has(code) ? [field] : [])),
  )
  const { namespace, name } = configMap.meta
  const keys = Object.keys(configMap.data).filter((key) => !read.has(key))
  return keys.map((key) => ({
    kind: guards.has(key) || guarding.has(fieldPath("data", [key])) ? "open" : "left-out",
    object: { kind: "ConfigMap", namespace, name },
    field: fieldPath("data", [key]),
    what: "Settings of all hosts are up to the implementation",
  }))
}

/** Keys that keep requests away from every host, whatever they say. */
const guards: ReadonlySet<string> = new Set([
  ...["global-auth-url", "whitelist-source-range", "denylist-source-range"],
  ...["block-cidrs", "block-user-agents", "block-referers"],
])

/** Keys that routes depend on. */
const read = new Set(["ssl-redirect", "force-ssl-redirect", "http-redirect-code"])
