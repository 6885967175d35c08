// What ten thousand Secrets take: read at the start by the controller's own code, and one of them changed with the whole of wick, from the file to
// the handshake. Writes bench/results/secrets.md; takes some minutes, most of them for making certificates.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Secrets } from "../controller/facts/secrets/secrets.ts"
import type { Secret } from "../controller/model/objects/secret.ts"
import {
  ingress,
  ingressClass,
  type Json,
  listOf,
  manifest,
  secret,
  serviceOn,
  withTls,
} from "../harness/manifests.ts"
import * as objects from "../harness/objects.ts"
import { type Authority, type Identity, rootAuthority } from "../harness/pki.ts"
import { write } from "../harness/report.ts"
import { shownChain } from "../harness/shake.ts"
import { median, quantile } from "../harness/statistics.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { cpuNanoseconds } from "./support/cpu.ts"
import { memoryBytes } from "./support/memory.ts"

const count = 10_000
const changes = 220
/** The first ones run code that V8 has not compiled yet: told apart. */
const cold = 20
const nameOf = (n: number) => `host-${n}.test`

const root = await rootAuthority()
const between = await root.intermediate()
const identities: Identity[] = []
for (let n = 0; n < count; n += 1) identities.push(await between.issue({ names: [nameOf(n)] }))

const rows = [...(await reading()), ...(await renewing(between))]
write({
  name: "secrets",
  title: "Ten thousand Secrets with certificates",
  method: `${count} Secrets with a certificate (EC P-256, leaf and intermediate) and its key each. Reading: \`controller/secrets\` alone, from bytes to what is posted; the longest wait is that of a timer beside it. Changing: \`wick\` with an Ingress for each Secret, from a directory of manifests; a file with one Secret is replaced ${changes} times by one with a new certificate, then a client shakes hands again and again until it is shown. The time is from the file's replacement to the end of that handshake, so it has the directory's watcher and half of the pause between two handshakes in it.`,
  columns: ["what", "figure"],
  rows,
})

async function reading(): Promise<(string | number)[][]> {
  const all = new Map<string, Secret>()
  for (const [n, identity] of identities.entries())
    all.set(`n/s-${n}`, objects.secret(`n/s-${n}`, identity.tlsData()))
  const secrets = new Secrets({ now: Date.now, changed() {}, signal: new AbortController().signal })
  const before = memoryBytes()
  const waits = monitorEventLoopDelay({ resolution: 1 })
  waits.enable()
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  await secrets.read(all)
  const { user, system } = process.cpuUsage(cpu)
  const ms = performance.now() - startMs
  waits.disable()
  const bytes = (memoryBytes() - before) / secrets.states().size
  const again = await cpuOf(() => secrets.read(new Map(all).set("n/s-0", all.get("n/s-1") as Secret)))
  return [
    ["reading all, ms of processor time", ((user + system) / 1000).toFixed(0)],
    ["reading all, ms", ms.toFixed(0)],
    [
      "longest wait of others meanwhile, ms (99 % / most)",
      `${(waits.percentile(99) / 1e6).toFixed(0)} / ${(waits.max / 1e6).toFixed(0)}`,
    ],
    ["memory for each, beside the Secret itself, bytes", bytes.toFixed(0)],
    ["reading one that changed among all, ms of processor time", again.toFixed(2)],
  ]
}

async function cpuOf(what: () => Promise<void>): Promise<number> {
  const cpu = process.cpuUsage()
  await what()
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1000
}

async function renewing(authority: Authority): Promise<(string | number)[][]> {
  const startMs = performance.now()
  await using wick = await startWick({
    manifests: {
      "class.yaml": manifest(ingressClass, ...serviceOn("n/app", [9])),
      "all.json": listOf(identities.flatMap((identity, n) => objectsOf(n, n === 0 ? undefined : identity))),
      "zero.json": listOf([secretOf(0, identities[0] as Identity)]),
    },
    timeoutMs: 300_000,
  })
  const readyMs = performance.now() - startMs
  const fresh: Identity[] = []
  for (let n = 0; n < changes; n += 1) fresh.push(await authority.issue({ names: [nameOf(0)] }))
  const cpuBefore = cpuNanoseconds(wick.pid)
  const times: number[] = []
  for (const identity of fresh) times.push(await renewal(wick, identity))
  const cpuMs = (cpuNanoseconds(wick.pid) - cpuBefore) / 1e6 / changes
  return [
    ["start of wick until it is healthy with all of them, ms", readyMs.toFixed(0)],
    [
      `one Secret changed to the next handshake, the first ${cold} changes, ms (median / most)`,
      spread(times.slice(0, cold), 1),
    ],
    ["one Secret changed to the next handshake, ms (median / 99 %)", spread(times.slice(cold), 0.99)],
    ["processor time of the controller for one change, ms", cpuMs.toFixed(1)],
  ]
}

function spread(times: readonly number[], most: number): string {
  return `${median(times).toFixed(1)} / ${quantile(times, most).toFixed(1)}`
}

async function renewal(wick: Wick, identity: Identity): Promise<number> {
  const startMs = performance.now()
  wick.write("zero.json", listOf([secretOf(0, identity)]))
  for (;;) {
    const [leaf] = await shownChain(wick.httpsPort, { servername: nameOf(0) })
    if (leaf?.equals(identity.der)) return performance.now() - startMs
    if (performance.now() - startMs > 30_000) throw new Error("The new certificate is not shown")
  }
}

/** Without an identity the Ingress alone. */
function objectsOf(n: number, identity: Identity | undefined): Json[] {
  const own = withTls(ingress(`n/i-${n}`, `${nameOf(n)}/ → app:80`), `${nameOf(n)}=s-${n}`)
  return identity === undefined ? [own] : [own, secretOf(n, identity)]
}

function secretOf(n: number, identity: Identity): Json {
  return secret(`n/s-${n}`, identity.tlsData())
}
