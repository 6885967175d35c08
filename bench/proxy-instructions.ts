// Instructions per proxied request, counted by valgrind: the same four ways as proxy-cpu.ts, without the noise of a machine.
// Writes bench/results/proxy-instructions.md. Needs valgrind; takes some minutes.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startLoad } from "../test/support/load.ts"
import { startNginx } from "../test/support/nginx.ts"
import { backend, host, Plane } from "../test/support/plane.ts"
import { userNanoseconds } from "./support/cpu.ts"
import { write } from "./support/report.ts"
import { endpointsConf, hostName, proxyConf, type Way } from "./support/sites.ts"

const ways: readonly Way[] = ["static", "modules", "route", "wick"]
const few = 1000
const many = 6000

needValgrind()
await using endpoints = await startNginx(endpointsConf, { ports: 10 })
const counts = new Map<Way, number>()
for (const way of ways) {
  // Two runs that differ only in the number of requests: start, compilation and end cancel out.
  const perRequest = ((await instructions(way, many)) - (await instructions(way, few))) / (many - few)
  counts.set(way, perRequest)
}
report(await nanosecondsPerInstruction())

/** Instructions of a whole run of nginx that answers so many requests. */
async function instructions(way: Way, requests: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(dir, "out")
  // JIT code is new code at addresses valgrind may have seen: it must look again.
  const under = ["valgrind", "--tool=callgrind", "--smc-check=all-non-file", `--callgrind-out-file=${out}`]
  const nginx = await startNginx(proxyConf(way, endpoints.site.ports, true), { under })
  if (way === "route" || way === "wick") {
    await new Plane(nginx).apply({
      backends: {
        set: [
          backend(
            "shop",
            endpoints.site.ports.map((port) => ({ endpoint: { address: "127.0.0.1", port } })),
          ),
        ],
      },
      routes: { set: [host(hostName, "shop")] },
    })
  }
  const load = startLoad({ port: nginx.port, connections: 4, requests, question: () => ({ host: hostName }) })
  const { statuses, lost } = await load.done
  if (statuses.get(200) !== requests)
    throw new Error(`${way}: ${[...statuses]} ${lost[0]?.error}\n${nginx.errorLog()}`)
  await nginx.stop()
  const total = Number(/^(?:summary|totals): (\d+)/m.exec(readFileSync(out, "utf8"))?.[1])
  rmSync(dir, { recursive: true })
  return total
}

/** What an instruction takes in a worker that runs freely: user time of `static` per request over its instructions. */
async function nanosecondsPerInstruction(): Promise<number> {
  const requests = 60_000
  await using nginx = await startNginx(proxyConf("static", endpoints.site.ports))
  const worker = nginx.workers()[0] ?? 0
  const before = userNanoseconds(worker)
  await startLoad({ port: nginx.port, connections: 16, requests, question: () => ({ host: hostName }) }).done
  return (userNanoseconds(worker) - before) / requests / (counts.get("static") ?? Number.NaN)
}

function needValgrind(): void {
  try {
    execFileSync("valgrind", ["--version"], { stdio: "ignore" })
  } catch {
    process.stderr.write("This benchmark needs valgrind: run 'apt-get install valgrind', then try again\n")
    process.exit(1)
  }
}

function report(nanoseconds: number): void {
  const of = (way: Way) => counts.get(way) ?? Number.NaN
  const part = (way: Way, than: Way) => {
    const more = of(way) - of(than)
    return `${Math.round(more)} instructions (about ${Math.round(more * nanoseconds)} ns)`
  }
  write({
    name: "proxy-instructions",
    title: "Instructions of a worker per proxied request",
    method: `valgrind's callgrind over one nginx process; (run of ${many} requests − run of ${few} requests) / ${many - few}, four kept connections, ten endpoints over kept
connections. The kernel's share (system calls, some three quarters of a request's CPU time) is not in it, so these ratios are several times
those of the CPU time. The ways are those of proxy-cpu.md.`,
    columns: ["way", "instructions per request", "ratio to static"],
    rows: ways.map((way) => [way, Math.round(of(way)), (of(way) / of("static")).toFixed(3)]),
    remarks: [
      `The modules add ${part("modules", "static")} to every request of a server that has them, the route ${part("route", "modules")}, select and info in the Wasm filter ${part("wick", "route")}. Nanoseconds are instructions times ${nanoseconds.toFixed(2)} ns, what an instruction takes on average in a worker of \`static\` that runs freely (user time).`,
    ],
  })
}
