import type { GeoLists } from "../model/access.ts"
import type { PostedAccess } from "../output/control/posted.ts"

/** Undefined: anywhere. */
export function geoListsOf(posted: PostedAccess): GeoLists | undefined {
  const { allow_countries, deny_countries, allow_asns, deny_asns } = posted
  const lists = {
    ...(allow_countries && { allowCountries: allow_countries }),
    ...(deny_countries && { denyCountries: deny_countries }),
    ...(allow_asns && { allowAsns: allow_asns }),
    ...(deny_asns && { denyAsns: deny_asns }),
  }
  return Object.keys(lists).length === 0 ? undefined : lists
}

export function geoNotes({ allowCountries, denyCountries, allowAsns, denyAsns }: GeoLists): string[] {
  return [
    ...(denyCountries === undefined ? [] : [`not for ${inCountries(denyCountries)}`]),
    ...(allowCountries === undefined ? [] : [`only for ${inCountries(allowCountries)}`]),
    ...(denyAsns === undefined ? [] : [`not for ${ofSystems(denyAsns)}`]),
    ...(allowAsns === undefined ? [] : [`only for ${ofSystems(allowAsns)}`]),
  ]
}

/** What a request needs of which only nginx's databases know whether it has it. */
export function neededPlace({ allowCountries, allowAsns }: GeoLists): string {
  const allowed = [
    ...(allowCountries === undefined ? [] : [`a country of ${listed(allowCountries)}`]),
    ...(allowAsns === undefined ? [] : [`a network of ${listed(allowAsns.map(name))}`]),
  ]
  return allowed.length === 0 ? "a place that is not denied" : allowed.join(" and ")
}

function inCountries(codes: readonly string[]): string {
  return `clients in ${listed(codes)}, by the database of GeoIP`
}

function ofSystems(numbers: readonly number[]): string {
  return `networks of ${listed(numbers.map(name))}, by the database of GeoIP`
}

function name(asn: number): string {
  return `AS${asn}`
}

/** Some of many. */
function listed(items: readonly string[]): string {
  const max = 10
  const more = items.length - max
  return items.slice(0, max).join(", ") + (more > 0 ? ` and ${more} more` : "")
}
