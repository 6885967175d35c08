import { spawn } from "node:child_process"
import { isRecord } from "../../model/objects/reader.ts"
import { reasonOf } from "../../support/failure.ts"

// The programs that read what a stranger wrote: `wick-policy` and `wick-waf`.

/** They limit their processor time themselves; where processors are shared that takes longer. */
const timeoutMs = 120_000

/** What became of a run. `how` is a sentence without its dot. */
export type Run =
  | { readonly kind: "unstarted"; readonly how: string }
  | {
      readonly kind: "ended"
      readonly how: string
      /** null: killed */
      readonly code: number | null
      readonly stdout: string
      readonly stderr: string
    }

/**
 * Runs one of them, which sees nothing of this process's environment. Never rejects.
 *
 * @param maxCharacters of each of its outputs; no more is taken in once there are so many
 */
export function runChecking(
  program: string,
  args: readonly string[],
  maxCharacters: number,
  signal: AbortSignal,
): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>()
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {},
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    signal,
  })
  const output = { stdout: "", stderr: "" }
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      if (output[stream].length < maxCharacters) output[stream] += text
    })
  }
  child.once("error", (error) =>
    resolve({ kind: "unstarted", how: `${program} cannot be run: ${reasonOf(error)}` }),
  )
  child.once("close", (code, killedBy) =>
    resolve({
      kind: "ended",
      how: `${program} ended with ${killedBy ?? `exit code ${code}`}`,
      code,
      ...output,
    }),
  )
  return promise
}

/** A line of JSON that it said; undefined when it is no object. */
export function saidIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
