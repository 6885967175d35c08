import { spawn } from "node:child_process"
import { isRecord } from "../../model/objects/reader.ts"
import { reasonOf } from "../../support/failure.ts"
import type { Compilation } from "../plane/policy-compiler.ts"
import { reasonIn } from "./program-words.ts"

/** The program limits itself to 10 s of processor time; where processors are shared that takes longer. */
const timeoutMs = 120_000

/** Of one line of JSON. */
const maxOutputCharacters = 16_384

/** More bits than there are mean nothing to nginx, and are refused there. */
const knownNeeds = 31

/** Tries the module `from` and compiles it to `to`: `wick-policy compile`. It sees nothing of this process's environment. Never rejects. */
export function compilePolicy(
  program: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Compilation> {
  const { promise, resolve } = Promise.withResolvers<Compilation>()
  const child = spawn(program, ["compile", from, to], {
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
  child.once("error", (error) => resolve(failed(`${program} cannot be run: ${reasonOf(error)}`)))
  child.once("close", (code, killedBy) => {
    if (code === 0 || code === 2) resolve(answerIn(output.stdout, code))
    else resolve(failed(`${program} ended with ${killedBy ?? `exit code ${code}`}${lastLine(output.stderr)}`))
  })
  return promise
}

function answerIn(text: string, code: 0 | 2): Compilation {
  const said = parsed(text)
  if (code === 2 && typeof said.problem === "string")
    return { kind: "refused", reason: reasonIn(said.problem) }
  const { digest, needs = 0 } = said
  if (code === 0 && typeof digest === "string" && typeof needs === "number")
    return { kind: "compiled", digest, needs: needs & knownNeeds }
  return failed("the program that compiles policies gave no answer")
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? ""
  return line === "" ? "" : `: ${reasonIn(line)}`
}

function failed(reason: string): Compilation {
  return { kind: "failed", reason }
}
