// Where clients are, by databases of GeoIP: variables, checks of a route, and files that are replaced while requests run.
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Fraction, type GeoValue, geoDatabase } from "../../../harness/geo-database.ts"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import type { Access } from "../../../harness/ingress/records.ts"
import { until } from "../../../harness/until.ts"

const names = (en: string) => ({ names: { de: `${en} (de)`, en } })

const london: GeoValue = {
  continent: { code: "EU", geoname_id: 6_255_148, ...names("Europe") },
  country: { geoname_id: 2_635_167, iso_code: "GB", ...names("United Kingdom") },
  city: { geoname_id: 2_643_743, ...names("London") },
  location: {
    latitude: new Fraction(51.5142),
    longitude: new Fraction(-0.0931),
    metro_code: 7,
    time_zone: "Europe/London",
  },
  postal: { code: "EC1A" },
  subdivisions: [
    { geoname_id: 6_269_131, iso_code: "ENG", ...names("England") },
    { geoname_id: 2_648_110, iso_code: "LND", ...names("Greater London") },
  ],
}
const country = (code: string): GeoValue => ({ country: { iso_code: code, ...names(code) } })

const databases: Readonly<Record<string, Readonly<Record<string, GeoValue>>>> = {
  "GeoIP2-Country": {
    "81.2.69.0/24": london,
    "192.0.2.0/24": country("DE"),
    "2001:db8::/32": country("FR"),
  },
  "GeoLite2-City": { "81.2.69.0/24": london },
  "GeoIP2-ISP": {
    "81.2.69.0/24": { isp: "Example", organization: "Example Org", autonomous_system_number: 64_496 },
    "192.0.2.0/24": { autonomous_system_number: 4_200_000_000 },
  },
  "GeoIP2-Connection-Type": { "81.2.69.0/24": { connection_type: "Cable/DSL" } },
  "GeoIP2-Anonymous-IP": { "81.2.69.0/24": { is_anonymous: true, is_tor_exit_node: true } },
  "GeoIP2-Domain": { "81.2.69.0/24": { domain: "example.net" } },
}

function put(directory: string, edition: string, bytes: Buffer): void {
  const path = join(directory, `${edition}.mmdb`)
  writeFileSync(`${path}.part`, bytes)
  renameSync(`${path}.part`, path)
}

const believed = "set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; real_ip_recursive on;"
const from = (address: string) => ({ "x-forwarded-for": address })

/** An nginx with these databases, whose directory goes with it. */
async function start(
  editions: readonly string[],
  locations?: string,
): Promise<Ingress & { directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), "wick-geo-"))
  chmodSync(directory, 0o755) // workers are another user
  const http = `${believed} ingress_geoip ${directory} ${editions.join(" ")};`
  const ingress = await startIngress({ http, ...(locations !== undefined && { locations }) })
  const stop = ingress[Symbol.asyncDispose].bind(ingress)
  return Object.assign(ingress, {
    directory,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(directory, { recursive: true })
    },
  })
}

describe("variables", () => {
  const variables = [
    ...["country_code", "country_name", "country_geoname_id", "continent_code", "continent_name"],
    ...["continent_geoname_id", "city_country_code", "city_country_name", "city_country_geoname_id", "city"],
    ...["city_geoname_id", "postal_code", "dma_code", "latitude", "longitude", "time_zone", "region_code"],
    ...["region_name", "region_geoname_id", "subregion_code", "subregion_name", "subregion_geoname_id"],
    ...["city_continent_code", "city_continent_name", "asn", "org", "isp", "isp_org", "connection_type"],
    ...["is_anon", "is_anonymous", "is_anonymous_vpn", "is_hosting_provider", "is_public_proxy"],
    "is_tor_exit_node",
  ]
  const line = variables.map((name) => `$geoip2_${name}`).join("|")
  let all: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    all = await start(Object.keys(databases), answering("plain", line))
    for (const [edition, networks] of Object.entries(databases))
      put(all.directory, edition, geoDatabase(edition, networks))
    await all.route("a.test", [{}])
  })
  afterAll(() => all[Symbol.asyncDispose]())

  test("have what the databases say of the client", async () => {
    const text = await all.ask("a.test", "/", from("81.2.69.160"))
    expect(text.split("|")).toEqual([
      ...["GB", "United Kingdom", "2635167", "EU", "Europe", "6255148"],
      ...["GB", "United Kingdom", "2635167", "London", "2643743", "EC1A", "7", "51.51420", "-0.09310"],
      ...["Europe/London", "ENG", "England", "6269131", "LND", "Greater London", "2648110", "EU", "Europe"],
      ...["64496", "", "Example", "Example Org", "Cable/DSL", "1", "1", "0", "0", "0", "1"],
    ])
  })

  test("are empty for whom nothing is said, or have their defaults", async () => {
    const text = await all.ask("a.test", "/", from("198.51.100.1"))
    expect(text.split("|")).toEqual(
      variables.map((name) => (/^(asn|is_[^a]|is_anonymous)/.test(name) ? "0" : "")),
    )
  })

  test("are found by addresses of IPv6, and of IPv4 mapped into it", async () => {
    expect((await all.ask("a.test", "/", from("2001:db8::7"))).split("|")[0]).toBe("FR")
    expect((await all.ask("a.test", "/", from("::ffff:192.0.2.1"))).split("|")[0]).toBe("DE")
  })

  test("go by the client alone that is believed", async () => {
    const text = await all.ask("a.test", "/", { "x-forwarded-for": "81.2.69.160, 192.0.2.1" })
    expect(text.split("|")[0]).toBe("DE")
  })

  test("are there without databases, and say nothing", async () => {
    await using ingress = await startIngress({ locations: answering("plain", "[$geoip2_city][$geoip2_asn]") })
    await ingress.route("a.test", [{}])
    expect(await ingress.ask("a.test")).toBe("[][]")
  })

  test("a database that there is none of is a mistake", async () => {
    await expect(startIngress({ http: "ingress_geoip /tmp GeoLite2-Planet;" })).rejects.toThrow(
      'there is no database "GeoLite2-Planet" of GeoIP',
    )
  })
})

describe("checks", () => {
  let ingress: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    ingress = await start(["GeoIP2-Country", "GeoLite2-ASN"], "location @plain { try_files /x =204; }")
    put(ingress.directory, "GeoIP2-Country", geoDatabase("GeoIP2-Country", databases["GeoIP2-Country"] ?? {}))
  })
  afterAll(() => ingress[Symbol.asyncDispose]())

  const answers = async (access: Access, addresses: readonly string[]) => {
    await ingress.route("a.test", [{ access }])
    return Promise.all(addresses.map((address) => ingress.ask("a.test", "/", from(address))))
  }
  const clients = ["192.0.2.1", "81.2.69.160", "2001:db8::1", "198.51.100.1"]

  test("let in whom they allow", async () => {
    expect(await answers({ allowCountries: ["DE", "FR"] }, clients)).toEqual(["204", "403", "204", "403"])
  })

  test("keep out whom they deny, and nobody else", async () => {
    expect(await answers({ denyCountries: ["DE", "FR"] }, clients)).toEqual(["403", "204", "403", "204"])
  })

  test("without a database nobody gets in", async () => {
    for (const access of [{ allowAsns: [64_496] }, { denyAsns: [64_496] }]) {
      expect(await answers(access, clients)).toEqual(["503", "503", "503", "503"])
    }
    await using without = await startIngress({ locations: "location @plain { try_files /x =204; }" })
    await without.route("a.test", [{ access: { denyCountries: ["DE"] } }])
    expect(await without.ask("a.test")).toBe("503")
  })

  test("are one kind of check beside others", async () => {
    const rules = [
      { action: "allow", from: "198.51.100.1/32" },
      { action: "deny", from: "all" },
    ] as const
    const access = { allowCountries: ["DE"], rules }
    expect(await answers({ ...access, satisfy: "any" }, clients)).toEqual(["204", "403", "403", "204"])
    expect(await answers({ ...access, satisfy: "all" }, clients)).toEqual(["403", "403", "403", "403"])
  })
})

describe("files", () => {
  const only = (code: string) => geoDatabase("GeoLite2-Country", { "192.0.2.0/24": country(code) })

  test("another database is in force soon, and no request is lost meanwhile", async () => {
    await using ingress = await start(["GeoLite2-Country"], answering("plain", "$geoip2_country_code"))
    const [{ directory }, edition] = [ingress, "GeoLite2-Country"]
    put(directory, edition, only("DE"))
    await ingress.route("a.test", [{}])
    const ask = () => ingress.ask("a.test", "/", from("192.0.2.1"))
    await until("the first one", async () => (await ask()) === "DE")
    const seen = new Set<string>()
    for (const code of ["FR", "US", "GB"]) {
      put(directory, edition, only(code))
      await until(`the one with ${code}`, async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, ask))
        for (const answer of answers) seen.add(answer)
        return answers.at(-1) === code
      })
    }
    expect([...seen]).toEqual(["DE", "FR", "US", "GB"])
    expect(ingress.nginx.errorLog()).toMatch(/GeoIP database "GeoLite2-Country" is in force/)
  })

  test("a damaged one, or none, leaves the one before in force", async () => {
    await using ingress = await start(["GeoLite2-Country"], answering("plain", "$geoip2_country_code"))
    const [{ directory }, edition] = [ingress, "GeoLite2-Country"]
    put(directory, edition, only("DE"))
    await ingress.route("a.test", [{}])
    const ask = () => ingress.ask("a.test", "/", from("192.0.2.1"))
    expect(await ask()).toBe("DE")
    put(directory, edition, only("FR").subarray(0, 100))
    await until("the damaged one to be refused", async () => {
      expect(await ask()).toBe("DE")
      return ingress.nginx.errorLog().includes('Cannot use GeoIP database "GeoLite2-Country"')
    })
    rmSync(join(directory, `${edition}.mmdb`))
    expect(await ask()).toBe("DE")
    put(directory, edition, only("US"))
    await until("a good one", async () => (await ask()) === "US")
  })

  test("what is damaged inside lets nobody past a check, and ends no worker", async () => {
    await using ingress = await start(["GeoLite2-Country"], "location @plain { try_files /x =204; }")
    const bytes = only("DE")
    bytes.fill(0xff, bytes.indexOf("country"), bytes.indexOf("\xab\xcd\xefMaxMind.com", 0, "latin1"))
    put(ingress.directory, "GeoLite2-Country", bytes)
    await ingress.route("a.test", [{ access: { denyCountries: ["US"] } }])
    expect(await ingress.ask("a.test", "/", from("192.0.2.1"))).toBe("503")
    expect(await ingress.ask("a.test", "/", from("198.51.100.1"))).toBe("204")
    expect(ingress.nginx.errorLog()).toMatch(/GeoIP database "GeoLite2-Country" is damaged/)
    expect(ingress.nginx.errorLog()).not.toMatch(/exited on signal/)
  })
})
