// What a handshake costs a worker with its certificate in the zone, among 10,000, against one in the configuration. Writes
// bench/results/tls-handshakes.md. Needs valgrind; takes about a quarter of an hour. `--quick` prints a small run.
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Nginx } from "../harness/nginx.ts"
import { print, write } from "../harness/report.ts"
import { median } from "../harness/statistics.ts"
import { until } from "../harness/until.ts"
import { cpuNanoseconds, heapBytes, zoneBytes } from "./support/cpu.ts"
import { type Shape, sessionOf, shakes } from "./support/handshakes.ts"
import {
  certificatesOf,
  hostOf,
  type Key,
  makeCertificates,
  places,
  startOurs,
  startStatic,
} from "./support/tls-sites.ts"

const isQuick = process.argv.includes("--quick")
const certificateCount = isQuick ? 400 : 10_000
const perKey = certificateCount / 2
const rounds = isQuick ? 3 : 6
const handshakes = isQuick ? 100 : 200
/** Hosts that instructions are counted for; each was met before. */
const counted = 32
const countedHandshakes = isQuick ? 64 : 128

interface Case {
  readonly version: Shape["version"]
  readonly key: Key
  readonly resumed?: "tickets" | "cache"
}

const versions = ["TLSv1.3", "TLSv1.2"] as const
const cases: readonly Case[] = [
  ...versions.flatMap((version) => (["ec", "rsa"] as const).map((key) => ({ version, key }))),
  ...versions.flatMap((version) =>
    (["tickets", "cache"] as const).map((resumed) => ({ version, key: "ec" as const, resumed })),
  ),
]

const say = (what: string) => process.stderr.write(`${what}\n`)
say(`${certificateCount} certificates are made`)
const certificates = await makeCertificates(certificateCount)
const times = new Map<Case, { readonly static: number[]; readonly ours: number[] }>()
say("time is measured")
const memory = await measureTimes()
say("instructions are counted")
const counts = { static: await instructions(startStatic), ours: await instructions(startOurs) }
report()

/** CPU time per handshake in alternating rounds; and what the certificates take of memory. */
async function measureTimes() {
  await using plain = await startStatic(certificates)
  await using ours = await startOurs(certificates)
  const worker = ours.workers()[0] ?? 0
  const unused = heapBytes(worker)
  const zone = zoneBytes(worker)
  for (const key of ["ec", "rsa"] as const)
    await shakes(portOf(ours, { version: "TLSv1.3", key }), perKey, (n) => hostOf(key, n), {
      version: "TLSv1.3",
    })
  const used = heapBytes(worker)
  for (const one of cases) times.set(one, { static: [], ours: [] })
  for (let round = 0; round < rounds; round += 1) {
    for (const one of cases) {
      const order = round % 2 === 0 ? (["static", "ours"] as const) : (["ours", "static"] as const)
      for (const which of order)
        times.get(one)?.[which].push(await microseconds(which === "ours" ? ours : plain, one, round))
    }
  }
  return {
    zone: zone / certificateCount,
    used: (used - unused) / certificateCount,
    idle: unused - heapBytes(plain.workers()[0] ?? 0),
  }
}

async function microseconds(nginx: Nginx, one: Case, round: number): Promise<number> {
  const worker = nginx.workers()[0] ?? 0
  const load = await prepared(nginx, one, (n) => hostOf(one.key, (round * handshakes + n) % perKey))
  await load(20)
  const before = cpuNanoseconds(worker)
  await load(handshakes)
  return (cpuNanoseconds(worker) - before) / handshakes / 1000
}

/** Instructions per handshake in nginx's event loop, for each case. */
async function instructions(start: typeof startOurs): Promise<ReadonlyMap<Case, number>> {
  const dir = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(dir, "out")
  const loop = ["--collect-atstart=no", "--toggle-collect=ngx_process_events_and_timers"]
  const nginx = await start(certificates, [
    "valgrind",
    "--tool=callgrind",
    ...loop,
    `--callgrind-out-file=${out}`,
  ])
  const perHandshake = new Map<Case, number>()
  for (const [n, one] of cases.entries()) {
    const load = await prepared(nginx, one, (n) => hostOf(one.key, n % counted))
    await load(2 * counted)
    control("--zero", nginx)
    await load(countedHandshakes)
    control("--dump", nginx)
    const total = await until("callgrind's file", () => summary(`${out}.${n + 1}`), 60_000)
    perHandshake.set(one, total / countedHandshakes)
  }
  await nginx.stop()
  rmSync(dir, { recursive: true })
  return perHandshake
}

function control(what: "--zero" | "--dump", { pid }: Nginx): void {
  execFileSync("callgrind_control", [what, String(pid)], { stdio: "ignore" })
}

function summary(file: string): number | undefined {
  const text = existsSync(file) ? readFileSync(file, "utf8") : ""
  const total = /^(?:summary|totals): (\d+)/m.exec(text)?.[1]
  return total === undefined ? undefined : Number(total)
}

/** So many handshakes of the case. One that is resumed is always for the host of the session. */
async function prepared(nginx: Nginx, one: Case, nameOf: (n: number) => string) {
  const { version } = one
  const port = portOf(nginx, one)
  if (one.resumed === undefined) return (count: number) => shakes(port, count, nameOf, { version })
  const name = nameOf(0)
  const session = await sessionOf(port, name, { version })
  return (count: number) => shakes(port, count, () => name, { version, session })
}

function portOf(nginx: Nginx, { key, resumed }: Case): number {
  const tickets = resumed === "cache" ? "off" : "on"
  return nginx.site.ports[places.findIndex((place) => place.key === key && place.tickets === tickets)] ?? 0
}

function row(one: Case): (string | number)[] {
  const time = times.get(one) ?? { static: [], ours: [] }
  const count = { static: counts.static.get(one) ?? Number.NaN, ours: counts.ours.get(one) ?? Number.NaN }
  const ratio = median(time.ours.map((value, round) => value / (time.static[round] ?? Number.NaN)))
  const more = count.ours / count.static
  const kind = one.resumed === undefined ? "full" : `resumed, ${one.resumed}`
  return [
    `${one.version.replace("v", " ")}, ${certificatesOf[one.key]}, ${kind}`,
    median(time.static).toFixed(0),
    median(time.ours).toFixed(0),
    ratio.toFixed(3),
    Math.round(count.static).toLocaleString("en"),
    Math.round(count.ours - count.static).toLocaleString("en"),
    `${more.toFixed(3)} ${more <= 1.05 ? "✓" : "✗"}`,
  ]
}

function report(): void {
  const save = isQuick ? print : write
  save({
    name: "tls-handshakes",
    title: "CPU of a worker per TLS handshake",
    method: `One worker; ${certificateCount.toLocaleString("en")} certificates in the zone, half of each kind of key, below one intermediate authority, each for a host of its own; against stock nginx
with one certificate in its configuration and no module. A handshake is a connection that is closed as soon as it stands, four at a time. Time: ${rounds} alternating rounds of ${handshakes} handshakes, full ones each for another host whose
certificate the worker has used before; CPU from /proc/<pid>/schedstat, medians; the ratio is the median of the rounds'. Instructions: callgrind over nginx's event loop, ${countedHandshakes} handshakes for
${counted} hosts in turn, which it has met before.`,
    columns: [
      "handshake",
      "static, µs",
      "zone, µs",
      "ratio",
      "static, instructions",
      "zone: more",
      "ratio (target 1.05)",
    ],
    rows: cases.map(row),
    remarks: [
      `Memory: a certificate with its chain, key and host takes ${kib(memory.zone)} in the zone, ${kib(memory.used)} in a worker that has used it, and nothing in one that has not: module and zone take ${kib(memory.idle)} of such a worker.`,
      "RSA may come out below static: OpenSSL renews the blinding of a key after 32 uses, and the zone's 16 keys are used less often than the one of the configuration.",
    ],
  })
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
