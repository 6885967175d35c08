import type { RuleSetPart } from "../model/rule-set.ts"
import type { PostedWaf } from "../output/control/posted.ts"
import type { HostInForce } from "./in-force.ts"
import { type RulesNote, shortId } from "./notes.ts"

/** What looks at the requests of a route, and what it does with what it finds. */
export interface Firewall {
  readonly owner: string
  /** SHA-256 of the rules */
  readonly rules: string
  /** what `SecRuleEngine` says; absent: nothing does, so no rule looks at anything, or it is not known */
  readonly engine?: "on" | "detection only" | "off"
  /** of the OWASP Core Rule Set; absent: it is not there */
  readonly coreRules?: string
  /** directives of users and of the operator */
  readonly own: number
  /** the file of the rules is not there */
  readonly isUnknown?: true
}

/** @param parts undefined: the rule set cannot be read */
export function firewallOf({ owner, rules }: PostedWaf, parts: readonly RuleSetPart[] | undefined): Firewall {
  if (parts === undefined) return { owner, rules, own: 0, isUnknown: true }
  const engine = parts.map(engineIn).find((one) => one !== undefined)
  const coreRules = parts.map(coreRulesIn).find((one) => one !== undefined)
  // The first and the last part are wick's own settings.
  const own = parts
    .slice(1, -1)
    .reduce((sum, part) => sum + ("text" in part ? statementsIn(part.text) : 0), 0)
  return { owner, rules, ...(engine && { engine }), ...(coreRules && { coreRules }), own }
}

/** The first part that says it counts; the recommended rules only report. */
function engineIn(part: RuleSetPart): Firewall["engine"] {
  if ("file" in part) return part.file.endsWith("/recommended.conf") ? "detection only" : undefined
  const [, word] = /^SecRuleEngine "?(on|off|detectiononly)"?$/im.exec(part.text) ?? []
  if (word === undefined) return undefined
  const engines = { on: "on", off: "off", detectiononly: "detection only" } as const
  return engines[word.toLowerCase() as keyof typeof engines]
}

function coreRulesIn(part: RuleSetPart): string | undefined {
  return "file" in part ? /\/crs-([\d.]+)\//.exec(part.file)?.[1] : undefined
}

function statementsIn(text: string): number {
  return text.split("\n").filter((line) => line !== "").length
}

const effects = {
  on: "on: what rules deny is refused",
  "detection only": "only reports (SecRuleEngine DetectionOnly)",
  off: "off (SecRuleEngine Off)",
} as const

export function firewallNotes({ rules, engine, coreRules, own, isUnknown }: Firewall): string[] {
  if (isUnknown) return [`rules ${shortId(rules)} are not on this machine`]
  return [
    engine === undefined ? "off: no rules say SecRuleEngine" : effects[engine],
    ...(coreRules === undefined ? [] : [`OWASP Core Rule Set ${coreRules}`]),
    ...(own === 0 ? [] : [`${own} own ${own === 1 ? "directive" : "directives"}`]),
    `rules ${shortId(rules)}`,
  ]
}

/** Says of the rules of routes in a line what `firewallNotes` has in several. @param ruleSet as in `Sources` */
export async function rulesNoteFor(
  hosts: readonly Pick<HostInForce, "routes">[],
  ruleSet: (digest: string) => Promise<readonly RuleSetPart[] | undefined>,
): Promise<RulesNote> {
  const named = hosts.flatMap(({ routes }) => routes.flatMap(({ waf }) => waf ?? []))
  const notes = new Map<string, string>()
  for (const waf of named)
    if (!notes.has(waf.rules))
      notes.set(waf.rules, firewallNotes(firewallOf(waf, await ruleSet(waf.rules))).join(", "))
  return ({ rules }) => `ModSecurity ${notes.get(rules)}`
}
