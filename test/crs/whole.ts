// `npm run test:crs [wick|stock] [VERSION]`: all regression tests of the OWASP Core Rule Set, through wick's module and through a stock nginx with Debian's
// connector, which has the same library. Prints what did not pass; ends with an error if nobody has explained that, or if the two decide differently.

import { blockingRules, detectingRules } from "../../harness/crs/rules.ts"
import { type StartSubject, subjects } from "../../harness/crs/subjects.ts"
import type { RulePart } from "../../harness/ingress/waf.ts"
import { type CoreRuleSet, coreRuleSets, coreRuleTests } from "../../harness/modsecurity.ts"
import { type Case, casesIn } from "./support/cases.ts"
import { surprises } from "./support/known.ts"
import { Reflector } from "./support/reflector.ts"
import { type Outcome, run } from "./support/run.ts"

const words = process.argv.slice(2)
const wantedOf = <T extends string>(all: readonly T[]) => {
  const named = all.filter((one) => words.includes(one))
  return named.length === 0 ? all : named
}
const names = wantedOf(Object.keys(subjects) as (keyof typeof subjects)[])
const say = (line: string) => process.stdout.write(`${line}\n`)
await using backend = await Reflector.start()

for (const version of wantedOf(coreRuleSets)) {
  const cases = casesIn(coreRuleTests(version))
  const blocked = new Map<string, string[]>()
  for (const name of names) {
    tell(version, name, await outcomesOf(subjects[name], detectingRules(version), cases))
    blocked.set(name, namesOf(await outcomesOf(subjects[name], blockingRules(version), cases)))
    say(`CRS ${version}, ${name}: ${blocked.get(name)?.length} blocked at paranoia level 1`)
  }
  compare(version, [...blocked.values()])
}

async function outcomesOf(
  start: StartSubject,
  rules: readonly RulePart[],
  cases: readonly Case[],
): Promise<Outcome[]> {
  await using subject = await start(rules, backend.port)
  return await run(subject.nginx, cases)
}

function tell(version: CoreRuleSet, name: string, outcomes: readonly Outcome[]): void {
  const failed = outcomes.filter(({ faults }) => faults.length > 0)
  const unexplained = surprises(outcomes)
  for (const line of unexplained) say(line)
  say(`CRS ${version}, ${name}: ${outcomes.length - failed.length} of ${outcomes.length} pass`)
  if (unexplained.length > 0) process.exitCode = 1
}

/** The tests of which one request at least was refused with 403. */
function namesOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter(({ statuses }) => statuses.includes(403)).map(({ name }) => name)
}

function compare(version: CoreRuleSet, [one = [], other]: readonly (readonly string[])[]): void {
  const differing = other === undefined ? [] : [...new Set(one).symmetricDifference(new Set(other))]
  for (const name of differing) say(`CRS ${version}: ${name} is not blocked by both`)
  if (differing.length > 0) process.exitCode = 1
}
