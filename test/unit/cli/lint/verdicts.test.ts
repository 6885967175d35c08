// Every verdict is held against what both do: what ingress-nginx was recorded to make of an Ingress, and what wick's own translation makes of it.
import { describe, expect, test } from "vitest"
import { sections } from "../../../../cli/lint/differences/sections.ts"
import { accessCases } from "../../../support/verdicts/access.ts"
import { backendCases } from "../../../support/verdicts/backends.ts"
import { routingCases } from "../../../support/verdicts/routing.ts"
import { settingsCases } from "../../../support/verdicts/settings.ts"
import { type CasesOfRules, type Given, judged, trueVerdicts } from "../../../support/verdicts/verdict.ts"

const all: CasesOfRules = { ...routingCases, ...backendCases, ...accessCases, ...settingsCases }

const told = Object.entries(all).flatMap(([rule, { told }]) => told.map((given) => [rule, given] as const))
const untold = Object.entries(all).flatMap(([rule, { untold }]) =>
  untold.map((given) => [rule, given] as const),
)

const textOf = ({ says, keys, rules, flags }: Given) => JSON.stringify({ says, keys, rules, flags })
const named = (cases: typeof told) => cases.map(([rule, given]) => [rule, textOf(given), given] as const)

describe("concerned", () => {
  test.each(named(told))("%s: %s", (rule, _, given) => {
    const { now, verdict, rules } = judged(given)
    expect(rules).toContain(rule)
    expect(trueVerdicts(given.was ?? "served", now, true), `wick: ${now}, found: ${rules}`).toContain(verdict)
  })
})

describe("not concerned", () => {
  test.each(named(untold))("%s: %s", (rule, _, given) => {
    const { now, verdict, rules } = judged(given)
    expect(rules).not.toContain(rule)
    const besides = given.besides ?? []
    expect(rules).toEqual(expect.arrayContaining([...besides]))
    const isTold = rules.length > 0
    expect(trueVerdicts(given.was ?? "served", now, isTold), `wick: ${now}, found: ${rules}`).toContain(
      verdict,
    )
    if (besides.length === 0 && isTold) expect(rules).toEqual([])
  })
})

test("each rule has three cases at least, of which one is not concerned", () => {
  const rules = sections
    .flatMap(({ rows }) => Object.entries(rows))
    .flatMap(([rule, { concerns }]) => (typeof concerns === "function" ? [rule] : []))
  const few = rules.filter((rule) => {
    const { told = [], untold = [] } = all[rule] ?? {}
    return told.length + untold.length < 3 || told.length === 0 || untold.length === 0
  })
  expect(few).toEqual([])
  expect(Object.keys(all).filter((rule) => !rules.includes(rule))).toEqual([])
})
