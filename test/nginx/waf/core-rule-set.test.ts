// The OWASP Core Rule Set behind wick's module: its own regression tests, of which `npm run test:crs` has all, and what is blocked at paranoia level 1.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { hasCorpus, readCorpus } from "../../../harness/corpus.ts"
import { blockingRules, detectingRules } from "../../../harness/crs/rules.ts"
import { type Subject, stock, wick } from "../../../harness/crs/subjects.ts"
import { coreRuleTests } from "../../../harness/modsecurity.ts"
import { type Case, casesIn } from "../../crs/support/cases.ts"
import { surprises } from "../../crs/support/known.ts"
import { Reflector } from "../../crs/support/reflector.ts"
import { run } from "../../crs/support/run.ts"
import { attacks, casesOf, exceptions, ordinary, type Row, unusual } from "../../crs/support/tables.ts"
import { triesAll } from "../../support/runs.ts"

const version = "4.22.0"
const all = casesIn(coreRuleTests(version))
/** Every tenth, unless all are asked for. */
const cases = triesAll ? all : all.filter((_, at) => at % 10 === 0)

/** docs/guides/modsecurity.md */
const moreMethods =
  'SecAction "id:900200,phase:1,pass,nolog,setvar:tx.allowed_methods=GET HEAD POST OPTIONS PUT PATCH DELETE"'

let backend: Reflector
beforeAll(async () => {
  backend = await Reflector.start()
})
afterAll(() => backend[Symbol.asyncDispose]())

test("its regression tests pass, but for those whose reason is known", async () => {
  await using detecting = await wick(detectingRules(version), backend.port)
  expect(surprises(await run(detecting.nginx, cases))).toEqual([])
})

test("nothing is blocked in wick that is not with Debian's connector, and the other way round", async () => {
  await using ours = await wick(blockingRules(version), backend.port)
  await using theirs = await stock(blockingRules(version), backend.port)
  const statusesOf = async ({ nginx }: Subject) =>
    (await run(nginx, cases)).map(({ name, statuses }) => `${name}: ${statuses}`)
  expect(await statusesOf(ours)).toEqual(await statusesOf(theirs))
})

describe("at paranoia level 1", () => {
  let blocking: Subject
  beforeAll(async () => {
    blocking = await wick(blockingRules(version), backend.port)
  })
  afterAll(() => blocking[Symbol.asyncDispose]())

  const faultsOf = async (subject: Subject, rows: readonly Row[], status: number) =>
    faulty(subject, casesOf(rows, status))

  test("attacks are blocked", async () => {
    expect(await faultsOf(blocking, attacks, 403)).toEqual([])
  })
  test("ordinary requests are not", async () => {
    expect(await faultsOf(blocking, ordinary, 200)).toEqual([])
  })
  test("some that are no attacks are, too", async () => {
    expect(await faultsOf(blocking, unusual, 403)).toEqual([])
  })
  test("unless exceptions are made, behind which attacks are blocked as before", async () => {
    await using lenient = await wick([{ text: exceptions }, ...blockingRules(version)], backend.port)
    expect(await faultsOf(lenient, [...unusual, ...ordinary], 200)).toEqual([])
    expect(await faultsOf(lenient, attacks, 403)).toEqual([])
  })
  test("a rule, or what it looks at, is taken out in front of the rules, as the guide says", async () => {
    const text = `SecRuleRemoveById 932235\n\nSecRuleUpdateTargetById 942290 "!ARGS:json.query"\n\n${moreMethods}\n`
    await using lenient = await wick([{ text }, ...blockingRules(version)], backend.port)
    const rows = unusual.filter(([what]) => /GraphQL|PUT|PATCH|DELETE/.test(what))
    expect(rows.length).toBe(4)
    expect(await faultsOf(lenient, rows, 200)).toEqual([])
  })
  test.runIf(hasCorpus)("paths of applications' Ingresses are not", async () => {
    const rows = pathsOfCorpus().map(
      (uri): Row => [
        uri,
        { uri, headers: { Host: "shop.example.com", Accept: "*/*", "User-Agent": "curl/8.22.0" } },
      ],
    )
    expect(rows.length).toBeGreaterThan(100)
    expect(await faultsOf(blocking, rows, 200)).toEqual([])
  })
})

async function faulty({ nginx }: Subject, cases: readonly Case[]): Promise<string[]> {
  const outcomes = await run(nginx, cases)
  return outcomes.flatMap(({ name, faults }) => (faults.length === 0 ? [] : [`${name}: ${faults}`]))
}

/** Those that are no patterns. */
function pathsOfCorpus(): string[] {
  const paths = readCorpus().flatMap(({ ingress }) =>
    (ingress.spec.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ path = "/" }) => path)),
  )
  return [...new Set(paths.filter((path) => /^[\w./~-]+$/.test(path)))]
}
