import type { Compilation } from "../plane/policy-compiler.ts"
import { runChecking, saidIn } from "./checking-program.ts"
import { reasonIn } from "./program-words.ts"

/** Of one line of JSON. */
const maxOutputCharacters = 16_384

/** More bits than there are mean nothing to nginx, and are refused there. */
const knownNeeds = 31

/** Tries the module `from` and compiles it to `to`: `wick-policy compile`. Never rejects. */
export async function compilePolicy(
  program: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Compilation> {
  const run = await runChecking(program, ["compile", from, to], maxOutputCharacters, signal)
  if (run.kind === "unstarted") return failed(run.how)
  if (run.code === 0 || run.code === 2) return answerIn(run.stdout, run.code)
  return failed(`${run.how}${lastLine(run.stderr)}`)
}

function answerIn(text: string, code: 0 | 2): Compilation {
  const said = saidIn(text) ?? {}
  if (code === 2 && typeof said.problem === "string")
    return { kind: "refused", reason: reasonIn(said.problem) }
  const { digest, needs = 0 } = said
  if (code === 0 && typeof digest === "string" && typeof needs === "number")
    return { kind: "compiled", digest, needs: needs & knownNeeds }
  return failed("the program that compiles policies gave no answer")
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? ""
  return line === "" ? "" : `: ${reasonIn(line)}`
}

function failed(reason: string): Compilation {
  return { kind: "failed", reason }
}
