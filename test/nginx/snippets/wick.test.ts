// Snippets: what nginx makes of their text, wick makes of their data.
import { expect, test } from "vitest"
import { hasCorpus } from "../../../harness/corpus.ts"
import { triesAll } from "../../support/runs.ts"
import { answering, configured } from "./support/configured.ts"
import { corpusCases } from "./support/corpus.ts"
import { forms } from "./support/forms/forms.ts"
import { caseOf } from "./support/grammar.ts"
import { isCompared, known } from "./support/known.ts"
import { type Cases, Sides } from "./support/sides.ts"

async function differences(conf: Cases): Promise<string[]> {
  await using sides = await Sides.withWick(conf)
  return await sides.differences()
}

test("as people write them", async () => {
  expect(await differences({ cases: forms.filter(isCompared) })).toEqual([])
})

test.each(configured)("of the ConfigMap, around those of Ingresses", async (conf) => {
  expect(await differences(conf)).toEqual([])
})

test("of the ConfigMap, which answer for all hosts", async () => {
  expect(await differences(answering)).toEqual([])
})

test.skipIf(!hasCorpus)("of published Ingresses", async () => {
  expect(await differences({ cases: corpusCases().filter(isCompared) })).toEqual([])
})

const atOnce = 250

test.each(
  Array.from({ length: triesAll ? 40 : 1 }, (_, round) => round),
)("that nobody has written, round %i", async (round) => {
  const cases = Array.from({ length: atOnce }, (_, nth) => caseOf(atOnce * round + nth))
  expect(await differences({ cases: cases.filter(isCompared) })).toEqual([])
})

test("what is known to differ still does", async () => {
  const all = (await differences({ cases: known.map(({ example }) => example) })).join("\n")
  const equal = known.filter(({ example: { name } }) => !all.includes(`${name}, {`))
  expect(equal.map(({ example }) => example.name)).toEqual([])
})
