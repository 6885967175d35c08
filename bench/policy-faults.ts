// What a policy that fails costs its own backend and two others beside it, of a good policy and of a built-in algorithm: lost requests, shares of
// endpoints, times. Writes bench/results/policy-faults.md; takes about two minutes.

import { backend, host, startPlane } from "../harness/plane.ts"
import { custom, type Policy, PolicyDirectory } from "../harness/policies/policies.ts"
import { configOf, faults, faultyWat, type Mode, policyWat } from "../harness/policies/wat.ts"
import { print, write } from "../harness/report.ts"
import { largest, median, quantile } from "../harness/statistics.ts"
import { type Arrival, openLoad } from "./support/open-load.ts"
import { startServers } from "./support/servers.ts"

const isQuick = process.argv.includes("--quick")
const rounds = isQuick ? 1 : 3
const seconds = isQuick ? 1 : 4
const perSecond = 150
const endpoints = 4
const names = ["shop", "other", "builtin"] as const
type Name = (typeof names)[number]
/** Undefined: the policy does what it should. */
type Way = Mode | undefined
const ways: readonly Way[] = [undefined, ...faults]

type Taken = Readonly<Record<Name, readonly Arrival[]>>

await using directory = await PolicyDirectory.make()
await using plane = await startPlane({ inWasm: directory.directives, workers: 2 })
const servers = await startServers(endpoints, { minMs: 2, meanMs: 2 })
const faulty = await directory.add("faulty", faultyWat())
const good = await directory.add("good", policyWat())
await plane.apply({ routes: { set: names.map((name) => host(`${name}.test`, name)) } })

const taken = new Map<Way, Taken[]>(ways.map((way) => [way, []]))
for (let round = 0; round < rounds; round += 1)
  for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
    await use(way)
    taken.get(way)?.push(await ask(round))
  }
servers.stop()
report()

async function use(way: Way): Promise<void> {
  const by = (policy: Policy, config?: string) => custom(policy, config)
  const set = [
    { ...backend("shop", servers.endpoints), ...by(faulty, way && configOf(way)) },
    { ...backend("other", servers.endpoints), ...by(good) },
    backend("builtin", servers.endpoints),
  ]
  await plane.apply({ backends: { set } })
}

async function ask(seed: number): Promise<Taken> {
  const { port } = plane.nginx
  const loads = names.map(async (name, n) => {
    const question = { host: `${name}.test`, path: "/" }
    return [name, await openLoad({ port, question, perSecond, seconds, seed: 10 * seed + n })] as const
  })
  return Object.fromEntries(await Promise.all(loads)) as unknown as Taken
}

function report(): void {
  const rows = ways.map((way) => {
    const all = taken.get(way) ?? []
    const lost = all
      .flatMap((one) => names.flatMap((name) => one[name]))
      .filter(({ status }) => status !== 200)
    const times = names.flatMap((name) => [0.5, 0.99].map((share) => timeOf(all, name, share)))
    return [way ?? "none", lost.length, ...times, ...names.map((name) => shareOf(all, name))]
  })
  const timeColumns = names.flatMap((name) => [`${name}: p50, ms`, "p99"])
  const shareColumns = names.map((name) => `${name}: endpoint with most, of ${endpoints}`)
  const told = isQuick ? print : write
  told({
    name: "policy-faults",
    title: "A policy that fails, and those beside it",
    method: `nginx with 2 workers; ${perSecond} requests a second, as they come (Poisson), for each of three backends with the same ${endpoints} endpoints (2 ms, and 2 more on the average): \`shop\` has a policy that fails in the way that the row names, at every pick; \`other\` has a good policy, \`builtin\` round robin. ${rounds} rounds of ${seconds} s for each way, in turn and back; medians of the rounds. Lost: another status than 200, in all three, of ${3 * rounds * seconds * perSecond}. The rows of \`fill\` and \`slow\` move memory, which counts as little work: the clock ends them.`,
    columns: ["fault", "lost", ...timeColumns, ...shareColumns],
    rows,
  })
}

function timeOf(all: readonly Taken[], name: Name, share: number): string {
  const times = all.map((one) =>
    quantile(
      one[name].map(({ tookMs }) => tookMs),
      share,
    ),
  )
  return median(times).toFixed(1)
}

/** Per cent of the requests. */
function shareOf(all: readonly Taken[], name: Name): string {
  const arrivals = all.flatMap((one) => one[name])
  const counts = Array.from({ length: endpoints }, (_, place) => place).map(
    (place) => arrivals.filter(({ body }) => body === String(place)).length,
  )
  return `${((100 * largest(counts)) / arrivals.length).toFixed(1)} %`
}
