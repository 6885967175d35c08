import { expect, test } from "vitest"
import { problemCatalogue } from "../../../../controller/model/problems/catalogue.ts"
import { runSubCommand } from "../../../support/sub-command.ts"

const ask = (...args: readonly string[]) => runSubCommand("problem", ...args)

const { severity, meaning, remedy } = problemCatalogue["path-taken"]

test.each(["path-taken", "PathTaken"])("%s is explained", async (word) => {
  const { said, failure } = await ask(word)
  expect(failure).toBeUndefined()
  expect(said).toBe(`path-taken (${severity})\n${meaning}.\n${remedy}.\n`)
})

test("without a code all are listed", async () => {
  const { said } = await ask()
  const codes = said.split("\n").slice(1, -1)
  expect(codes).toHaveLength(Object.keys(problemCatalogue).length)
  expect(codes.find((line) => line.startsWith("path-taken "))).toContain(meaning)
})

test("programs get the catalogue", async () => {
  expect(JSON.parse((await ask("path-taken", "--json")).said)).toEqual({
    "path-taken": { severity, meaning, remedy },
  })
  expect(JSON.parse((await ask("--json")).said)).toEqual(problemCatalogue)
})

test.each(["policy-refused", "PolicyRefused"])("what was called %s leads to its code", async (word) => {
  expect((await ask(word)).failure).toContain("did you mean location-refused:")
})

test("an unknown code is said to be one", async () => {
  expect(await ask("path-takn")).toMatchObject({
    failure:
      'No Problem has the code "path-takn", did you mean path-taken: wick problem, without a code, lists all',
    said: "",
  })
})
