import { spawn } from "node:child_process"
import { isRecord } from "../../model/objects/reader.ts"
import { reasonOf } from "../../support/failure.ts"
import type { RuleSetVerdict } from "../plane/rule-set-checker.ts"
import { reasonIn } from "./program-words.ts"

/** The program limits its processor time itself; where processors are shared that takes longer. */
const timeoutMs = 120_000

/** A line of JSON for each of 64 files. */
const maxOutputCharacters = 262_144

/** What a run of the program said: by path, or that it could say nothing. */
export type RuleSetAnswers =
  | { readonly kind: "answered"; readonly verdicts: ReadonlyMap<string, RuleSetVerdict> }
  | { readonly kind: "absent"; readonly reason: string }

/** Has libmodsecurity read rule sets: `wick-waf check`. The program sees nothing of this process's environment. Never rejects. */
export function checkRuleSets(
  program: string,
  library: string | undefined,
  files: readonly string[],
  signal: AbortSignal,
): Promise<RuleSetAnswers> {
  const { promise, resolve } = Promise.withResolvers<RuleSetAnswers>()
  const options = library === undefined ? [] : ["--library", library]
  const child = spawn(program, ["check", ...options, ...files], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {},
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    signal,
  })
  const output = { stdout: "", stderr: "" }
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      if (output[stream].length < maxOutputCharacters) output[stream] += text
    })
  }
  child.once("error", (error) =>
    resolve({ kind: "absent", reason: `${program} cannot be run: ${reasonOf(error)}` }),
  )
  child.once("close", (code, killedBy) => {
    const how = `${program} ended with ${killedBy ?? `exit code ${code}`}`
    resolve(answersIn(output.stdout) ?? { kind: "absent", reason: how })
  })
  return promise
}

/** Undefined when it said nothing at all. What was said before it ended too early counts. */
function answersIn(text: string): RuleSetAnswers | undefined {
  const said = text.split("\n").flatMap(parsed)
  const library = said.find((line) => line.library === false)
  if (library !== undefined)
    return { kind: "absent", reason: reasonIn(String(library.error ?? "there is no library")) }
  const verdicts = new Map(
    said.flatMap((line) => (typeof line.file === "string" ? [[line.file, verdictIn(line)] as const] : [])),
  )
  return verdicts.size === 0 ? undefined : { kind: "answered", verdicts }
}

function parsed(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? [value] : []
  } catch {
    return []
  }
}

/** Whose line that is, is said by `part` and `line`. */
const place = /^Rules error\. File: .*?\. Line: \d+\. Column: \d+\. /

function verdictIn({ ok, error, part, line }: Readonly<Record<string, unknown>>): RuleSetVerdict {
  if (ok === true) return { kind: "accepted" }
  return {
    kind: "refused",
    reason: reasonIn(typeof error === "string" ? error.replace(place, "") : "nothing about it"),
    ...(typeof part === "number" && { part }),
    ...(typeof line === "number" && { line }),
  }
}
