// What ModSecurity costs: CPU of a worker per request with the OWASP Core Rule Set at paranoia level 1, and memory of a worker with many rule sets, in wick and
// in a stock nginx with Debian's connector, which has the same library. Writes bench/results/waf.md. Takes about five minutes.
import { readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { blockingRules } from "../harness/crs/rules.ts"
import { type StartSubject, stock, wick } from "../harness/crs/subjects.ts"
import { startIngress } from "../harness/ingress/ingress.ts"
import { type RulePart, writeRules } from "../harness/ingress/waf.ts"
import { coreRules, modsecurityConnector, recommendedRules } from "../harness/modsecurity.ts"
import { type Nginx, startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { until } from "../harness/until.ts"
import { cpuNanoseconds } from "./support/cpu.ts"
import { spread } from "./support/rounds.ts"

const rounds = 7
const requestsPerRound = 400

const fields = `Host: shop.example.com\r
User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r
Accept-Language: en-GB,en;q=0.7\r
Cookie: session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl; theme=dark\r
Cache-Control: no-cache\r\n`
const order = JSON.stringify({ items: [{ sku: "A-1", count: 2 }], note: "ring twice", total: 12.5 })
const requests = {
  GET: `GET /products?category=garden&sort=price&page=2 HTTP/1.1\r\n${fields}\r\n`,
  "POST of JSON": `POST /api/orders HTTP/1.1\r\n${fields}Content-Type: application/json\r\nContent-Length: ${order.length}\r\n\r\n${order}`,
  "an attack": `GET /products?id=1%27%20UNION%20SELECT%20user,password%20FROM%20accounts-- HTTP/1.1\r\n${fields}\r\n`,
} as const
type Kind = keyof typeof requests

const nameOf = (host: number) => `h${host}.test`
const kept = "keepalive_requests 1000000;"
const ways: readonly (readonly [string, StartSubject, readonly RulePart[]])[] = [
  ["stock nginx", stock, []],
  ["wick, a route without a firewall", wick, []],
  ["stock nginx with the connector", stock, blockingRules("4.22.0")],
  ["wick", wick, blockingRules("4.22.0")],
]

await using backend = await startNginx(({ port }) => ({
  http: `${kept} server { listen 127.0.0.1:${port}; location / { return 200 "ok"; } }`,
}))
const cpu = await measureCpu()
const memory = await measureMemory()
write({
  name: "waf",
  title: "What ModSecurity costs",
  method: `Above: CPU of a worker's main thread per proxied request, microseconds, over kept connections: median of ${rounds} rounds of ${requestsPerRound} requests, quartiles in brackets. CRS 4.22.0, paranoia level 1, \`SecRuleEngine On\`; "an attack" is SQL in the query, answered with 403 (without a firewall with 200). Below: anonymous memory of a worker, MB (RssAnon), after each host has been asked; "equal" hosts have the same rules, "distinct" ones a rule of their own in front of the recommended settings and CRS 4.22.0.`,
  columns: ["", ...Object.keys(requests)],
  rows: [
    ...cpu,
    ["**memory of a worker, MB**", "", "", ""],
    ...memory.map(([name, bytes]) => [name, (bytes / 1e6).toFixed(1), "", ""]),
  ],
  remarks: [remarkOf(memory.map(([, bytes]) => bytes / 1e6))],
})

async function measureCpu(): Promise<string[][]> {
  const started = await Promise.all(
    ways.map(async ([name, start, rules]) => ({ name, subject: await start(rules, backend.port, kept) })),
  )
  const figures = new Map<string, number[]>()
  try {
    for (const { subject } of started) await microseconds(subject.nginx, "GET", 20)
    for (let round = 0; round < rounds; round += 1)
      for (const { name, subject } of started)
        for (const kind of Object.keys(requests) as Kind[]) {
          const key = `${name} ${kind}`
          figures.set(key, [
            ...(figures.get(key) ?? []),
            await microseconds(subject.nginx, kind, requestsPerRound),
          ])
        }
  } finally {
    for (const { subject } of started) await subject[Symbol.asyncDispose]()
  }
  const cell = (values: readonly number[]) => {
    const [median, range] = spread(values)
    return `${median} (${range})`
  }
  return started.map(({ name }) => [
    name,
    ...Object.keys(requests).map((kind) => cell(figures.get(`${name} ${kind}`) ?? [])),
  ])
}

async function microseconds(nginx: Nginx, kind: Kind, count: number): Promise<number> {
  const worker = nginx.workers()[0] ?? 0
  const before = cpuNanoseconds(worker)
  await Promise.all(Array.from({ length: 4 }, () => send(nginx.port, requests[kind], count / 4)))
  return (cpuNanoseconds(worker) - before) / count / 1000
}

/** One request after the other over one connection. */
function send(port: number, request: string, count: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(port, "127.0.0.1")
  let left = count
  let text = ""
  socket.on("error", reject)
  socket.on("data", (data) => {
    text += data.toString("latin1")
    const head = text.indexOf("\r\n\r\n")
    if (head < 0 || text.length < head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1])) return
    text = ""
    left -= 1
    if (left > 0) socket.write(request)
    else socket.end(resolve)
  })
  socket.write(request)
  return promise
}

async function measureMemory(): Promise<[string, number][]> {
  return [
    ["wick, 500 hosts without a firewall", await ofWick(500, () => [])],
    ["wick, one host with", await ofWick(1, equal)],
    ["wick, 500 hosts, equal", await ofWick(500, equal)],
    ["wick, 500 hosts, distinct", await ofWick(500, distinct)],
    ["stock nginx with the connector, one host", await ofStock(1)],
    ["stock nginx with the connector, 20 hosts", await ofStock(20)],
  ]
}

function remarkOf([none = 0, , , distinct = 0, one = 0, twenty = 0]: readonly number[]): string {
  const more = (distinct - none).toFixed(1)
  const each = (twenty - one) / 19
  return `500 hosts with a set of rules each cost a worker of wick ${more} MB more than 500 without (target: 60). The connector has ${each.toFixed(0)} MB for each, so 500 would be ${((500 * each) / 1000).toFixed(0)} GB.`
}

function equal(): RulePart[] {
  return [
    { text: "SecRuleEngine On\nSecAuditEngine Off\n" },
    { file: recommendedRules() },
    { file: coreRules() },
  ]
}
function distinct(host: number): RulePart[] {
  const own = `SecRule ARGS:token "@streq ${host}" "id:${10_000 + host},phase:2,deny,status:403,msg:'host ${host}'"`
  return [{ text: `SecRuleEngine On\nSecAuditEngine Off\n${own}\n` }, ...equal().slice(1)]
}

async function ofWick(hosts: number, rulesOf: (host: number) => RulePart[]): Promise<number> {
  await using ingress = await startIngress({
    http: ({ dir }) => `ingress_modsecurity ${dir}/modsecurity;`,
    locations: `location @app { proxy_pass http://127.0.0.1:${backend.port}; }`,
  })
  const directory = join(ingress.nginx.dir, "modsecurity")
  for (let host = 0; host < hosts; host += 1) {
    const rules = rulesOf(host)
    const waf = { owner: `demo/${nameOf(host)}`, rules: writeRules(directory, rules) }
    await ingress.route(nameOf(host), [{ location: "app", ...(rules.length > 0 && { waf }) }])
    await askedUntilServed(ingress.nginx, nameOf(host))
  }
  return anonymousBytes(ingress.nginx.workers()[0] ?? 0)
}

async function ofStock(hosts: number): Promise<number> {
  const connector = await modsecurityConnector()
  await using nginx = await startNginx(({ dir, port }) => {
    const server = (_: unknown, host: number) => {
      const files = distinct(host).map((part, at) => {
        if ("file" in part) return part.file
        writeFileSync(join(dir, `${host}-${at}.conf`), part.text)
        return join(dir, `${host}-${at}.conf`)
      })
      const rules = files.map((file) => `modsecurity_rules_file ${file};`).join(" ")
      return `server { listen 127.0.0.1:${port}; server_name ${nameOf(host)}; location / { modsecurity on; ${rules} proxy_pass http://127.0.0.1:${backend.port}; } }`
    }
    return { main: `load_module ${connector};`, http: Array.from({ length: hosts }, server).join("\n") }
  })
  for (let host = 0; host < hosts; host += 1) await askedUntilServed(nginx, nameOf(host))
  return anonymousBytes(nginx.workers()[0] ?? 0)
}

function askedUntilServed(nginx: Nginx, host: string): Promise<unknown> {
  const headers = { "User-Agent": "curl/8.22.0", Accept: "*/*" }
  return until(`an answer of ${host}`, async () => (await nginx.get("/", { host, headers })).status === 200)
}

function anonymousBytes(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024
}
