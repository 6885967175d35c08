import { expect, test } from "vitest"
import { answerOf, leadsTo, stepsRunIn } from "../../../controller/inspect/steps-run.ts"

test.each([
  ["- done", { held: [], end: { kind: "done" } }],
  ["0,3 moved /a%20b?x=1", { held: [0, 3], end: { kind: "moved", target: "/a%20b?x=1" } }],
  ["2 again /x", { held: [2], end: { kind: "again", target: "/x" } }],
  ["- return 403", { held: [], end: { kind: "return", status: 403, text: "" } }],
  ["1 redirect 302 https://a/", { held: [1], end: { kind: "redirect", status: 302, text: "https://a/" } }],
])("the header %o", (header, run) => {
  expect(stepsRunIn(header)).toEqual(run)
})

test("what is none says nothing", () => {
  for (const header of [undefined, "", "x", "0 flown /a"]) expect(stepsRunIn(header)).toBeUndefined()
})

test("answers and where steps lead", () => {
  const said = (header: string) => {
    const run = stepsRunIn(header)
    return run && [answerOf(run), leadsTo(run)]
  }
  expect(said("0 return 403")).toEqual([{ kind: "answered", status: 403 }, undefined])
  expect(said("0 return 301 https://a/")).toEqual([
    { kind: "redirected", status: 301, location: "https://a/" },
    undefined,
  ])
  expect(said("0 stopped /b")).toEqual([undefined, "stops here, with /b"])
  expect(said("0 again /b")).toEqual([undefined, "leads to /b, which may be another route's"])
  expect(said("0 done")).toEqual([undefined, undefined])
})
