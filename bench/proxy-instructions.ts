// Instructions per proxied request, counted by valgrind: the ways of proxy-cpu.ts without the noise of a machine. Writes
// bench/results/proxy-instructions.md. Needs valgrind; takes some minutes. `--ways=ewma,chash --endpoints=10` counts a part
// and writes nothing; `--keep=FOLDER` keeps callgrind's files for callgrind_annotate, which knows our functions when
// `--modules=FOLDER` has the modules as cargo built them (docs/performance.md).
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { startLoad } from "../harness/load.ts"
import { type Nginx, startNginx } from "../harness/nginx.ts"
import { print, write } from "../harness/report.ts"
import { callgrind, needValgrind, totalIn } from "./support/callgrind.ts"
import { baseOf, label, select } from "./support/cases.ts"
import { userNanoseconds } from "./support/cpu.ts"
import { type Case, cookiesOf, endpointsConf, hostName, many, paths, startSite } from "./support/sites.ts"

// The longer run does nothing that the shorter one did not: every endpoint has been connected to before.
const short = 4 * many
const long = short + 4000

needValgrind()
const { cases, isWhole, keep, modules } = select()
await using endpoints = await startNginx(endpointsConf(many))
const counts = new Map<string, number>()
for (const one of cases) {
  const before = one.endpoints === many ? short : 1000
  const after = before + long - short
  const perRequest = ((await instructions(one, after)) - (await instructions(one, before))) / (after - before)
  counts.set(label(one), perRequest)
}
report(await nanosecondsPerInstruction())

/** Instructions that nginx's event loop takes in a run of so many requests. */
async function instructions(one: Case, requests: number): Promise<number> {
  const dir = keep ?? mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = resolve(dir, `${label(one).replaceAll(/\W+/g, "-")}.${requests}`)
  const options = modules === undefined ? {} : { modules: resolve(modules) }
  const nginx = await startSite(one, endpoints.port, { under: callgrind(out), ...options })
  await load(one, nginx, requests, 4)
  await nginx.stop()
  const total = totalIn(out)
  if (keep === undefined) rmSync(dir, { recursive: true })
  return total
}

async function load(one: Case, nginx: Nginx, requests: number, connections: number): Promise<void> {
  const cookies = one.withCookies ? await cookiesOf(nginx, paths.length) : []
  const question = (n: number) => {
    const cookie = cookies[n % cookies.length]
    const path = paths[n % paths.length] ?? "/"
    return { host: hostName, path, ...(cookie === undefined ? {} : { headers: { cookie } }) }
  }
  const { statuses, lost } = await startLoad({ port: nginx.port, connections, requests, question }).done
  if (statuses.get(200) !== requests)
    throw new Error(`${label(one)}: ${[...statuses]} ${lost[0]?.error}\n${nginx.errorLog()}`)
}

/** What an instruction takes in a worker that runs freely: user time of `static` per request over its instructions. */
async function nanosecondsPerInstruction(): Promise<number> {
  const requests = 60_000
  const base = cases[0] as Case
  await using nginx = await startSite(base, endpoints.port)
  const worker = nginx.workers()[0] ?? 0
  const before = userNanoseconds(worker)
  await load(base, nginx, requests, 16)
  return (userNanoseconds(worker) - before) / requests / (counts.get(label(base)) ?? Number.NaN)
}

function report(nanoseconds: number): void {
  const save = isWhole ? write : print
  save({
    name: "proxy-instructions",
    title: "Instructions of a worker per proxied request",
    method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests
(${long - short}), four kept connections to the client, kept connections to all endpoints. The kernel's share (system calls, some three quarters of a request's CPU
time) is not in it, so these ratios are several times those of the CPU time. The ways are those of proxy-cpu.md. \`static_rewrite\` is a location with a regular expression and a \`rewrite\`, as
ingress-nginx prints it; \`static_headers\` has two \`add_header\`; \`route_rewrite\`, \`route_headers\` and \`route_numbers\` are routes that do the same, and nginx chooses the endpoint.`,
    columns: ["way", "compared with", "instructions per request", "more", "ratio", "that is about"],
    rows: cases.map((one) => {
      const count = counts.get(label(one)) ?? Number.NaN
      const base = counts.get(label(baseOf(one))) ?? Number.NaN
      const nanosecondsMore = `${Math.round((count - base) * nanoseconds)} ns`
      const numbers = [Math.round(count), Math.round(count - base), (count / base).toFixed(3)]
      return [label(one), label(baseOf(one)), ...numbers, nanosecondsMore]
    }),
    remarks: [
      `Nanoseconds are instructions times ${nanoseconds.toFixed(2)} ns, what an instruction takes on average in a worker of \`static\` that runs freely (user time). \`sticky\` is compared with \`static\` under the same requests, cookies and all.`,
    ],
  })
}
