import { eventReason, type ProblemCode, problemCatalogue } from "../../controller/model/problems/catalogue.ts"
import { Failure } from "../../controller/support/failure.ts"
import { nearest } from "../../controller/support/nearest.ts"
import type { Command } from "./command.ts"
import { aligned } from "./table.ts"
import { paint, writeJson, writeLines } from "./terminal.ts"

/** Of all Problems that there may be. */
export const codes = Object.keys(problemCatalogue) as ProblemCode[]

export const problem: Command = {
  name: "problem",
  words: codes,
  description: [
    "Says what is wrong when a Problem in the log, the metric or an Event has this code, and what to do. The reason of an Event is as good as a code.",
    "Without a code: all of them. It asks nobody, so it also works where no wick runs.",
  ],
  async run({ operands: [wanted], json }, terminal) {
    const asked = wanted === undefined ? codes : [codeOf(wanted)]
    if (json)
      return writeJson(terminal, Object.fromEntries(asked.map((code) => [code, problemCatalogue[code]])))
    if (wanted === undefined) return writeLines(terminal, list())
    const [code] = asked
    if (code === undefined) return
    const { severity, meaning, remedy } = problemCatalogue[code]
    writeLines(terminal, [`${paint(terminal, "bold", code)} (${severity})`, `${meaning}.`, `${remedy}.`])
  },
}

function list(): string[] {
  const rows = codes.map((code) => [code, problemCatalogue[code].severity, problemCatalogue[code].meaning])
  return aligned([["CODE", "SEVERITY", "MEANING"], ...rows])
}

/** What codes were called before: people have noted them down. */
const formerCodes: ReadonlyMap<string, ProblemCode> = new Map([["policy-refused", "location-refused"]])

/** The code that is meant: as the catalogue has it, or as the reason of an Event. @throws Failure `problem-unknown` */
export function codeOf(word: string): ProblemCode {
  const code = codes.find((code) => code === word.toLowerCase() || eventReason(code) === word)
  if (code !== undefined) return code
  const written = word.replace(/(?<=.)(?=[A-Z])/g, "-").toLowerCase()
  const known = formerCodes.get(written) ?? nearest(written, codes)
  throw new Failure(
    "problem-unknown",
    `No Problem has the code "${word}"${known === undefined ? "" : `, did you mean ${known}`}: wick problem, without a code, lists all`,
  )
}
