// Instructions of a request with and without rules of ModSecurity, counted by valgrind. Writes bench/results/waf-instructions.md. Needs valgrind; takes
// about five minutes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { blockingRules } from "../harness/crs/rules.ts"
import { startIngress } from "../harness/ingress/ingress.ts"
import { type RulePart, writeRules } from "../harness/ingress/waf.ts"
import { startLoad } from "../harness/load.ts"
import { modsecurityConnector } from "../harness/modsecurity.ts"
import { type Nginx, startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { until } from "../harness/until.ts"
import { callgrind, needValgrind, perOne, totalIn } from "./support/callgrind.ts"
import { endpointsConf, usualHeaders } from "./support/sites.ts"

/** An nginx under callgrind. */
type Start = (under: readonly string[]) => Promise<{ readonly nginx: Nginx } & AsyncDisposable>

needValgrind()
const kept = "keepalive_requests 1000000;"
const proxy = `proxy_http_version 1.1; ${usualHeaders} proxy_pass http://endpoint;`
await using endpoints = await startNginx(endpointsConf(1))
const upstream = `${kept} upstream endpoint { server 127.0.0.1:${endpoints.port}; keepalive 4; }`
const connector = await modsecurityConnector()
const passing = { text: "SecAuditEngine Off\nSecRuleEngine On\n" }
const core = blockingRules("4.22.0")

// Rounds of few and of many requests, whose difference has no start in it; rules take a thousand times as long.
const few = { short: 100, long: 600 }
const fewer = { short: 10, long: 60 }
const ways: readonly (readonly [string, Start, typeof few])[] = [
  ["wick without `ingress_modsecurity`", wick("", []), few],
  ["wick with it, a route without rules", wick("ingress_modsecurity modsecurity;", []), few],
  [
    "wick, a route with rules of which there are none",
    wick("ingress_modsecurity modsecurity;", [passing]),
    few,
  ],
  ["wick, OWASP Core Rule Set 4.22.0", wick("ingress_modsecurity modsecurity;", core), fewer],
  ["stock nginx", stock([]), few],
  ["stock nginx with the connector, off", stock([], "modsecurity off;"), few],
  ["stock nginx with the connector, rules of which there are none", stock([passing]), few],
  ["stock nginx with the connector, OWASP Core Rule Set 4.22.0", stock(core), fewer],
]
const rows = []
for (const [name, start, { short, long }] of ways) {
  const count = await perOne(short, long, (requests) => instructions(start, requests))
  rows.push([name, Math.round(count)])
  process.stderr.write(`${name}: ${Math.round(count)}\n`)
}
write({
  name: "waf-instructions",
  title: "Instructions of ModSecurity",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests
(${few.long - few.short}, with the Core Rule Set ${fewer.long - fewer.short}), four kept connections to the client. A GET of /products?page=2 by \`curl\`, proxied to one endpoint; paranoia level 1, \`SecRuleEngine On\`.`,
  columns: ["a request", "instructions"],
  rows,
})

function wick(directive: string, rules: readonly RulePart[]): Start {
  return async (under) => {
    const ingress = await startIngress({
      under,
      main: "master_process off;",
      http: ({ dir }) => `${upstream} ${directive.replace(" ", ` ${dir}/`)}`,
      locations: `location @app { ${proxy} }`,
    })
    const waf = { owner: "demo/app", rules: writeRules(join(ingress.nginx.dir, "modsecurity"), rules) }
    await ingress.route("a.test", [{ path: "/", location: "app", ...(rules.length > 0 && { waf }) }])
    return ingress
  }
}

function stock(rules: readonly RulePart[], settings = rules.length > 0 ? "modsecurity on;" : ""): Start {
  return async (under) => {
    const nginx = await startNginx(
      ({ dir, port }) => ({
        main: `master_process off; ${settings === "" ? "" : `load_module ${connector};`}`,
        http: `${upstream} ${settings} ${rules.map((part, at) => ruleFile(part, join(dir, `${at}.conf`))).join(" ")}
          server { listen 127.0.0.1:${port}; location / { ${proxy} } }`,
      }),
      { under },
    )
    return { nginx, [Symbol.asyncDispose]: () => nginx.stop() }
  }
}

function ruleFile(part: RulePart, path: string): string {
  if ("text" in part) writeFileSync(path, part.text)
  return `modsecurity_rules_file ${"file" in part ? part.file : path};`
}

async function instructions(start: Start, requests: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(folder, "out")
  const subject = await start(callgrind(out))
  const question = {
    host: "a.test",
    path: "/products?page=2",
    headers: { "User-Agent": "curl/8.22.0", Accept: "*/*" },
  }
  // A first one, for which the rules are compiled.
  await until("an answer", async () => (await subject.nginx.get(question.path, question)).status === 200)
  const { port } = subject.nginx
  const { statuses } = await startLoad({ port, connections: 4, requests, question: () => question }).done
  await subject[Symbol.asyncDispose]()
  if (statuses.get(200) !== requests) throw new Error(`${[...statuses]}`)
  const total = totalIn(out)
  rmSync(folder, { recursive: true })
  return total
}
