// Instructions of a request with what routes of the Gateway API say beyond those of Ingresses, counted by valgrind. Writes
// bench/results/action-instructions.md. Needs valgrind; takes two minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startIngress } from "../harness/ingress/ingress.ts"
import { type Route, recordOf } from "../harness/ingress/records.ts"
import { startLoad } from "../harness/load.ts"
import { startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { callgrind, needValgrind, perOne, totalIn } from "./support/callgrind.ts"
import { endpointsConf, paths, usualHeaders } from "./support/sites.ts"

// Every request has the headers that conditions ask for, also where nobody asks.
const conditions = [
  { header: "X-Version", value: "v2" },
  { header: "X-Tenant", value: "shop" },
]
const one = [["X-One", "value"]] as const
const three = [...one, ["X-Two", "value"], ["X-Three", "value"]] as const

const ways: Readonly<Record<string, Route>> = {
  nothing: {},
  "two conditions on headers": { conditions },
  "two conditions, one header of the request set": { conditions, actions: { setRequestHeaders: one } },
  "two conditions, one header of the response set": { conditions, actions: { setResponseHeaders: one } },
  "three headers of the request set": { actions: { setRequestHeaders: three } },
  "three headers of the request added": { actions: { addRequestHeaders: three } },
  "three headers of the response added": { actions: { addResponseHeaders: three } },
  "the path's beginning replaced": { actions: { path: "/other", replacesPrefix: true } },
  "a time for the request": { actions: { requestTimeoutMs: 60_000 } },
  "retries by 501": { actions: { retryCodes: [501] } },
}

needValgrind()
const [short, long] = [100, 600]
await using endpoints = await startNginx(endpointsConf(1))
const rows = []
let base = 0
for (const [name, route] of Object.entries(ways)) {
  const each = await perOne(short, long, (requests) => instructions(route, requests))
  if (base === 0) base = each
  rows.push([name, Math.round(each), Math.round(each - base), (each / base).toFixed(3)])
}
write({
  name: "action-instructions",
  title: "Instructions of what routes of the Gateway API say",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests (${long - short}),
four kept connections to the client. The route's location sends eight headers of its own to one endpoint; the request has two headers that conditions ask for.`,
  columns: ["the route says", "instructions", "more than nothing", "ratio"],
  rows,
})

async function instructions(route: Route, requests: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  const out = join(folder, "out")
  const ingress = await startIngress({
    under: callgrind(out),
    main: "master_process off;",
    http: `keepalive_requests 1000000; upstream endpoint { server 127.0.0.1:${endpoints.port}; keepalive 4; }`,
    locations: `location @plain { proxy_http_version 1.1; ${usualHeaders} proxy_pass http://endpoint; }`,
  })
  await ingress.write("main/shop.test", recordOf([route]))
  const asked = { "x-version": "v2", "x-tenant": "shop" }
  const question = (n: number) => ({
    host: "shop.test",
    path: paths[n % paths.length] ?? "/",
    headers: asked,
  })
  const load = startLoad({ port: ingress.port, connections: 4, requests, question })
  const { statuses } = await load.done
  await ingress[Symbol.asyncDispose]()
  if (statuses.get(200) !== requests) throw new Error(`${[...statuses]}`)
  const total = totalIn(out)
  rmSync(folder, { recursive: true })
  return total
}
