// Instructions of a request with headers that a snippet sets, and limits on zones, as data of its route and as text of its location, counted by valgrind. Writes
// bench/results/level-instructions.md. Needs valgrind; takes two minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { headersMore } from "../harness/headers-more.ts"
import { startIngress } from "../harness/ingress/ingress.ts"
import {
  addHeader,
  cookiePath,
  levelOf,
  limitConn,
  limitReq,
  moreSet,
  moreSetInput,
  passHeader,
  redirect,
  type Setting,
  textOfAll,
} from "../harness/ingress/levels.ts"
import { recordOf } from "../harness/ingress/records.ts"
import { scriptOf } from "../harness/ingress/script-records.ts"
import { startLoad } from "../harness/load.ts"
import { startNginx, type WriteConf } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { callgrind, needValgrind, perOne, totalIn } from "./support/callgrind.ts"
import { endpointsConf, paths, usualHeaders } from "./support/sites.ts"

const three = (setting: (name: string, at: number) => Setting) => ["X-One", "X-Two", "X-Three"].map(setting)
const variables = ["$remote_addr", "$scheme://$host", "$http_user_agent"] as const

const ways: Readonly<Record<string, readonly Setting[]>> = {
  nothing: [],
  "`add_header` ×3": three((name) => addHeader(name, "value", "always")),
  "`add_header` ×3, with variables": three((name, at) => addHeader(name, variables[at] ?? "")),
  "`more_set_headers` ×3": three((name) => moreSet(name, "value")),
  "`proxy_set_header` ×3": three((name) => passHeader(name, "value")),
  "`proxy_set_header` ×3, with variables": three((name, at) => passHeader(name, variables[at] ?? "")),
  "`more_set_input_headers` ×3": three((name) => moreSetInput(name, "value")),
  "`limit_req` and `limit_conn`": [limitReq("requests", 1_000_000, "nodelay"), limitConn("clients", 1000)],
}

const zones =
  "limit_req_zone $binary_remote_addr zone=requests:1m rate=1000r/s; limit_conn_zone $binary_remote_addr zone=clients:1m;"

/** Of responses with an address and a cookie. */
const rewriting: Readonly<Record<string, readonly Setting[]>> = {
  "nothing, `Location` and `Set-Cookie` come back": [],
  "`proxy_redirect`": [redirect("http://inner.test/", "https://shop.test/")],
  "`proxy_redirect` with a pattern": [redirect("~^http://inner.test/(.*)", "https://$host/$1")],
  "`proxy_cookie_path`": [cookiePath("/app", "/")],
}

/** An endpoint that answers so. */
const answering: WriteConf = ({ port }) => ({
  http: `keepalive_requests 1000000000;
server {
  listen 127.0.0.1:${port};
  location / {
    add_header Location http://inner.test/x;
    add_header Set-Cookie "a=b; Path=/app; Secure";
    return 200 "hello from one of the endpoints\\n";
  }
}`,
})

needValgrind()
const module = await headersMore()
const [short, long] = [100, 600]
const rows: (string | number)[][] = []
for (const [conf, all] of [
  [endpointsConf(1), ways],
  [answering, rewriting],
] as const) {
  await using endpoints = await startNginx(conf)
  const bases: number[] = []
  for (const [name, settings] of Object.entries(all)) {
    const of = (asData: boolean) => perRequest(settings, asData, endpoints.port)
    const [text, data] = [await of(false), await of(true)]
    if (bases.length === 0) bases.push(text, data)
    const added = [text - (bases[0] as number), data - (bases[1] as number)]
    const ratio = (data / text).toFixed(3)
    rows.push([name, Math.round(text), Math.round(data), ratio, ...added.map(Math.round)])
  }
}
write({
  name: "level-instructions",
  title: "Instructions of what snippets set",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests (${long - short}),
four kept connections to the client. The route is the same, and so is its location, which sends eight headers of its own to one endpoint: as text, the directives stand in the location, the module headers-more with them; as data, in the route's script.`,
  columns: ["directives", "as text", "as data", "ratio", "more than nothing, as text", "as data"],
  rows,
})

function perRequest(settings: readonly Setting[], asData: boolean, endpoint: number): Promise<number> {
  return perOne(short, long, (requests) => instructions(settings, asData, endpoint, requests))
}

async function instructions(
  settings: readonly Setting[],
  asData: boolean,
  endpoint: number,
  requests: number,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(folder, "out")
  const proxy = `proxy_http_version 1.1; ${usualHeaders} proxy_pass http://endpoint;`
  const ingress = await startIngress({
    under: callgrind(out),
    main: `master_process off; load_module ${module};`,
    http: `${zones} keepalive_requests 1000000; upstream endpoint { server 127.0.0.1:${endpoint}; keepalive 4; }`,
    locations: `location @plain { ${asData ? "" : textOfAll(settings)} ${proxy} }`,
  })
  const route = asData && settings.length > 0 ? { script: scriptOf([], [levelOf(settings)]) } : {}
  await ingress.write("main/shop.test", recordOf([route]))
  const question = (n: number) => ({ host: "shop.test", path: paths[n % paths.length] ?? "/" })
  const load = startLoad({ port: ingress.port, connections: 4, requests, question })
  const { statuses } = await load.done
  await ingress[Symbol.asyncDispose]()
  if (statuses.get(200) !== requests) throw new Error(`${[...statuses]}`)
  const total = totalIn(out)
  rmSync(folder, { recursive: true })
  return total
}
