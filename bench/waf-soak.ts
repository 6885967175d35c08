// Rules of ModSecurity that change under load: nothing that is ordinary is lost, nothing that is an attack passes, and memory stays flat. Writes
// a page of bench/results; ends with 1 when a request had another answer. `--minutes=N`, 20 by default; fewer are printed only.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { startBackends } from "../harness/backends.ts"
import { startLoad } from "../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../harness/manifests.ts"
import { print, write } from "../harness/report.ts"
import { until } from "../harness/until.ts"
import { startWick } from "../harness/wick.ts"
import { privateBytes } from "./support/cpu.ts"

const { values } = parseArgs({ options: { minutes: { type: "string", default: "20" } } })
const minutes = Number(values.minutes)
const hosts = 30
const nameOf = (host: number) => `h${host}.test`
const attack = "/?id=1%27%20UNION%20SELECT%20user,password%20FROM%20accounts--"
/** On every third host the firewall is switched off and on: attacks are sent to the others only. */
const isSwitched = (host: number) => host % 3 === 0

const backends = await startBackends("one")
const generations = Array.from({ length: hosts }, () => 0)
const objectsOf = (host: number, isOn: boolean) =>
  manifest(
    ingress(`demo/h${host}`, `${nameOf(host)}/ → app:80`, {
      "enable-modsecurity": String(isOn),
      "enable-owasp-core-rules": "true",
      "modsecurity-snippet": `SecRuleEngine On\nSecRule ARGS:token "@streq g${generations[host]}" "id:10001,phase:1,deny,status:403,t:none"`,
    }),
  )
await using wick = await startWick({
  manifests: {
    "class.yaml": manifest(ingressClass, ...serviceOn("demo/app", [backends[0]?.port ?? 0])),
    ...Object.fromEntries(generations.map((_, host) => [`h${host}.yaml`, objectsOf(host, true)])),
  },
})
const askAs = { "User-Agent": "curl/8.22.0", Accept: "*/*" }
const statusOf = async (host: number, path: string) =>
  (await wick.get(path, { host: nameOf(host), headers: askAs })).status
for (const host of generations.keys())
  await until(`the firewall of ${nameOf(host)}`, async () => (await statusOf(host, attack)) === 403)

const wrong: string[] = []
const load = startLoad({
  port: wick.port,
  connections: 4,
  requests: 1e9,
  pauseMs: 2,
  question: (n) => {
    const host = Math.floor(n / 2) % hosts
    return {
      host: nameOf(host),
      path: n % 2 === 0 || isSwitched(host) ? "/products?page=2" : attack,
      headers: askAs,
    }
  },
  onAnswer: ({ status }, _, { host, path = "/" }) => {
    const wanted = path === attack ? 403 : 200
    if (status !== wanted) wrong.push(`${status} of ${host}${path}`)
  },
})

const startMs = performance.now()
const minute = () => (performance.now() - startMs) / 60_000
const changes = changeUntilEnd()
const columns = [
  "minute",
  "requests",
  "changes",
  "reloads",
  "workers, MB",
  "controller, MB",
  "rule sets on disk",
]
const rows = [await sample()]
while (minute() < minutes) {
  await pause(Math.min(60_000, (minutes * 60_000) / 5))
  rows.push(await sample())
  process.stderr.write(`${rows.at(-1)?.join(" | ")} | wrong: ${wrong.length}\n`)
}
const seconds = await changes
const { lost } = await load.stop()
await backends.stop()
const sorted = seconds.toSorted((a, b) => a - b)
const save = minutes < 20 ? print : write
save({
  name: "waf-soak",
  title: "Rules of ModSecurity that change under load",
  method: `\`wick\` with ${hosts} hosts from a directory of manifests, each with the OWASP Core Rule Set 4.22.0 and a rule of its own. One after the other gets another rule, and every third is switched off and on. Meanwhile four connections ask for a page (200) and send SQL in the query (403) to those that are never off. Memory is private (smaps_rollup).`,
  columns,
  rows,
  remarks: [
    `${wrong.length} answers were not those expected${wrong.length === 0 ? "" : `: ${[...new Set(wrong)].slice(0, 10).join("; ")}`}, and ${lost.length} requests had none${lost.length === 0 ? "" : `: ${lost[0]?.error}`}.`,
    `From a file's change to its rule in force: median ${at(sorted, 0.5)} s, 99th percentile ${at(sorted, 0.99)} s.`,
  ],
})
if (wrong.length + lost.length > 0) process.exitCode = 1

/** Returns how long each change took to be in force. */
async function changeUntilEnd(): Promise<number[]> {
  const seconds: number[] = []
  for (let host = 0; minute() < minutes; host = (host + 1) % hosts) {
    const beganMs = performance.now()
    if (isSwitched(host)) await switched(host)
    await renewed(host)
    seconds.push((performance.now() - beganMs) / 1000)
  }
  return seconds
}

async function renewed(host: number): Promise<void> {
  generations[host] = (generations[host] ?? 0) + 1
  wick.write(`h${host}.yaml`, objectsOf(host, true))
  await until(
    `the rule of ${nameOf(host)}`,
    async () => (await statusOf(host, `/?token=g${generations[host]}`)) === 403,
  )
}

async function switched(host: number): Promise<void> {
  wick.write(`h${host}.yaml`, objectsOf(host, false))
  await until(`${nameOf(host)} without a firewall`, async () => (await statusOf(host, attack)) === 200)
}

async function sample(): Promise<(string | number)[]> {
  const megabytes = (pid: number) => (privateBytes(pid) / 1e6).toFixed(1)
  return [
    minute().toFixed(1),
    load.result.requests,
    generations.reduce((sum, generation) => sum + generation, 0),
    await wick.metric("nginx_ingress_controller_success"),
    wick.workers().map(megabytes).join(" · "),
    megabytes(wick.pid),
    readdirSync(join(wick.runtimeDir, "modsecurity")).length,
  ]
}

function at(sorted: readonly number[], part: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(2)
}
