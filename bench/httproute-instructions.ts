// Instructions of a request through an HTTPRoute beside one through an Ingress that says the same, as the controller configures nginx. Writes its
// results as the others do. Needs valgrind; takes ten minutes. `--keep=FOLDER` keeps callgrind's files, and `--modules=FOLDER` has the modules to
// measure, as in proxy-instructions.ts.
import { parseArgs } from "node:util"
import type { Json } from "../harness/manifests.ts"
import { startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { needValgrind } from "./support/callgrind.ts"
import { instructionsOf } from "./support/rendered-count.ts"
import type { Way } from "./support/rendered-ways.ts"
import { endpointsConf, few } from "./support/sites.ts"

const requests = [200, 1200] as const

// Every request has the headers that conditions ask for, also where nobody asks.
const asked = { "x-version": "v2", "x-tenant": "shop" }
const headers = Object.entries(asked).map(([name, value]) => ({ name, value }))
const matches = [{ headers }]
const set = (type: "requestHeaderModifier" | "responseHeaderModifier"): Json => ({
  type: `${type[0]?.toUpperCase()}${type.slice(1)}`,
  [type]: { set: [{ name: "X-One", value: "value" }] },
})
const filters = {
  request: set("requestHeaderModifier"),
  response: set("responseHeaderModifier"),
}

/** Of an Ingress. */
const ofIngress = (annotations: Readonly<Record<string, string>>): Way => ({
  kind: "rendered",
  annotations,
  settings: { allowedResponseHeaders: ["X-One"] },
  headers: asked,
})
const ofRoute = (rule: Json): Way => ({ kind: "rendered", rule, headers: asked })

const plain = ofIngress({})
const passing = ofIngress({ "configuration-snippet": "proxy_set_header X-One value;" })
const answering = ofIngress({ "custom-headers": "shop/headers" })

const pairs: readonly (readonly [says: string, way: Way, ingress: Way])[] = [
  ["nothing", ofRoute({}), plain],
  ["two conditions on headers", ofRoute({ matches }), plain],
  [
    "two conditions, one header of the request set",
    ofRoute({ matches, filters: [filters.request] }),
    passing,
  ],
  [
    "two conditions, one header of the response set",
    ofRoute({ matches, filters: [filters.response] }),
    answering,
  ],
]

needValgrind()
const text = { type: "string" } as const
const {
  values: { keep, modules },
} = parseArgs({ options: { keep: text, modules: text } })
await using endpoints = await startNginx(endpointsConf(few))
const run = { requests, port: endpoints.port, keep, modules }
const ofIngresses = new Map<Way, number>()
for (const [says, , ingress] of pairs) {
  if (!ofIngresses.has(ingress))
    ofIngresses.set(ingress, await instructionsOf(ingress, `ingress ${says}`, run))
}
const rows = []
for (const [says, way, ingress] of pairs) {
  const [ours, theirs] = [await instructionsOf(way, `route ${says}`, run), ofIngresses.get(ingress) ?? 0]
  rows.push([
    says,
    Math.round(theirs),
    Math.round(ours),
    Math.round(ours - theirs),
    (ours / theirs).toFixed(3),
  ])
}
write({
  name: "httproute-instructions",
  title: "Instructions of a request through an HTTPRoute beside an Ingress",
  method: `valgrind's callgrind over one nginx process as the controller configures it, counting in its event loop; the difference of two runs over the difference of
their requests (${requests[1] - requests[0]}), four kept connections to the client, kept connections to ten endpoints, with the access log. The request has two headers that conditions ask
for. An Ingress has no conditions on headers: its path is the same. It sets the header of the request by \`proxy_set_header\` in a \`configuration-snippet\`, which is data of its route, and
that of the response by \`custom-headers\`. The Gateway is on the port of Ingresses, where a route of an HTTP listener
has a condition on the scheme as well.`,
  columns: ["the HTTPRoute says", "Ingress", "HTTPRoute", "more", "ratio"],
  rows,
})
