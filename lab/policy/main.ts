/** `wick policy …`: what an author does with a policy. cli/commands/policy.ts hands the words and flags over. */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { table, write } from "../simulate/report.ts"
import { generate } from "../simulate/scenarios.ts"
import { parse, type Trace } from "../simulate/trace.ts"
import { wholeNumber } from "../support/command.ts"
import { bench } from "./bench.ts"
import { check } from "./check/check.ts"
import { Failure } from "./failure.ts"
import { create } from "./new.ts"
import { simulate } from "./simulate.ts"
import { type Subject, subjectOf } from "./subject.ts"

export interface Asked {
  /** Behind the word: a name, a folder or a module. */
  readonly operand: string | undefined
  /** The last value of each flag that was given. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => void
}

type Verb = (asked: Asked) => Promise<void> | void

/** By the word behind `wick policy`. */
export const verbs: Readonly<Record<string, Verb>> = {
  new: ({ operand, print }) => {
    if (operand === undefined) throw new Failure("wick policy new NAME: the name is missing")
    const folder = relative("", create(operand))
    print(
      `${folder}/policy.ts is the policy. Next:\n\n  cd ${folder}\n  wick policy test\n  wick policy check\n`,
    )
  },
  build: async (asked) => {
    const { file, wasm } = await subject(asked)
    asked.print(`${relative("", file)}: ${(wasm.length / 1024).toFixed(1)} KiB\n`)
  },
  check: async (asked) => {
    const of = await subject(asked)
    const findings = await check(of, ({ name, seen, problem }) =>
      asked.print(problem === undefined ? `ok      ${name}: ${seen}\n` : `FAILED  ${name}: ${problem}\n`),
    )
    const wrong = findings.filter(({ problem }) => problem !== undefined).length
    if (wrong > 0) throw new Failure(`${of.name}: ${wrong} of ${findings.length} checks failed`)
  },
  test: async (asked) => {
    const { folder, name } = await subject(asked)
    const files = globSync("*.test.ts", { cwd: folder }).map((file) => join(folder, file))
    if (files.length === 0) throw new Failure(`There is no *.test.ts in ${folder}`)
    const hooks = join(import.meta.dirname, "register.ts")
    const options = ["--import", hooks, "--test", "--test-timeout=60000", ...files]
    const env = { ...process.env, WICK_POLICY: folder }
    const { status } = spawnSync(process.execPath, options, { stdio: "inherit", env })
    if (status !== 0) throw new Failure(`${name}: its tests fail`)
  },
  bench: async (asked) => {
    const picks = wholeNumber("picks", asked.flags.picks ?? "200000", 100_000_000)
    const result = await bench(await subject(asked), picks, progress)
    asked.print(
      `${result}\nIn Node, with all that the host there does for a pick: figures to compare with each other, not with nginx.\n`,
    )
  },
  simulate: async (asked) => {
    const of = await subject(asked)
    const options = {
      seed: wholeNumber("seed", asked.flags.seed ?? "1", 2 ** 31),
      workers: wholeNumber("workers", asked.flags.workers ?? "4", 64),
    }
    const trace = traceOf(of, asked.flags)
    progress(`replaying ${trace.head.name} …`)
    const beside = (asked.flags.beside ?? "round_robin,p2c,ewma").split(",")
    const { results, declined, faults, firstFault } = simulate(of, beside, trace, options)
    const out = asked.flags.out ?? join(of.folder, "build/simulation")
    const notes = [
      ...(declined > 0 ? [`${of.name} declined ${declined} times; round robin chose.`] : []),
      ...(faults > 0 ? [`${of.name} failed ${faults} times; round robin chose. First: ${firstFault}`] : []),
    ]
    write(out, trace, results, options, notes)
    asked.print(
      `${table(results)}\n${notes.map((note) => `${note}\n`).join("")}Report and plots: ${relative("", out)}/report.md\n`,
    )
  },
}

const progress = (line: string) => void process.stderr.write(`${line}\n`)
const subject = ({ operand = "." }: Asked): Promise<Subject> => subjectOf(operand, progress)

/** The trace that was asked for, that of the folder, or one that is made up. */
function traceOf({ folder }: Subject, { trace, scenario, seed = "1" }: Asked["flags"]): Trace {
  const own = join(folder, "trace.jsonl")
  const file = trace ?? (scenario === undefined && existsSync(own) ? own : undefined)
  if (file !== undefined) return parse(readFileSync(file, "utf8"))
  return generate(scenario ?? "one-slow-endpoint", {
    seed: Number(seed),
    seconds: 60,
    endpoints: 6,
    rate: 20,
  })
}
