// Where clients are, by databases of GeoIP: variables in logs and headers, lists of Ingresses, and databases that come and go.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type GeoValue, geoDatabase } from "../../../harness/geo-database.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { runSubCommand } from "../../support/sub-command.ts"
import { Site } from "./site.ts"

const country = (code: string): GeoValue => ({ country: { iso_code: code } })
const cities = (german: string) => ({
  "192.0.2.0/24": country(german),
  "198.51.100.0/24": country("US"),
  "2001:db8::/32": country("FR"),
})
const [german, american, french, unknown] = ["192.0.2.1", "198.51.100.1", "2001:db8::1", "203.0.113.1"]
const clients = [german, american, french, unknown]

let directory: string
let site: Site

function put(edition: string, bytes: Buffer): void {
  const path = join(directory, `${edition}.mmdb`)
  writeFileSync(`${path}.part`, bytes)
  renameSync(`${path}.part`, path)
}

const settings = {
  "use-geoip2": "true",
  "use-forwarded-headers": "true",
  "log-format-upstream": "$remote_addr is in $geoip2_city_country_code of $geoip2_asn",
}

beforeAll(async () => {
  directory = join(mkdtempSync(join(tmpdir(), "wick-geoip-")), "geoip")
  mkdirSync(directory)
  put("GeoLite2-City", geoDatabase("GeoLite2-City", cities("DE")))
  site = await Site.start(["one"], { flags: [`--geoip-dir=${directory}`] })
  await site.reconfigure({ ...settings, "access-log-path": join(directory, "access.log") })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true })
})

type Annotations = Readonly<Record<string, string>>

const app = (annotations: Annotations): Json => ingress("demo/app", "foo.test/ → app:80", annotations)
const serve = (annotations: Annotations) => site.put(...site.service("app", "one"), app(annotations))
const statusOf = async (client: string, path = "/") =>
  (await site.get(path, { headers: { "x-forwarded-for": client } })).status
/** Each worker looks for itself. */
const everywhere = (client: string, status: number) =>
  until(`${status} from all workers`, async () => {
    const seen = await Promise.all(Array.from({ length: 32 }, () => statusOf(client)))
    return seen.every((it) => it === status)
  })
const statuses = () => Promise.all(clients.map((client) => statusOf(client)))

const databaseIs = (code: string) =>
  until(`${code} to be in force`, async () => {
    const { headers } = await site.get("/", { headers: { "x-forwarded-for": german } })
    return headers["x-country"] === code
  })
const shown = { "configuration-snippet": "add_header X-Country $geoip2_city_country_code;" }
const reloads = () => site.wick.metric("nginx_ingress_controller_success")

test("variables stand in the access log and in headers", async () => {
  await serve(shown)
  await databaseIs("DE")
  const log = () => readFileSync(join(directory, "access.log"), "utf8")
  await until("the log", () => log().includes("192.0.2.1 is in DE of -\n"))
})

describe("lists", () => {
  test("of countries let in and refuse clients that a believed proxy names, without a reload", async () => {
    const before = await reloads()
    await serve({ "wick.dev/allow-countries": "de, FR" })
    expect(await statuses()).toEqual([200, 403, 200, 403])
    await serve({ "wick.dev/deny-countries": "DE,FR" })
    expect(await statuses()).toEqual([403, 200, 403, 200])
    expect(await reloads()).toBe(before)
  })

  test("are explained", async () => {
    await serve({ "wick.dev/allow-countries": "DE,FR" })
    const args = ["http://foo.test/", "--runtime-dir", site.wick.runtimeDir]
    const { said } = await runSubCommand("explain", ...args)
    expect(said).toContain("only for clients in DE, FR, by the database of GeoIP")
    expect(said).toContain("if it gets in by a country of DE, FR")
  })

  test("that cannot be read close, and those for which there is no database", async () => {
    await serve({ "wick.dev/allow-countries": "Germany" })
    expect(await statusOf(german)).toBe(503)
    await serve({ "wick.dev/deny-asns": "AS64496" })
    expect(await statusOf(german)).toBe(503)
    await site.untilProblem("geoip-database-missing")
    put("GeoLite2-ASN", geoDatabase("GeoLite2-ASN", { "192.0.2.0/24": { autonomous_system_number: 64_496 } }))
    await everywhere(german, 403)
    expect(await statusOf(american)).toBe(200)
  })

  test("are one kind of check: with satisfy any one is enough", async () => {
    const networks = { "allowlist-source-range": "203.0.113.0/24", satisfy: "any" }
    await serve({ "wick.dev/allow-countries": "DE", ...networks })
    expect(await statuses()).toEqual([200, 403, 403, 200])
  })
})

describe("databases", () => {
  test("come without a reload and while requests run, of which none is lost", async () => {
    put("GeoLite2-City", geoDatabase("GeoLite2-City", cities("DE")))
    await serve(shown)
    await databaseIs("DE")
    const before = await reloads()
    const question = () => ({ host: "foo.test", headers: { "x-forwarded-for": german } })
    const load = startLoad({ port: site.wick.port, pauseMs: 5, question })
    for (const code of ["AT", "CH", "DE"]) {
      put("GeoLite2-City", geoDatabase("GeoLite2-City", cities(code)))
      await databaseIs(code)
    }
    const { statuses: answers, lost } = await load.stop()
    expect([...answers.keys()]).toEqual([200])
    expect(lost).toEqual([])
    expect(await reloads()).toBe(before)
  })

  test("that are damaged leave those before in force", async () => {
    await serve(shown)
    const bytes = geoDatabase("GeoLite2-City", cities("FR"))
    put("GeoLite2-City", bytes.subarray(0, bytes.length - 60))
    await site.untilProblem("geoip-database-refused")
    await databaseIs("DE")
    rmSync(join(directory, "GeoLite2-City.mmdb"))
    await site.untilSaid("there is no such file")
    await databaseIs("DE")
  })
})

test("427: wick serves without databases, and closes what asks for them where they are off", async () => {
  put("GeoLite2-City", geoDatabase("GeoLite2-City", cities("DE")))
  const before = await reloads()
  await site.reconfigure({ ...settings, "use-geoip2": "false" })
  await serve(shown)
  expect(await statuses()).toEqual([200, 200, 200, 200])
  await serve({ "wick.dev/deny-countries": "DE" })
  expect(await statuses()).toEqual([503, 503, 503, 503])
  await site.untilProblem("geoip-needed")
  await site.reconfigure(settings)
  await everywhere(american, 200)
  expect(await statuses()).toEqual([403, 200, 200, 200])
  expect((await reloads()) - before).toBe(2)
})
