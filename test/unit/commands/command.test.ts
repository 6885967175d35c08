import { describe, expect, test } from "vitest"
import { type Command, readArguments } from "../../../controller/commands/command.ts"
import { commandHelp, commands, findCommand, runCommand } from "../../../controller/commands/commands.ts"
import { Failure } from "../../../controller/support/failure.ts"

const command: Command = {
  name: "look",
  operands: "[HOST [PATH]]",
  summary: "look",
  description: ["Looks."],
  flags: [
    { name: "header", valueName: "TEXT", meaning: "a header" },
    { name: "https", meaning: "by HTTPS" },
  ],
  run: async ({ operands }, { write }) => {
    if (operands[0] === "bad") throw new Failure("nothing", "There is nothing bad")
    write(`saw ${operands.join(" ")}`)
  },
}

const read = (...args: readonly string[]) => readArguments(command, args)

describe("arguments", () => {
  test("flags may stand anywhere, and some may be repeated", () => {
    expect(
      read("--json", "a.test", "--header=X: 1", "/", "--runtime-dir", "run", "--header", "Y: 2"),
    ).toMatchObject({
      operands: ["a.test", "/"],
      runtimeDir: "run",
      json: true,
      flags: { header: ["X: 1", "Y: 2"] },
    })
    expect(read()).toMatchObject({ operands: [], runtimeDir: "", json: false })
    expect(read("--https", "--help")).toBe("help")
  })

  test.each([
    [["a", "b", "c"], 'Unexpected argument "c": wick look --help says how to write it'],
    [["--nope"], "Unknown option '--nope': wick look --help says how to write it"],
    [["--header"], "Option '--header <value>' argument missing: wick look --help says how to write it"],
  ])("%j", (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence)
  })
})

describe("a command", () => {
  let said = ""
  const run = (...args: readonly string[]) => {
    said = ""
    const write = (text: string) => {
      said += text
    }
    const place = { service: { host: "", port: "" }, release: "1.2.3" }
    return runCommand(command, args, { write, hasColours: false }, place)
  }

  test("says what it saw", async () => {
    expect(await run("a.test", "/x")).toBeUndefined()
    expect(said).toBe("saw a.test /x")
  })

  test("gives back what is wrong as a sentence", async () => {
    expect(await run("bad")).toBe("There is nothing bad")
    expect(said).toBe("")
  })

  test("has a help", async () => {
    await run("--help")
    expect(said).toBe(commandHelp(command))
    expect(said.split("\n").slice(0, 3)).toEqual(["Usage: wick look [HOST [PATH]] [flags]", "", "Looks."])
    expect(said).toContain("  --header TEXT      a header\n")
  })
})

test("commands are found by their names, and flags are none", () => {
  expect(commands.map(({ name }) => findCommand(name)?.name)).toEqual(commands.map(({ name }) => name))
  expect(findCommand("--json")).toBeUndefined()
  expect(findCommand(undefined)).toBeUndefined()
})
