import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import {
  eventReason,
  type ProblemCode,
  problemCatalogue,
  problemFamilies,
} from "../../../../controller/model/problems/catalogue.ts"
import { root } from "../../../../harness/paths.ts"

const codes = Object.keys(problemCatalogue) as ProblemCode[]

/** Code → why no test can bring it about. */
const notProvoked: Partial<Record<ProblemCode, string>> = {
  "watch-failed": "the kernel has to run out of watches",
  "annotation-overridden": "no annotation that has an effect has an older name so far",
}

/** The codes in the golden cases. */
function inGolden(): ReadonlySet<string> {
  const texts = globSync("test/golden/*/*/problems.txt", { cwd: root }).map((file) =>
    readFileSync(join(root, file), "utf8"),
  )
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^ {4}([a-z-]+): /gm)].map(([, code = ""]) => code)),
  )
}

/** Texts of the unit tests of whatever makes Problems; those of what only passes them on take any code. */
function testsOfMakers(): string {
  return globSync("test/unit/{core,facts,input,model/objects,output,sync}/**/*.test.ts", { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n")
}

describe("the catalogue of Problems", () => {
  test("has each code once", () => {
    const rows = Object.values(problemFamilies).flatMap((family) => Object.keys(family))
    expect(rows.filter((code, at) => rows.indexOf(code) !== at)).toEqual([])
    expect(rows).toHaveLength(codes.length)
  })

  test.each(codes)("says of %s in one sentence each what it means and what to do", (code) => {
    const { meaning, remedy } = problemCatalogue[code]
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    for (const text of [meaning, remedy])
      expect(text).toMatch(/^(wick|nginx|service-upstream|[A-Z]).{4,}[^.;\s]$/)
  })

  test("has every code of the golden cases", () => {
    expect([...inGolden()].filter((code) => !Object.hasOwn(problemCatalogue, code))).toEqual([])
  })

  test("has no code that no test brings about, but for those where that cannot be done", () => {
    const golden = inGolden()
    const texts = testsOfMakers()
    const isInTest = (code: string) => new RegExp(`["' ]${code}["',$]`).test(texts)
    const missing = codes.filter((code) => !golden.has(code) && !isInTest(code))
    expect(missing).toEqual(Object.keys(notProvoked))
  })

  test("names the reasons of Events", () => {
    expect([eventReason("refused"), eventReason("host-without-certificate")]).toEqual([
      "Refused",
      "HostWithoutCertificate",
    ])
  })
})
