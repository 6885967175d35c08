// Instructions per request of nginx as the controller configures it, beside plain nginx with the same headers and without them. Writes
// bench/results/rendered-instructions.md. Needs valgrind; takes some minutes. `--ways=round_robin,ewma` counts a part and writes nothing; `--keep=FOLDER` keeps
// callgrind's files, and `--modules=FOLDER` has the modules to measure, as in proxy-instructions.ts.
import { parseArgs } from "node:util"
import { startNginx } from "../harness/nginx.ts"
import { print, write } from "../harness/report.ts"
import { needValgrind } from "./support/callgrind.ts"
import { instructionsOf } from "./support/rendered-count.ts"
import { wayOf, ways } from "./support/rendered-ways.ts"
import { endpointsConf, few } from "./support/sites.ts"

const [short, long] = [1000, 5000]

needValgrind()
const text = { type: "string" } as const
const { values } = parseArgs({ options: { ways: text, keep: text, modules: text } })
const names = values.ways?.split(",") ?? Object.keys(ways)
await using endpoints = await startNginx(endpointsConf(few))
const counts = new Map<string, number>()
for (const name of names) {
  const { keep, modules } = values
  const run = { requests: [short, long] as const, port: endpoints.port, keep, modules }
  counts.set(name, await instructionsOf(wayOf(name), name, run))
}
report()

function report(): void {
  const save = values.ways === undefined ? write : print
  const base = counts.get("by hand") ?? Number.NaN
  save({
    name: "rendered-instructions",
    title: "Instructions of a worker per request, as the controller configures it",
    method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests (${long - short}), four
kept connections to the client, kept connections to ten endpoints, with the access log. \`by hand\` is plain nginx with the same http settings, log, maps and headers to the backend, and a static upstream;
\`by hand without headers\` sends only Host. \`HAProxy\` edits the same headers and writes the same line; it asks the kernel for less per request. Clients of \`sticky\` come without a cookie, so each answer sets one. \`cors for all\` allows every origin, \`cors with Origin\` three, one of them
with an asterisk, which is the request's. \`allowlist\` has ten networks. \`metrics\` counts each request (\`--enable-metrics\`), \`native histograms\` with \`--bucket-factor=1.1\` as well, \`metrics per endpoint\` each attempt of its endpoint as well (\`--metrics-per-endpoint\`), the others do not. \`basic remembered\` sends the same password with each request, as \`with Authorization\` does where nobody asks for it. System calls are not in it.`,
    columns: ["way", "instructions per request", "ratio to `by hand`"],
    rows: [...counts].map(([name, count]) => [name, Math.round(count), (count / base).toFixed(3)]),
  })
}
