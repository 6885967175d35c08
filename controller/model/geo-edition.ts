/** Databases of GeoIP by the names that MaxMind gives them. */
export const geoEditions = [
  "GeoIP2-Anonymous-IP",
  "GeoIP2-Country",
  "GeoIP2-City",
  "GeoIP2-Connection-Type",
  "GeoIP2-Domain",
  "GeoIP2-ISP",
  "GeoIP2-ASN",
  "GeoLite2-ASN",
  "GeoLite2-Country",
  "GeoLite2-City",
] as const

export type GeoEdition = (typeof geoEditions)[number]

/** Whether it says in which country an address is. */
export function tellsCountry(edition: GeoEdition): boolean {
  return /-(Country|City)$/.test(edition)
}

/** Whether it says to which autonomous system an address belongs. */
export function tellsAsn(edition: GeoEdition): boolean {
  return /-(ASN|ISP)$/.test(edition)
}
