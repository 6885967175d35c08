import { describe, expect, test } from "vitest"
import { type Command, type ListedCommand, readAsked, type Topics } from "../../../../cli/commands/command.ts"
import { commandHelp, findCommand, overview } from "../../../../cli/commands/command-help.ts"
import { topics } from "../../../../cli/commands/commands.ts"
import { runSubCommand } from "../../../support/sub-command.ts"

const command: Command = {
  name: "look",
  description: ["Looks."],
  flags: [
    { name: "header", valueName: "TEXT", meaning: "a header" },
    { name: "https", short: "s", meaning: "by HTTPS" },
  ],
  formats: ["name"],
  run: async () => {},
}
const listed: ListedCommand = {
  name: "look",
  operands: "[HOST [PATH]]",
  summary: "look",
  load: async () => command,
}

const read = (...args: readonly string[]) => readAsked(command, listed.operands, args)

describe("arguments", () => {
  test("flags may stand anywhere, and some may be repeated", () => {
    expect(
      read("--json", "a.test", "--header=X: 1", "/", "--runtime-dir", "run", "-s", "--header", "Y: 2"),
    ).toMatchObject({
      operands: ["a.test", "/"],
      runtimeDir: "run",
      format: "json",
      json: true,
      flags: { header: ["X: 1", "Y: 2"], https: [true] },
    })
    expect(read()).toMatchObject({ operands: [], runtimeDir: "", format: "text", json: false })
    expect(read("--https", "--help")).toBe("help")
    expect(read("-h")).toBe("help")
  })

  test.each([
    [["-o", "json"], "json", true],
    [["-oyaml"], "yaml", true],
    [["--output=name"], "name", false],
    [["--json", "-o=name"], "name", false],
  ])("%j asks for %s", (args, format, json) => expect(read(...args)).toMatchObject({ format, json }))

  test.each([
    [["a", "b", "c"], 'Unexpected argument "c": wick look --help says how to write it'],
    [["--nope"], "Unknown flag --nope: wick look --help says how to write it"],
    [["--heder=x"], "Unknown flag --heder, did you mean --header: wick look --help says how to write it"],
    [["--header"], "Flag --header lacks its value: write --header=VALUE: wick look --help"],
    [["--https=no"], "Cannot use --https=no: it takes no value"],
    [["-o", "wide"], "Cannot use --output=wide, write json or yaml or name"],
  ])("%j", (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence)
  })
})

test("what is wrong is given back as a sentence, and nothing is printed", async () => {
  expect(await runSubCommand("problem", "no-such-code")).toMatchObject({
    failure: expect.stringContaining('No Problem has the code "no-such-code"'),
    said: "",
  })
})

test.each([
  ["rutes", 'There is no command "rutes", did you mean routes: wick help lists all of them'],
  ["dance", 'There is no command "dance": wick help lists all of them'],
])("wick %s", async (name, failure) => expect((await runSubCommand(name)).failure).toBe(failure))

describe("help", () => {
  test("of a command is what --help and wick help NAME print", async () => {
    const text = commandHelp(listed, command)
    expect(text.split("\n").slice(0, 3)).toEqual(["Usage: wick look [HOST [PATH]] [flags]", "", "Looks."])
    expect(text).toContain("  --header TEXT ")
    expect(text).toContain("  -s, --https ")
    const { said } = await runSubCommand("routes", "--help")
    expect(said).toMatch(/^Usage: wick routes /)
    expect((await runSubCommand("help", "routes")).said).toBe(said)
  })

  test("lists the commands on a screen of 24 lines and 80 columns", async () => {
    const text = overview(topics)
    const lines = text.trimEnd().split("\n")
    expect(lines.length).toBeLessThanOrEqual(23)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    for (const { name } of Object.values(topics).flat()) expect(text).toMatch(new RegExp(`\\b${name}\\b`))
    expect((await runSubCommand("help")).said).toBe(text)
  })
})

test("each command of the list is what it is called, and says how it is used", async () => {
  for (const listed of Object.values(topics).flat()) {
    const loaded = await listed.load()
    expect(loaded.name).toBe(listed.name)
    expect(commandHelp(listed, loaded)).toContain(`Usage: wick ${listed.name}`)
  }
})

test("a value is printed as YAML where that is wanted", async () => {
  const { said } = await runSubCommand("problem", "path-taken", "-o", "yaml")
  expect(said).toMatch(/^path-taken:\n {2}severity: error\n {2}meaning: An older Ingress/)
})

test("wick version says which wick and nginx there are", async () => {
  expect((await runSubCommand("version")).said).toMatch(
    /^wick 1\.2\.3 \(nginx (\d+\.\d+\.\d+|not installed)\)\n$/,
  )
  expect(JSON.parse((await runSubCommand("version", "-o", "json")).said)).toMatchObject({ wick: "1.2.3" })
})

test("wick dbg says what it takes", async () => {
  const takes = "it takes backends all, backends list, backends get NAME, certs get HOST, conf, or general"
  expect((await runSubCommand("dbg")).failure).toContain(`What is asked for is missing, ${takes}`)
  expect((await runSubCommand("dbg", "lua")).failure).toContain(`Unknown argument "lua", ${takes}`)
})

test("commands are found by their names in any list", () => {
  const others: Topics = { Some: [listed] }
  expect(findCommand("look", others)).toBe(listed)
  expect(() => findCommand("loook", others)).toThrow("did you mean look")
})
