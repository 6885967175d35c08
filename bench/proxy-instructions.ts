// Instructions per proxied request, counted by valgrind: the same four ways as proxy-cpu.ts, without the noise of a machine.
// Writes bench/results/proxy-instructions.md. Needs valgrind; takes some minutes.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startLoad } from "../test/support/load.ts"
import { startNginx } from "../test/support/nginx.ts"
import { backend, host, Plane } from "../test/support/plane.ts"
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
report()

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

function needValgrind(): void {
  try {
    execFileSync("valgrind", ["--version"], { stdio: "ignore" })
  } catch {
    process.stderr.write("This benchmark needs valgrind: run 'apt-get install valgrind', then try again\n")
    process.exit(1)
  }
}

function report(): void {
  const of = (way: Way) => counts.get(way) ?? Number.NaN
  const more = (way: Way, than: Way) => Math.round(of(way) - of(than))
  write({
    name: "proxy-instructions",
    title: "Instructions of a worker per proxied request",
    method: `valgrind's callgrind over one nginx process; (run of ${many} requests − run of ${few} requests) / ${many - few}, four kept connections, ten endpoints over kept
connections. The kernel's share (system calls, the larger part of a request's time) is not in it. The ways are those of proxy-cpu.md.`,
    columns: ["way", "instructions per request", "ratio to static"],
    rows: ways.map((way) => [way, Math.round(of(way)), (of(way) / of("static")).toFixed(3)]),
    remarks: [
      `Loading the modules adds ${more("modules", "static")}, the route ${more("route", "modules")}, select and info in the Wasm filter ${more("wick", "route")} instructions.`,
    ],
  })
}
