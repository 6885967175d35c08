// Instructions of a request that asks where its client is, counted by valgrind. Writes bench/results/geo-instructions.md. Needs valgrind; takes two minutes.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { geoDatabase } from "../harness/geo-database.ts"
import { startIngress } from "../harness/ingress/ingress.ts"
import type { Access } from "../harness/ingress/records.ts"
import { startLoad } from "../harness/load.ts"
import { startNginx } from "../harness/nginx.ts"
import { write } from "../harness/report.ts"
import { callgrind, needValgrind, perOne, totalIn } from "./support/callgrind.ts"
import { endpointsConf, usualHeaders } from "./support/sites.ts"

interface Way {
  readonly hasDatabases: boolean
  readonly access?: Access
  readonly text?: string
}

const ways: Readonly<Record<string, Way>> = {
  "no databases": { hasDatabases: false },
  "databases, and nobody asks": { hasDatabases: true },
  "a variable in a header": {
    hasDatabases: true,
    text: "proxy_set_header X-Country $geoip2_city_country_code;",
  },
  "three variables in headers": {
    hasDatabases: true,
    text: "proxy_set_header X-A $geoip2_city_country_code; proxy_set_header X-B $geoip2_city; proxy_set_header X-C $geoip2_region_code;",
  },
  "`allow_countries` of one": { hasDatabases: true, access: { allowCountries: ["DE"] } },
  "`allow_countries` of 200": { hasDatabases: true, access: { allowCountries: countries(200) } },
}

/** So many codes, DE the last of them. */
function countries(count: number): readonly string[] {
  const letter = (at: number) => String.fromCharCode(65 + at)
  const codes = Array.from({ length: 676 }, (_, at) => letter(Math.floor(at / 26)) + letter(at % 26))
  return [...codes.filter((code) => code !== "DE").slice(0, count - 1), "DE"]
}

needValgrind()
const [short, long] = [100, 600]
const names = { names: { de: "Berlin", en: "Berlin" } }
const city = {
  city: { geoname_id: 2_950_159, ...names },
  country: { geoname_id: 2_921_044, iso_code: "DE", ...names },
  subdivisions: [{ geoname_id: 2_950_157, iso_code: "BE", ...names }],
}
const database = geoDatabase("GeoLite2-City", { "127.0.0.0/24": city })
await using endpoints = await startNginx(endpointsConf(1))
const rows = []
let base: number | undefined
for (const [name, way] of Object.entries(ways)) {
  const count = await perOne(short, long, (requests) => instructions(way, requests))
  base ??= count
  rows.push([name, Math.round(count), Math.round(count - base)])
}
write({
  name: "geo-instructions",
  title: "Instructions of where a client is",
  method: `valgrind's callgrind over one nginx process, counting in its event loop; the difference of two runs over the difference of their requests (${long - short}),
four kept connections to the client. The route leads to one endpoint. An address is looked for in a database of IPv6, 120 bits deep.`,
  columns: ["a request", "instructions", "more than without databases"],
  rows,
})

async function instructions({ hasDatabases, access, text = "" }: Way, requests: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "wick-callgrind-"))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, "GeoLite2-City.mmdb"), database)
  const out = join(folder, "out")
  const proxy = `proxy_http_version 1.1; ${usualHeaders} proxy_pass http://endpoint;`
  const directive = hasDatabases ? `ingress_geoip ${folder} GeoLite2-City;` : ""
  const ingress = await startIngress({
    under: callgrind(out),
    main: "master_process off;",
    http: `keepalive_requests 1000000; upstream endpoint { server 127.0.0.1:${endpoints.port}; keepalive 4; } ${directive}`,
    locations: `location @plain { ${text} ${proxy} }`,
  })
  await ingress.route("a.test", [access === undefined ? {} : { access }])
  const question = () => ({ host: "a.test" })
  const result = await startLoad({ port: ingress.port, connections: 4, requests, question }).done
  await ingress[Symbol.asyncDispose]()
  if (result.statuses.get(200) !== requests) throw new Error(`${[...result.statuses]}`)
  const total = totalIn(out)
  rmSync(folder, { recursive: true })
  return total
}
