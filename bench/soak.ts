// An hour of everything at once: every algorithm, by HTTP, TLS, HTTP/2, gRPC and WebSockets, while all that can change does, nginx reloads, and
// workers, the controller and the filter die. Writes bench/results/soak.md; ends with 1 when a request was lost that no killed worker had, or when
// something is counted that no longer runs. `--minutes=N`, 60 by default; fewer are printed only.
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { print, write } from "../harness/report.ts"
import { churn } from "./soak/churn.ts"
import { Ledger } from "./soak/ledger.ts"
import { columns, sample } from "./soak/sample.ts"
import { Stage } from "./soak/stage.ts"
import { startTraffic } from "./soak/traffic.ts"

const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } })
const minutes = Number(values.minutes)
const everyMs = Math.min(5, minutes / 4) * 60_000

await using stage = await Stage.start()
const ledger = new Ledger()
const traffic = startTraffic(stage, ledger)
const changes = churn(stage, ledger)
const rows: (string | number)[][] = [await sample(stage, ledger, 0)]
const startMs = performance.now()
for (let minute = 0; minute < minutes; ) {
  await pause(everyMs)
  minute = (performance.now() - startMs) / 60_000
  rows.push(await sample(stage, ledger, minute))
  process.stderr.write(`${rows.at(-1)?.join(" | ")}\n`)
}
await changes.stop()
await traffic.stop()
const shunned = await stage.shunned()
rows.push(await sample(stage, ledger, minutes))

const { unexplained } = ledger
const save = minutes < 60 ? print : write
save({
  name: "soak",
  title: "An hour of everything at once",
  method: `\`wick\` with two workers, ${stage.hosts.length} hosts (one for each algorithm) and one each for gRPC, WebSockets, and all checks and limits, from the directory of manifests. Clients: ${traffic.names.join(", ")}. Meanwhile: ${changes.names.join("; ")}. A request counts as lost when it has no answer or another status than 200, unless a worker was killed with -9 while it ran, or up to ${Math.round(ledger.slackMs)} ms before (100, and as late as the client ever was). Memory is private (smaps_rollup).`,
  columns,
  rows,
  remarks: [
    `${ledger.total.toLocaleString("en")} requests and messages: ${ledger.byName()}.`,
    `${ledger.explained} were inside a killed worker; **${unexplained.length} were lost otherwise**${unexplained.length === 0 ? "." : `: ${unexplained.slice(0, 20).join("; ")}.`}`,
    `When all had ended, ${shunned.length === 0 ? "`least_conn` sent as much to each endpoint as to any other: nothing was counted as running any more" : `**\`least_conn\` shunned ${shunned.join(", ")}**`}.`,
    changes.summary(),
  ],
})
if (unexplained.length > 0 || shunned.length > 0) process.exitCode = 1
