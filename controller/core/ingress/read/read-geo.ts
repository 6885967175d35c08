import type { GeoLists } from "../../../model/access.ts"
import { tellsAsn, tellsCountry } from "../../../model/geo-edition.ts"
import { type AccessValues, unusable } from "../../annotations/values.ts"
import { denied, deny, type IngressContext } from "./ingress-context.ts"

const editionsFor = { countries: tellsCountry, asns: tellsAsn } as const
const told = { countries: "countries", asns: "autonomous systems" } as const

/** Where the clients of an Ingress have to be. `closed`: nobody can tell, so nobody gets in. */
export function readGeo(values: AccessValues, context: IngressContext): GeoLists | "closed" | undefined {
  const { allowCountries, denyCountries, allowAsns, denyAsns } = values
  const lists = [allowCountries, denyCountries, allowAsns, denyAsns]
  if (lists.every((list) => list === undefined)) return undefined
  if (lists.includes(unusable)) return "closed"
  const states = [
    checked("allow-countries", allowCountries, "countries", context),
    checked("deny-countries", denyCountries, "countries", context),
    checked("allow-asns", allowAsns, "asns", context),
    checked("deny-asns", denyAsns, "asns", context),
  ]
  if (states.includes(denied)) return "closed"
  return {
    ...(usable(allowCountries) && { allowCountries }),
    ...(usable(denyCountries) && { denyCountries }),
    ...(usable(allowAsns) && { allowAsns }),
    ...(usable(denyAsns) && { denyAsns }),
  }
}

function usable<T>(list: T | typeof unusable | undefined): list is T {
  return list !== undefined && list !== unusable
}

/** A list that no database can answer closes: it is there to keep requests out. */
function checked(name: string, list: unknown, kind: keyof typeof told, context: IngressContext) {
  const { settings, options } = context
  if (list === undefined) return undefined
  const needed = `Annotation "wick.dev/${name}" needs`
  if (!settings.usesGeoip2)
    return deny(context, name, "geoip-needed", `${needed} use-geoip2: "true" in the ConfigMap`)
  if (options.geoEditions.some(editionsFor[kind])) return undefined
  const missing = `${needed} a database of ${told[kind]} in --maxmind-edition-ids`
  return deny(context, name, "geoip-needed", missing)
}
