import type { Location, LocationFields, Protocol } from "../../model/location.ts"
import { assertSame, contentName } from "../../support/content-name.ts"
import { compareText } from "../../support/order.ts"

/** The locations that a rule may take, depending on what serves it. Where all are the same it is one object. */
export interface RouteLocations {
  readonly own: Location
  /** before the default backend, which speaks plain HTTP whatever the rule's own backend speaks */
  readonly onDefault: Location
  /** before the fallback that serves when the route's own backend has no endpoints; absent: there is none */
  readonly onFallback?: Location
}

/** The location with these fields. Equal fields give equal names, whatever their order. */
export function locationOf(fields: LocationFields): Location {
  return named(textOf(fields), fields)
}

/** By the text that is hashed: equal locations are one object while they are in here, and comparing them takes no time. */
export class KnownLocations {
  readonly #known = new Map<string, Location>()

  of(fields: LocationFields): Location {
    if (Object.keys(fields).length === 0) return defaultLocation
    const text = textOf(fields)
    const before = this.#known.get(text)
    if (before !== undefined) return before
    const location = named(text, fields)
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(text, location)
    return location
  }

  ofRoutes(fields: LocationFields, hasFallback: boolean): RouteLocations {
    if (Object.keys(fields).length === 0 && !hasFallback) return defaultLocations
    const { protocol: _, fastcgi: __, ...plain } = fields
    const own = this.of(fields)
    const onDefault = this.of(plain)
    if (onDefault.name === own.name) assertSame(own.name, own, onDefault)
    return {
      own,
      onDefault: onDefault.name === own.name ? own : onDefault,
      ...(hasFallback && { onFallback: this.of({ ...plain, isFallback: true }) }),
    }
  }
}

const maxKnown = 1024

function textOf(fields: LocationFields): string {
  return JSON.stringify(Object.entries(fields).sort(([a], [b]) => compareText(a, b)))
}

function named(text: string, fields: LocationFields): Location {
  return { name: `location-${contentName(text)}`, ...fields }
}

export const defaultLocation: Location = locationOf({})
export const defaultLocations: RouteLocations = { own: defaultLocation, onDefault: defaultLocation }

const protocols = ["https", "auto", "grpc", "grpcs", "fastcgi"] as const satisfies readonly Protocol[]

/** They always exist, so that neither the first ordinary rule needs a reload, nor the first backend of a protocol. */
export const usualLocations: readonly Location[] = [
  defaultLocation,
  ...protocols.map((protocol) => locationOf({ protocol })),
]
