import { removedNames } from "../core/annotations/removed.ts"
import { missingAnnotations, riskyAnnotations, unwantedAnnotations } from "../core/annotations/rules.ts"
import { foreignHosts } from "../core/annotations/wanted-hosts.ts"
import type { ReadCandidate } from "../core/ingress/candidate.ts"
import { defaultBackendField } from "../core/ingress/read/read-rules.ts"
import type { Settings } from "../core/options/settings.ts"
import type { TranslateOptions } from "../core/options/translation.ts"
import { annotationPath, isOfAnnotations } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { refusedValues, sizeFaults } from "./annotation-rules.ts"
import type { Candidate } from "./candidate.ts"
import { inspect } from "./deep-inspection.ts"
import type { Finding } from "./finding.ts"
import { overlap } from "./overlap.ts"
import type { PathOwners } from "./path-owners.ts"
import { pathTypeFaults } from "./path-types.ts"
import { sortProblems } from "./problems.ts"
import { saysSame, standing } from "./standing.ts"

// In comes an Ingress that is not there yet, out goes whether it may be, and why not. Pure: it knows no clock, no file, no server.

/** What an Ingress is held against. */
export interface Surroundings {
  /** by class and namespace */
  readonly isOurs: (ingress: Ingress) => boolean
  /** all that are ours */
  readonly owners: PathOwners
  readonly settings: Settings
  readonly options: TranslateOptions
  /** of `settings` and `options` */
  readonly problemsOf: ReadCandidate
  /** `--deep-inspect` */
  readonly inspects: boolean
  /** what of an Ingress is served differently from ingress-nginx */
  readonly differencesOf: (ingress: Ingress) => readonly Finding[]
}

export interface Verdict {
  /** why not; none: let it in */
  readonly refusals: readonly Finding[]
  readonly warnings: readonly Finding[]
  /** it was held against everything, and not only found to be none of ours */
  readonly isFull: boolean
  /** refused only for what its annotations say or for its paths: those are counted (ingress-nginx) */
  readonly isCounted: boolean
}

const nothingToSay: Verdict = { refusals: [], warnings: [], isFull: false, isCounted: false }

/**
 * An Ingress that is being deleted is served until its finalizers have gone, so it may not become another one in the meantime.
 *
 * @param old what it replaces. What was in force and wrong before, and is the same, is a warning: an Ingress that is there can be edited
 */
export function check(candidate: Candidate, old: Candidate | undefined, around: Surroundings): Verdict {
  if (candidate.isDeleting && old !== undefined && saysSame(candidate.ingress, old.ingress))
    return nothingToSay
  const found = judge(candidate.ingress, around)
  const stood = stoodBefore(candidate, found, old, around)
  const warnings = [...found.refusals.filter(stood), ...found.warnings]
  const refusals = found.refusals.filter((finding) => !stood(finding))
  const isServed = found.isFull && refusals.length === 0
  const differing = isServed ? differences(candidate, old, around).filter(isNews(warnings)) : []
  return { ...found, refusals, warnings: [...warnings, ...differing] }
}

/** What was not in force has no standing: an Ingress that comes to this controller's class is as new as any. */
function stoodBefore(
  { ingress }: Candidate,
  { refusals }: Verdict,
  old: Candidate | undefined,
  around: Surroundings,
): (finding: Finding) => boolean {
  if (old === undefined || refusals.length === 0) return () => false
  if (around.isOurs(ingress) && !around.isOurs(old.ingress)) return () => false
  return standing(ingress, { ingress: old.ingress, refusals: judge(old.ingress, around).refusals })
}

/** Of an update those that it brings: nobody wants to be told with every label. */
function differences(
  { ingress }: Candidate,
  old: Candidate | undefined,
  { differencesOf }: Surroundings,
): readonly Finding[] {
  const before = new Set(old === undefined ? [] : differencesOf(old.ingress).map(({ message }) => message))
  return differencesOf(ingress).filter(({ message }) => !before.has(message))
}

/** In the order of ingress-nginx, but that everything is said at once. */
function judge(ingress: Ingress, around: Surroundings): Verdict {
  const { settings, options, inspects } = around
  const tooLarge = sizeFaults(ingress)
  if (tooLarge.length > 0) return { refusals: tooLarge, warnings: [], isFull: false, isCounted: false }
  const inspected = inspects ? inspect(ingress) : []
  const pathTypes = pathTypeFaults(ingress)
  const known = [...deprecations(ingress, options.annotationsPrefix), ...pathTypes]
  if (!around.isOurs(ingress))
    return { refusals: inspected, warnings: known, isFull: false, isCounted: false }
  const rules = { settings, prefix: options.annotationsPrefix }
  const early = [
    ...inspected,
    ...catchAll(ingress, options),
    ...badUid(ingress),
    ...(settings.checksPathTypes ? pathTypes : []),
    ...refusedValues(ingress, rules),
    ...missingAnnotations(ingress, rules),
    ...unwantedAnnotations(ingress, rules),
    ...foreignHosts(ingress, settings.hostRules, options.annotationsPrefix),
  ]
  const read = sortProblems(around.problemsOf(ingress))
  const paths = overlap(ingress, around.owners, options.annotationsPrefix, settings)
  const late = [...riskyAnnotations(ingress, rules), ...read.refusals, ...paths.refusals]
  const refusals = distinctFields([...early, ...late])
  const warnings = [
    ...known.filter((finding) => !refusals.includes(finding)),
    ...paths.warnings,
    ...read.warnings.filter(isNews(known, refusals)),
  ]
  return { refusals, warnings, isFull: true, isCounted: early.length === 0 && late.length > 0 }
}

function catchAll({ defaultBackend }: Ingress, { disableCatchAll }: TranslateOptions): readonly Finding[] {
  if (!disableCatchAll || defaultBackend === undefined) return []
  const message =
    "remove it, or unset --disable-catch-all: this controller takes no Ingress with a default backend"
  return [{ field: defaultBackendField, message }]
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An API server gives every object one: a sender of another is none. */
function badUid({ meta }: Ingress): readonly Finding[] {
  return uuid.test(meta.uid) ? [] : [{ field: "metadata.uid", message: "ingress has invalid UID" }]
}

/** Source: ingress-nginx, CheckWarning. */
const deprecated = [
  "enable-influxdb",
  "influxdb-measurement",
  "influxdb-port",
  "influxdb-host",
  "influxdb-server-name",
  "secure-verify-ca-secret",
]

function deprecations({ meta }: Ingress, prefix: string): readonly Finding[] {
  const spellings = deprecated.flatMap((name) => [
    { key: `${prefix}/${name}`, name },
    { key: name, name },
  ])
  return spellings
    .filter(({ key }) => Object.hasOwn(meta.annotations, key))
    .map(({ key, name }) => {
      const hint = removedNames.get(name)
      const rest = hint === undefined ? "" : `: ${hint}`
      return { field: annotationPath(key), message: `annotation ${key} is deprecated${rest}` }
    })
}

/** One sentence for each annotation: the first check that has one to say. */
function distinctFields(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ field }) => {
    const isFirst = !seen.has(field)
    seen.add(field)
    return isFirst || !isOfAnnotations(field)
  })
}

/** Of what was said of an annotation already nothing more is said. */
function isNews(...said: readonly (readonly Finding[])[]): (finding: Finding) => boolean {
  const fields = new Set(said.flat().map(({ field }) => field))
  return ({ field }) => !isOfAnnotations(field) || !fields.has(field)
}
