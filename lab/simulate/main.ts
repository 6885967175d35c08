// `npm run simulate`: generates traces, and replays them under some policies.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../../test/support/paths.ts"
import { policies, settingsOf } from "./policies.ts"
import { table, write } from "./report.ts"
import { measure } from "./result.ts"
import { defaultSize, generate, type Size, scenarios } from "./scenarios.ts"
import { parse, print } from "./trace.ts"

const usage = `Replays a trace in virtual time and compares policies, with the balancer.wasm that ships.

  npm run simulate -- --generate SCENARIO --out FILE [--seed N] [--seconds N] [--endpoints N] [--rate N]
  npm run simulate -- --trace FILE --policy NAME[,NAME…] [--out FOLDER] [--seed N] [--workers N]

Scenarios: ${Object.keys(scenarios).join(", ")}
Policies:  ${Object.keys(policies).join(", ")};
           each with +slow-start=MS, +outlier-ejection=FAILURES/MS

--rate       requests per second and endpoint (${defaultSize.rate})
--endpoints  (${defaultSize.endpoints})   --seconds (${defaultSize.seconds})   --seed (1)
--workers    instances of the filter that share what they learn (4)
--out        file of the trace; or the folder for result.json, report.md and the plots (out/simulation)
`

const options = {
  generate: { type: "string" },
  trace: { type: "string" },
  policy: { type: "string" },
  out: { type: "string" },
  seed: { type: "string" },
  seconds: { type: "string" },
  endpoints: { type: "string" },
  rate: { type: "string" },
  workers: { type: "string" },
  help: { type: "boolean" },
} as const

try {
  main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function main(): void {
  const { values } = parseArgs({ options })
  const number = (
    name: "seed" | "seconds" | "endpoints" | "rate" | "workers",
    otherwise: number,
    most: number,
  ) => (values[name] === undefined ? otherwise : wholeNumber(name, values[name], most))
  const seed = number("seed", 1, 2 ** 31)
  if (values.generate !== undefined && values.out !== undefined) {
    const size: Size = {
      seed,
      seconds: number("seconds", defaultSize.seconds, 86_400),
      endpoints: number("endpoints", defaultSize.endpoints, 10_000),
      rate: number("rate", defaultSize.rate, 1_000_000),
    }
    writeFileSync(values.out, print(generate(values.generate, size)))
  } else if (values.trace === undefined || values.policy === undefined) {
    process.stdout.write(usage)
    process.exitCode = values.help ? 0 : 2
  } else {
    const workers = number("workers", 4, 64)
    simulate(values.trace, values.policy.split(","), values.out ?? join(root, "out/simulation"), {
      seed,
      workers,
    })
  }
}

function simulate(
  file: string,
  names: readonly string[],
  out: string,
  options: { seed: number; workers: number },
) {
  // A wrong name is said at once, not after the first minutes.
  for (const name of names) settingsOf(name)
  const trace = parse(readFileSync(file, "utf8"))
  const results = names.map((name) => measure(trace, name, options))
  write(out, trace, results, options)
  process.stdout.write(`${table(results)}\nReport and plots: ${out}/report.md\n`)
}

/** @throws Error that says what the option must be */
function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new Error(`--${name} must be a whole number from 1 to ${most}, not "${text}"`)
}
