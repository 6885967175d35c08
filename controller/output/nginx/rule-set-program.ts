import type { RuleSetVerdict } from "../plane/rule-set-checker.ts"
import { runChecking, saidIn } from "./checking-program.ts"
import { reasonIn } from "./program-words.ts"

/** A line of JSON for each of 64 files. */
const maxOutputCharacters = 262_144

/** What a run of the program said: by path, or that it could say nothing. */
export type RuleSetAnswers =
  | { readonly kind: "answered"; readonly verdicts: ReadonlyMap<string, RuleSetVerdict> }
  | { readonly kind: "absent"; readonly reason: string }

/** Has libmodsecurity read rule sets: `wick-waf check`. Never rejects. */
export async function checkRuleSets(
  program: string,
  library: string | undefined,
  files: readonly string[],
  signal: AbortSignal,
): Promise<RuleSetAnswers> {
  const options = library === undefined ? [] : ["--library", library]
  const run = await runChecking(program, ["check", ...options, ...files], maxOutputCharacters, signal)
  const answers = run.kind === "ended" ? answersIn(run.stdout) : undefined
  return answers ?? { kind: "absent", reason: run.how }
}

/** Undefined when it said nothing at all. What was said before it ended too early counts. */
function answersIn(text: string): RuleSetAnswers | undefined {
  const said = text
    .split("\n")
    .map(saidIn)
    .filter((line) => line !== undefined)
  const library = said.find((line) => line.library === false)
  if (library !== undefined)
    return { kind: "absent", reason: reasonIn(String(library.error ?? "there is no library")) }
  const verdicts = new Map(
    said.flatMap((line) => (typeof line.file === "string" ? [[line.file, verdictIn(line)] as const] : [])),
  )
  return verdicts.size === 0 ? undefined : { kind: "answered", verdicts }
}

/** Whose line that is, is said by `part` and `line`. */
const place = /^Rules error\. File: .*?\. Line: \d+\. Column: \d+\. /

/** Of text that is in no file it tells an address in memory. */
const nowhere = /\. File: \S+ at line: \d+$/

function verdictIn({ ok, error, part, line }: Readonly<Record<string, unknown>>): RuleSetVerdict {
  if (ok === true) return { kind: "accepted" }
  return {
    kind: "refused",
    reason: reasonIn(
      typeof error === "string" ? error.replace(place, "").replace(nowhere, "") : "nothing about it",
    ),
    ...(typeof part === "number" && { part }),
    ...(typeof line === "number" && { line }),
  }
}
