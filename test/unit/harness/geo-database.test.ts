// The databases that tests in Rust read are those that this makes: test/fixtures/geoip, by the number of bits of a record.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Fraction, geoDatabase } from "../../../harness/geo-database.ts"
import { root } from "../../../harness/paths.ts"

const london = {
  country: {
    iso_code: "GB",
    geoname_id: 2_635_167,
    names: { de: "Vereinigtes Königreich", en: "United Kingdom" },
  },
  location: { latitude: new Fraction(51.5142), time_zone: "Europe/London" },
  subdivisions: [{ iso_code: "ENG" }, { iso_code: "LND" }],
  is_anonymous: true,
  long: "x".repeat(200),
}
const networks = { "81.2.69.0/24": london, "2001:db8::/32": { country: { iso_code: "FR" } } }

test.each([24, 28, 32] as const)("records of %i bits", (recordBits) => {
  const file = readFileSync(join(root, `test/fixtures/geoip/city-${recordBits}.mmdb`))
  expect(geoDatabase("GeoLite2-City", networks, { recordBits }).equals(file)).toBe(true)
})

test("a database of IPv4 alone", () => {
  const file = readFileSync(join(root, "test/fixtures/geoip/country-v4.mmdb"))
  const made = geoDatabase("GeoLite2-Country", { "81.2.69.0/24": london }, { ipVersion: 4 })
  expect(made.equals(file)).toBe(true)
})
