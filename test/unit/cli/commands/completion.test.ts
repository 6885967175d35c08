// What shells complete. bash is asked; what the others read is looked at.
import { spawnSync } from "node:child_process"
import { beforeAll, expect, test } from "vitest"
import { problemCatalogue } from "../../../../controller/model/problems/catalogue.ts"
import { runSubCommand } from "../../../support/sub-command.ts"

let bash = ""
beforeAll(async () => {
  bash = (await runSubCommand("completion", "bash")).said
})

/** What bash offers for the last word. */
function offered(...words: readonly string[]): string[] {
  const script = `${bash}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wick; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
  expect(stderr).toBe("")
  return stdout.split("\n").filter((word) => word !== "")
}

test.each([
  [
    ["wick", "probl"],
    ["problems", "problem"],
  ],
  [["wick", "--help-"], ["--help-flags"]],
  [["wick", "explain", "--cl"], ["--client"]],
  [
    ["wick", "backends", "-o", ""],
    ["json", "yaml", "wide", "name"],
  ],
  [
    ["wick", "conf", "--output", "="],
    ["json", "yaml"],
  ],
  [["wick", "conf", "--output", "=", "y"], ["yaml"]],
  [["wick", "problems", "--severity", "w"], ["warning"]],
  [["wick", "policy", "be"], ["bench"]],
  [
    ["wick", "help", "cert"],
    ["certificates", "certgen"],
  ],
  [["wick", "completion", "f"], ["fish"]],
  [["wick", "ui", "--port", ""], []],
])("%j", (words, expected) => expect(offered(...words)).toEqual(expected))

test("codes of Problems are completed where one is meant", () => {
  const codes = Object.keys(problemCatalogue).filter((code) => code.startsWith("secret-"))
  expect(offered("wick", "problem", "secret-")).toEqual(codes)
  expect(offered("wick", "problems", "--code", "secret-")).toEqual(codes)
})

test("zsh and fish know the same", async () => {
  const zsh = (await runSubCommand("completion", "zsh")).said
  expect(zsh).toMatch(/^#compdef wick\n/)
  expect(zsh).toContain("'problems --severity') compadd -- error warning info ;;")
  const fish = (await runSubCommand("completion", "fish")).said
  expect(fish).toContain("complete -c wick -n __fish_use_subcommand -f -a routes -d 'list the routes'")
  expect(fish).toContain(
    "complete -c wick -n '__fish_seen_subcommand_from explain' -l client -r -d 'address of the client",
  )
  expect(fish).toContain("-l output -s o -x -a 'json yaml' -d ")
})

test.each([
  [[], "The shell is missing, it is one of bash, zsh, fish"],
  [["tcsh"], 'There is no completion for "tcsh", it is one of bash, zsh, fish'],
])("%j is refused", async (args, sentence) => {
  expect((await runSubCommand("completion", ...args)).failure).toContain(sentence)
})
