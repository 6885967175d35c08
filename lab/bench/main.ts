// `npm run bench:balancer`: what a pick takes, what an update takes, how evenly picks fall, with the balancer.wasm that ships.
import { join } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../../harness/paths.ts"
import { machine } from "../../harness/report.ts"
import { command, wholeNumber } from "../support/command.ts"
import { doubtAbout, text, write } from "./report.ts"
import { type Plan, run } from "./results.ts"
import { sizes, subjectNamed, subjects } from "./subjects.ts"

const usage = `Measures the balancing algorithms of balancer.wasm in Node; some minutes.

  npm run bench:balancer [-- OPTIONS]

--only NAME[,NAME…]  of: ${subjects.map(({ name }) => name).join(", ")}
--sizes N[,N…]       numbers of endpoints (${sizes.join(",")})
--picks N            picks of a round (200000); times say nothing below 100000
--repeats N          how often all is timed (3)
--out FOLDER         for report.md, results.json and plots (bench/results/balancer)
`

const options = {
  only: { type: "string", default: subjects.map(({ name }) => name).join(",") },
  sizes: { type: "string", default: sizes.join(",") },
  picks: { type: "string", default: "200000" },
  repeats: { type: "string", default: "3" },
  out: { type: "string", default: join(root, "bench/results/balancer") },
  help: { type: "boolean", default: false },
} as const

/** Choices are counted at sizes at which a count means something. */
const isCounted = (endpoints: number) => endpoints >= 10 && endpoints <= 1000

await command(async () => {
  const { values } = parseArgs({ options })
  if (values.help) process.stdout.write(usage)
  else await bench(values)
})

async function bench(values: { only: string; sizes: string; picks: string; repeats: string; out: string }) {
  const all = values.sizes.split(",").map((size) => wholeNumber("sizes", size, 10_000))
  const plan: Plan = {
    subjects: values.only.split(",").map(subjectNamed),
    sizes: all,
    countedSizes: all.filter(isCounted),
    picks: wholeNumber("picks", values.picks, 100_000_000),
    repeats: wholeNumber("repeats", values.repeats, 100),
  }
  const doubt = doubtAbout(plan.picks)
  if (doubt !== undefined) process.stderr.write(`${doubt}\n`)
  const results = await run(plan, (what) => process.stderr.write(`${what}\n`))
  write(values.out, results, machine())
  process.stdout.write(`${text(results)}\nReport and plots: ${values.out}/report.md\n`)
}
