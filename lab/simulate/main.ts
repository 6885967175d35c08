// `npm run simulate`: generates traces, and replays them under some policies.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../../harness/paths.ts"
import { command, wholeNumber } from "../support/command.ts"
import { policies, settingsOf } from "./policies.ts"
import { table, write } from "./report.ts"
import { measure } from "./result.ts"
import { generate, scenarios } from "./scenarios.ts"
import { parse, print, type Trace } from "./trace.ts"

const usage = `Replays a trace in virtual time and compares policies, with the balancer.wasm that ships.

  npm run simulate -- --generate SCENARIO --out FILE            writes a trace
  npm run simulate -- --trace FILE --policy NAME[,NAME…]        replays one
  npm run simulate -- --generate SCENARIO --policy NAME[,NAME…] both at once

Scenarios:
${Object.entries(scenarios)
  .map(([name, { about }]) => `  ${name.padEnd(18)} ${about}`)
  .join("\n")}

Policies: ${Object.keys(policies).join(", ")};
each with +slow-start=MS, +outlier-ejection=FAILURES/MS

--out FILE|FOLDER  the trace; or where result.json, report.md and the plots go (out/simulation)
--seed N           of the trace, and of what chance decides in its replay (1)
--workers N        instances of the filter that share what they learn (4)
--seconds N        length of a generated trace (60)
--endpoints N      its endpoints (10)
--rate N           its requests per second and endpoint (200)
`

const options = {
  generate: { type: "string" },
  trace: { type: "string" },
  policy: { type: "string" },
  out: { type: "string" },
  seed: { type: "string", default: "1" },
  workers: { type: "string", default: "4" },
  seconds: { type: "string", default: "60" },
  endpoints: { type: "string", default: "10" },
  rate: { type: "string", default: "200" },
  help: { type: "boolean", default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"]

await command(() => {
  const { values } = parseArgs({ options })
  const isComplete =
    values.policy !== undefined || (values.generate !== undefined && values.out !== undefined)
  if (values.help) process.stdout.write(usage)
  else if ((values.generate === undefined) === (values.trace === undefined) || !isComplete) refuse()
  else if (values.policy !== undefined) simulate(values, values.policy.split(","))
  else writeFileSync(values.out ?? "", print(traceOf(values)))
})

/** What was asked for is no command. */
function refuse(): void {
  process.stderr.write(usage)
  process.exitCode = 2
}

function simulate(values: Values, names: readonly string[]): void {
  const replay = {
    seed: wholeNumber("seed", values.seed, 2 ** 31),
    workers: wholeNumber("workers", values.workers, 64),
  }
  // A wrong name is said at once, not after the first minutes.
  for (const name of names) settingsOf(name)
  const trace = traceOf(values)
  const results = names.map((name) => measure(trace, name, replay))
  const out = values.out ?? join(root, "out/simulation")
  write(out, trace, results, replay)
  process.stdout.write(`${table(results)}\nReport and plots: ${out}/report.md\n`)
}

function traceOf({ trace, generate: scenario = "", seed, seconds, endpoints, rate }: Values): Trace {
  if (trace !== undefined) return parse(readFileSync(trace, "utf8"))
  return generate(scenario, {
    seed: wholeNumber("seed", seed, 2 ** 31),
    seconds: wholeNumber("seconds", seconds, 86_400),
    endpoints: wholeNumber("endpoints", endpoints, 10_000),
    rate: wholeNumber("rate", rate, 1_000_000),
  })
}
