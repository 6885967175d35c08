// Sub-commands of wick, run in this process as `wick NAME …` runs them.
import { runCommand } from "../../cli/commands/commands.ts"

export interface Ran {
  /** what is wrong; undefined when all is well */
  readonly failure: string | undefined
  /** what it printed, without colours */
  readonly said: string
  readonly exitCode: number
}

export async function runSubCommand(name: string, ...args: readonly string[]): Promise<Ran> {
  let [said, exitCode] = ["", 0]
  const write = (text: string) => {
    said += text
  }
  const endWith = (code: number) => {
    exitCode = code
  }
  const place = {
    service: { host: "", port: "" },
    release: "1.2.3",
    commit: "",
    interrupted: () => new AbortController().signal,
  }
  const failure = await runCommand(name, args, { write, hasColours: false, endWith }, place)
  return { failure, said, exitCode }
}
