// Instructions per request of nginx as the controller configures it, beside plain nginx with the same headers and without them. Writes
// bench/results/rendered-instructions.md. Needs valgrind; takes some minutes. `--ways=round_robin,ewma` counts a part and writes nothing.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Settings } from "../controller/core/options/settings.ts"
import { startLoad } from "../test/support/load.ts"
import { startNginx } from "../test/support/nginx.ts"
import { basic } from "../test/support/passwords.ts"
import { callgrind, needValgrind, totalIn, wholeCallgrind } from "./support/callgrind.ts"
import { startHaproxy } from "./support/haproxy-site.ts"
import { hostName, type Kind, startRendered } from "./support/rendered-site.ts"
import { print, write } from "./support/report.ts"
import { endpointsConf, few } from "./support/sites.ts"

interface Way {
  readonly kind: Kind | "haproxy"
  readonly annotations?: Readonly<Record<string, string>>
  /** of each request */
  readonly headers?: Readonly<Record<string, string>>
  /** of the ConfigMap */
  readonly settings?: Partial<Settings>
  /** with `--enable-metrics` */
  readonly counts?: boolean
}

const origin = { origin: "https://app.shop.test" }
const listed = "https://shop.test,https://*.shop.test,https://other.test:8443"

/** Ten networks, one of them the client's. */
const networks = ["127.0.0.1", ...Array.from({ length: 9 }, (_, at) => `${at * 20}.0.0.0/9`)].join()

/** The Ingress's own Service is asked; with a key once in a run. */
const asked = { "auth-url": "http://web.shop.svc.cluster.local/check", "auth-response-headers": "X-User" }

const traced = { "enable-opentelemetry": "true" }
/** Of a client that does not want its trace recorded. */
const traceparent = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00" }

const ways: Readonly<Record<string, Way>> = {
  "by hand": { kind: "by-hand" },
  "by hand without headers": { kind: "bare" },
  HAProxy: { kind: "haproxy" },
  round_robin: { kind: "rendered" },
  metrics: { kind: "rendered", counts: true },
  "with traceparent": { kind: "rendered", headers: traceparent },
  "traced but not sampled": { kind: "rendered", annotations: traced, settings: { sampler: "AlwaysOff" } },
  "not sampled by the client": { kind: "rendered", annotations: traced, headers: traceparent },
  "traced and sampled": { kind: "rendered", annotations: traced, settings: { maxQueueSize: 32_768 } },
  ewma: { kind: "rendered", annotations: { "load-balance": "ewma" } },
  chash: { kind: "rendered", annotations: { "upstream-hash-by": "$request_uri" } },
  sticky: { kind: "rendered", annotations: { affinity: "cookie" } },
  limits: { kind: "rendered", annotations: { "limit-rps": "1000000", "limit-connections": "1000" } },
  "limit-rps": { kind: "rendered", annotations: { "limit-rps": "1000000" } },
  "cors for all": { kind: "rendered", annotations: { "enable-cors": "true" } },
  "with Origin": { kind: "rendered", headers: origin },
  "cors with Origin": {
    kind: "rendered",
    annotations: { "enable-cors": "true", "cors-allow-origin": listed },
    headers: origin,
  },
  "with Authorization": { kind: "rendered", headers: basic("ada") },
  "basic remembered": {
    kind: "rendered",
    annotations: { "auth-type": "basic", "auth-secret": "users" },
    headers: basic("ada"),
  },
  "external auth": { kind: "rendered", annotations: asked },
  "kept external auth": {
    kind: "rendered",
    annotations: { ...asked, "auth-cache-key": "$http_authorization", "auth-cache-duration": "200 10m" },
    headers: { authorization: `Bearer ${"x".repeat(300)}` },
  },
  "with a token": { kind: "rendered", headers: { authorization: `Bearer ${"x".repeat(300)}` } },
  allowlist: { kind: "rendered", annotations: { "allowlist-source-range": networks } },
}

const [short, long] = [1000, 5000]

needValgrind()
const { values } = parseArgs({ options: { ways: { type: "string" } } })
const names = values.ways?.split(",") ?? Object.keys(ways)
await using endpoints = await startNginx(endpointsConf(few))
const counts = new Map<string, number>()
for (const name of names) {
  const way = ways[name]
  if (way === undefined) throw new Error(`"${name}" is none of ${Object.keys(ways).join(", ")}`)
  counts.set(name, ((await instructions(way, long)) - (await instructions(way, short))) / (long - short))
}
report()

/** Instructions that nginx's event loop takes in a run of so many requests. */
async function instructions(
  { kind, annotations = {}, headers = {}, settings = {}, counts = false }: Way,
  requests: number,
): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(dir, "out")
  const addresses = Array.from({ length: few }, (_, n) => `127.1.0.${n}:${endpoints.port}`)
  const site =
    kind === "haproxy"
      ? await startHaproxy({ endpoints: addresses, under: wholeCallgrind(out) })
      : await startRendered({
          kind,
          annotations,
          settings,
          counts,
          endpoints: addresses,
          under: callgrind(out),
        })
  const question = (n: number) => ({ host: hostName, path: `/item/${n % 64}`, headers })
  const { statuses, lost } = await startLoad({ port: site.port, connections: 4, requests, question }).done
  await site.stop()
  if (statuses.get(200) !== requests) throw new Error(`${[...statuses]} ${lost[0]?.error}`)
  const total = totalIn(out)
  rmSync(dir, { recursive: true })
  return total
}

function report(): void {
  const save = values.ways === undefined ? write : print
  const base = counts.get("by hand") ?? Number.NaN
  save({
    name: "rendered-instructions",
    title: "Instructions of a worker per request, as the controller configures it",
    method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests (${long - short}), four
kept connections to the client, kept connections to ten endpoints, with the access log. \`by hand\` is plain nginx with the same http settings, log, maps and headers to the backend, and a static upstream;
\`by hand without headers\` sends only Host. \`HAProxy\` edits the same headers and writes the same line; it asks the kernel for less per request. Clients of \`sticky\` come without a cookie, so each answer sets one. \`cors for all\` allows every origin, \`cors with Origin\` three, one of them
with an asterisk, which is the request's. \`allowlist\` has ten networks. \`metrics\` counts each request (\`--enable-metrics\`), the others do not. \`basic remembered\` sends the same password with each request, as \`with Authorization\` does where nobody asks for it. System calls are not in it.`,
    columns: ["way", "instructions per request", "ratio to `by hand`"],
    rows: [...counts].map(([name, count]) => [name, Math.round(count), (count / base).toFixed(3)]),
  })
}
