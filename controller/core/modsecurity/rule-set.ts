import type { RuleSetPart } from "../../model/rule-set.ts"
import { maxPcreMatches, maxRequestBytes, maxResponseBytes } from "./directives.ts"
import { type KnownFile, type Piece, readRules } from "./read-rules.ts"
import { printed, statementAt } from "./statement.ts"

// From what an Ingress and the ConfigMap say to the parts of one rule set. Of settings the first part that says one counts: what an Ingress says
// comes before what holds for all.

/** A part, and where it comes from. */
export interface NamedRules<Part = RuleSetPart> {
  readonly part: Part
  /** for people: where a line of the part stands, or without one the part */
  readonly placeOf: (line?: number) => string
}

/** Before it is known where the files of the installation are. */
export type SaidRules = NamedRules<{ readonly text: string } | { readonly known: KnownFile }>

/** What an Ingress says. */
export interface Said {
  /** its snippet */
  readonly own: readonly SaidRules[]
  /** of its ConfigMap */
  readonly more: readonly SaidRules[]
  readonly wantsCoreRules: boolean
}

/** What holds for all. */
export interface RuleSettings {
  readonly enablesModsecurity: boolean | null
  readonly hasCoreRules: boolean | null
  readonly modsecuritySnippet: string | null
  readonly crsVersion: string
  readonly modsecurityAuditLog: string
}

/** @param source what people call the text */
export function partsOf(pieces: readonly Piece[], source: string): readonly SaidRules[] {
  return pieces.map((piece) => {
    if ("file" in piece) return { part: { known: piece.file }, placeOf: () => source }
    const { statements } = piece
    const placeOf = (line?: number) => {
      const statement = line === undefined ? undefined : statementAt(statements, line)
      return statement === undefined ? source : `${source}, line ${statement.line}`
    }
    return { part: { text: printed(statements) }, placeOf }
  })
}

/**
 * The rule set of one Ingress on which rules look at requests.
 *
 * @param ofAll as `rulesOfAll`
 * @param folder of the files that the installation has
 */
export function setOf(
  { own, more, wantsCoreRules }: Said,
  ofAll: readonly SaidRules[],
  settings: RuleSettings,
  folder: string,
): readonly NamedRules[] {
  const isGlobal = settings.enablesModsecurity === true
  const hasGlobalCore = isGlobal && settings.hasCoreRules === true
  const files: readonly SaidRules[] = [
    ...(isGlobal || own.length > 0 ? [] : [recommended]),
    ...(wantsCoreRules && !hasGlobalCore ? [core] : []),
  ]
  const all = [fixedFirst(settings.modsecurityAuditLog), ...own, ...more, ...files, ...ofAll, fixedLast]
  return distinctFiles(all)
    .flatMap(withScores)
    .map(({ part, placeOf }) => ({
      part: "known" in part ? fileOf(part.known, settings, folder) : part,
      placeOf,
    }))
}

/** Of the range that nobody has reserved. */
const firstOwnId = 22_300_001

const recommended: SaidRules = { part: { known: "recommended" }, placeOf: () => "the recommended rules" }
const core: SaidRules = { part: { known: "crs" }, placeOf: () => "the Core Rule Set" }

/** What the ConfigMap has look at all requests; none where it does not. */
export function rulesOfAll({
  enablesModsecurity,
  modsecuritySnippet,
  hasCoreRules,
}: RuleSettings): readonly SaidRules[] {
  if (enablesModsecurity !== true) return []
  const read = readRules(modsecuritySnippet ?? "")
  const pieces = read.kind === "rules" ? read.pieces : []
  const said = pieces.length === 0 ? [recommended] : partsOf(pieces, 'ConfigMap key "modsecurity-snippet"')
  return [...said, ...(hasCoreRules === true ? [core] : [])]
}

/** Rules that are there twice are a mistake for libmodsecurity. */
function distinctFiles(all: readonly SaidRules[]): readonly SaidRules[] {
  const seen = new Set<KnownFile>()
  return all.filter(({ part }) => {
    if (!("known" in part)) return true
    const isNew = !seen.has(part.known)
    seen.add(part.known)
    return isNew
  })
}

/**
 * Of a request that ends before the Core Rule Set has begun, its rule 980099 adds numbers to what is none, and each time libmodsecurity (3.0.9 to 3.0.16)
 * loses memory: half a kilobyte for each request that a user's rule denies in phase 1.
 *
 * @see https://github.com/owasp-modsecurity/ModSecurity/pull/3635
 */
const scores: SaidRules = {
  part: {
    text: ["blocking", "detection"]
      .map((kind, nth) => {
        const name = `tx.${kind}_inbound_anomaly_score`
        const actions = `id:${firstOwnId + nth},phase:5,pass,t:none,nolog,noauditlog,setvar:'${name}=0'`
        return `SecRule &${name.toUpperCase().replace(".", ":")} "@eq 0" "${actions}"\n\n`
      })
      .join(""),
  },
  placeOf: () => "wick's own rules",
}

function withScores(rules: SaidRules): readonly SaidRules[] {
  return "known" in rules.part && rules.part.known === "crs" ? [scores, rules] : [rules]
}

function fileOf(known: KnownFile, { crsVersion }: RuleSettings, folder: string): RuleSetPart {
  return {
    file:
      known === "crs" ? `${folder}/crs-${crsVersion}/nginx-modsecurity.conf` : `${folder}/recommended.conf`,
  }
}

/** Where logs are is nothing that users say: `directives.ts` refuses it. A list of all files would have no end. */
function fixedFirst(folder: string): SaidRules {
  const lines =
    folder === ""
      ? ["SecAuditEngine Off"]
      : [
          "SecAuditLogType Parallel",
          "SecAuditLog /dev/null",
          `SecAuditLogStorageDir ${folder}`,
          "SecAuditLogDirMode 0750",
          "SecAuditLogFileMode 0640",
        ]
  return {
    part: { text: lines.map((line) => `${line}\n\n`).join("") },
    placeOf: () => "wick's own settings",
  }
}

/** Nobody's pattern or body may take a worker for itself, where nobody says how much it may take. */
const fixedLast: SaidRules = {
  part: {
    text: [
      `SecPcreMatchLimit ${maxPcreMatches}`,
      `SecPcreMatchLimitRecursion ${maxPcreMatches}`,
      `SecRequestBodyLimit ${maxRequestBytes}`,
      "SecRequestBodyLimitAction Reject",
      `SecResponseBodyLimit ${maxResponseBytes}`,
      "SecResponseBodyLimitAction ProcessPartial",
    ]
      .map((line) => `${line}\n\n`)
      .join(""),
  },
  placeOf: () => "wick's own settings",
}
