// Whether anything grows while clients shake hands a million times and certificates are renewed meanwhile. Writes bench/results/handshake-soak.md;
// takes about a quarter of an hour. `--quick` prints a small run.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { ingress, ingressClass, listOf, manifest, secret, settings, withTls } from "../harness/manifests.ts"
import { type Authority, rootAuthority } from "../harness/pki.ts"
import { childrenOf } from "../harness/processes.ts"
import { print, write } from "../harness/report.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { compileC } from "./support/c-program.ts"
import { privateBytes } from "./support/cpu.ts"

const isQuick = process.argv.includes("--quick")
const total = isQuick ? 20_000 : 1_000_000
const steps = 10
const hosts = 200
const clients = 2
/** Of one certificate each. */
const renewalMs = 500
const nameOf = (n: number) => `host-${n}.shop.test`

const dir = mkdtempSync(join(tmpdir(), "wick-soak-"))
const client = compileC("handshakes", dir, "-lssl", "-lcrypto")

const authority = await (await rootAuthority()).intermediate()
await using wick = await start(authority)
const rows: (string | number)[][] = [rowOf("before", 0)]
let renewed = 0
for (let step = 1; step <= steps; step += 1) {
  await shakeWhileRenewing(step)
  rows.push(rowOf(`${(total / steps) * step}`, renewed))
}
const failures = await wick.metric("nginx_ingress_controller_errors")
rmSync(dir, { recursive: true })
const save = isQuick ? print : write
save({
  name: "handshake-soak",
  title: "Memory while clients shake hands",
  method: `\`wick\` with ${hosts} hosts, each with a Secret (EC P-256, leaf and intermediate), and two workers. ${clients} clients (bench/support/handshakes.c) complete ${total.toLocaleString("en")} full handshakes, TLS 1.3 and 1.2 in turn, for hosts at random, and break off one in seven more; meanwhile a Secret is renewed every ${renewalMs} ms. Memory is what a process has for itself (smaps_rollup, Private).`,
  columns: ["handshakes", "certificates renewed", "controller, MiB", "workers, MiB"],
  rows,
  remarks: [
    `${await wick.metric("nginx_ingress_controller_success")} reloads, the first start included; ${failures} failed.`,
  ],
})

async function start(issuer: Authority): Promise<Wick> {
  const all = []
  const manifests: Record<string, string> = {}
  for (let n = 0; n < hosts; n += 1) {
    all.push(withTls(ingress(`n/i-${n}`, `${nameOf(n)}/ → app:80`), `${nameOf(n)}=s-${n}`))
    manifests[`s-${n}.json`] = await secretFile(issuer, n)
  }
  manifests["class.yaml"] = manifest(ingressClass, settings("n/settings", { "worker-processes": "2" }))
  manifests["all.json"] = listOf(all)
  return startWick({ manifests, flags: ["--configmap=n/settings"], timeoutMs: 120_000 })
}

async function secretFile(issuer: Authority, n: number): Promise<string> {
  return listOf([secret(`n/s-${n}`, (await issuer.issue({ names: [nameOf(n)] })).tlsData())])
}

async function shakeWhileRenewing(step: number): Promise<void> {
  const count = String(total / steps / clients)
  const seeds = Array.from({ length: clients }, (_, n) => String(step * clients + n))
  const run = promisify(execFile)
  let isDone = false
  const done = Promise.all(
    seeds.map((seed) => run(client, [String(wick.httpsPort), count, String(hosts), seed])),
  ).finally(() => {
    isDone = true
  })
  while (!isDone) {
    const n = renewed % hosts
    wick.write(`s-${n}.json`, await secretFile(authority, n))
    renewed += 1
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, renewalMs))])
  }
  await done
}

function rowOf(handshakes: string, renewals: number): (string | number)[] {
  const mib = (pid: number) => (privateBytes(pid) / 1024 / 1024).toFixed(1)
  const workers = childrenOf(wick.nginxPid ?? 0).map(mib)
  return [handshakes, renewals, mib(wick.pid), workers.join(" · ")]
}
