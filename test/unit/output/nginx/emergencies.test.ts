import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, test } from "vitest"
import {
  emergencyIn,
  forgetEmergencies,
  hasGivenUp,
} from "../../../../controller/output/nginx/emergencies.ts"
import { layoutOf } from "../../../../controller/output/nginx/files.ts"

const layout = layoutOf(mkdtempSync(join(tmpdir(), "wick-emergencies-")))
beforeEach(() => forgetEmergencies(layout))
afterAll(() => rmSync(layout.dir, { recursive: true }))

function say(words: string, level = "emerg"): void {
  appendFileSync(layout.emergencies, `2026/11/22 13:15:46 [${level}] 7#7: ${words}\n`)
}

const taken = "bind() to 0.0.0.0:80 failed (98: Address already in use)"

test("an nginx that said nothing has not given up, nor has one that does not write there", async () => {
  expect([await emergencyIn(layout), await hasGivenUp(layout)]).toEqual([undefined, false])
  rmSync(layout.emergencies)
  expect([await emergencyIn(layout), await hasGivenUp(layout)]).toEqual([undefined, false])
})

test("while it cannot bind it goes on trying; the reason is the first thing it said", async () => {
  say(taken)
  say(taken)
  expect([await emergencyIn(layout), await hasGivenUp(layout)]).toEqual([taken, false])
  say("still could not bind()")
  expect([await emergencyIn(layout), await hasGivenUp(layout)]).toEqual([taken, true])
})

test("anything else it says once", async () => {
  say("zero size shared memory zone")
  expect([await emergencyIn(layout), await hasGivenUp(layout)]).toEqual([
    "zero size shared memory zone",
    true,
  ])
})

test("what is no emergency decides nothing", async () => {
  say("reconfiguring", "notice")
  expect(await hasGivenUp(layout)).toBe(false)
})
