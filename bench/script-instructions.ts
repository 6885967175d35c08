// Instructions of a request whose route has directives of the rewrite module, as data and as text of its location, counted by valgrind. Writes
// bench/results/script-instructions.md. Needs valgrind; takes two minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startIngress } from "../harness/ingress/ingress.ts"
import { recordOf } from "../harness/ingress/records.ts"
import {
  type Directives,
  returned,
  rewrite,
  scriptOf,
  textOf,
  when,
} from "../harness/ingress/script-records.ts"
import { startLoad } from "../harness/load.ts"
import { startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { callgrind, needValgrind, perOne, totalIn } from "./support/callgrind.ts"
import { endpointsConf, paths } from "./support/sites.ts"

interface Way {
  readonly script: readonly Directives[]
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
}

const refusal = [when("$http_x", undefined, [returned(403)])]
const ways: Readonly<Record<string, Way>> = {
  nothing: { script: [], status: 200 },
  "`if ($http_x) { return 403; }`, without the header": { script: refusal, status: 200 },
  "the same, with the header": { script: refusal, headers: { x: "1" }, status: 403 },
  "`rewrite ^/item/(.*)$ https://new.test/$1 permanent`": {
    script: [rewrite("^/item/(.*)$", "https://new.test/$1", "permanent")],
    status: 301,
  },
  "`rewrite ^/item/(.*)$ /new/$1 break`": {
    script: [rewrite("^/item/(.*)$", "/new/$1", "break")],
    status: 200,
  },
}

needValgrind()
const [short, long] = [100, 600]
await using endpoints = await startNginx(endpointsConf(1))
const rows = []
const bases: number[] = []
for (const [name, way] of Object.entries(ways)) {
  const [text, data] = [await perRequest(way, false), await perRequest(way, true)]
  if (bases.length === 0) bases.push(text, data)
  const added = [text - (bases[0] as number), data - (bases[1] as number)]
  const ratio = (data / text).toFixed(3)
  rows.push([name, Math.round(text), Math.round(data), ratio, ...added.map(Math.round)])
}
write({
  name: "script-instructions",
  title: "Instructions of directives of the rewrite module",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests (${long - short}),
four kept connections to the client. The route is the same, and so is its location, which passes on to one endpoint: as text, the directives stand in the location; as data, in the route's script.`,
  columns: ["directives", "as text", "as data", "ratio", "more than nothing, as text", "as data"],
  rows,
})

function perRequest(way: Way, asData: boolean): Promise<number> {
  return perOne(short, long, (requests) => instructions(way, asData, requests))
}

async function instructions({ script, headers = {}, status }: Way, asData: boolean, requests: number) {
  const folder = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(folder, "out")
  const proxy = `proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://endpoint;`
  const ingress = await startIngress({
    under: callgrind(out),
    main: "master_process off;",
    http: `keepalive_requests 1000000; upstream endpoint { server 127.0.0.1:${endpoints.port}; keepalive 4; }`,
    locations: `location @plain { ${asData ? "" : textOf(script)} ${proxy} }`,
  })
  const route = asData && script.length > 0 ? { script: scriptOf(script) } : {}
  await ingress.write("main/shop.test", recordOf([route]))
  const question = (n: number) => ({ host: "shop.test", path: paths[n % paths.length] ?? "/", headers })
  const load = startLoad({ port: ingress.port, connections: 4, requests, question })
  const { statuses } = await load.done
  await ingress[Symbol.asyncDispose]()
  if (statuses.get(status) !== requests) throw new Error(`${[...statuses]}`)
  const total = totalIn(out)
  rmSync(folder, { recursive: true })
  return total
}
