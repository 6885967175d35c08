import { eventReason, type ProblemCode, problemCatalogue } from "../model/problems/catalogue.ts"
import { Failure } from "../support/failure.ts"
import type { Command } from "./command.ts"
import { aligned } from "./table.ts"
import { paint, writeJson, writeLines } from "./terminal.ts"

export const problem: Command = {
  name: "problem",
  operands: "[CODE]",
  summary: "say what a Problem's code means, and what to do",
  description: [
    "Says what is wrong when a Problem in the log, the metric or an Event has this code, and what to do. The reason of an Event is as good as a code.",
    "Without a code: all of them. It asks nobody, so it also works where no wick runs.",
  ],
  async run({ operands: [wanted], json }, terminal) {
    const codes = wanted === undefined ? all : [codeOf(wanted)]
    if (json)
      return writeJson(terminal, Object.fromEntries(codes.map((code) => [code, problemCatalogue[code]])))
    if (wanted === undefined) return writeLines(terminal, list())
    const [code] = codes
    if (code === undefined) return
    const { severity, meaning, remedy } = problemCatalogue[code]
    writeLines(terminal, [`${paint(terminal, "bold", code)} (${severity})`, `${meaning}.`, `${remedy}.`])
  },
}

const all = Object.keys(problemCatalogue) as ProblemCode[]

function list(): string[] {
  const rows = all.map((code) => [code, problemCatalogue[code].severity, problemCatalogue[code].meaning])
  return aligned([["CODE", "SEVERITY", "MEANING"], ...rows])
}

/** @throws Failure `problem-unknown` */
function codeOf(word: string): ProblemCode {
  const code = all.find((code) => code === word.toLowerCase() || eventReason(code) === word)
  if (code !== undefined) return code
  throw new Failure(
    "problem-unknown",
    `No Problem has the code "${word}": wick problem, without a code, lists all`,
  )
}
