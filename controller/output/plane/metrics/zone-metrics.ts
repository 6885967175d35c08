import type { NamespaceUse, ZoneFill } from "../../../model/zone-fill.ts"
import { type Declare, shared } from "../../../support/declare.ts"
import type { Readings } from "../readings.ts"

type ZoneMetric = readonly [string, string, (zone: ZoneFill) => number | undefined]

const gauges: readonly ZoneMetric[] = [
  ["size_bytes", "Size of a zone of shared memory", (zone) => zone.size],
  ["used_bytes", "What is used of it for records", (zone) => zone.used],
  ["records", "Records in it", (zone) => zone.keys],
  ["slots", "Places for what is learned about endpoints", (zone) => zone.slots],
  ["slots_used", "Those that are taken", (zone) => zone.slots_used],
  ["processes", "Workers, old ones included, that can take part in learning", (zone) => zone.processes],
  ["processes_alive", "Those that do", (zone) => zone.processes_alive],
]

/** Declares how full the zones are, read once at each scrape. Without an answer they have no values. */
export function declareZones(declare: Declare, read: Readings["zones"]): void {
  const zones = shared(read)
  for (const [name, help, of] of gauges) {
    declare.gauge(`wick_zone_${name}`, help, ["zone"], async (gauge) => {
      const now = await zones()
      gauge.reset()
      for (const zone of now) {
        const value = of(zone)
        if (value !== undefined) gauge.set({ zone: zone.name }, value)
      }
    })
  }
}

/** Declares how often zones were too small, read once at each scrape. Without an answer it has no values. */
export function declareShortages(declare: Declare, read: Readings["zoneShortages"]): void {
  declare.counter(
    "wick_zone_shortages_total",
    "Times that a zone which forgets was too small: a client with limits that has to share a place with others of its namespace, a nonce that was given back before its time",
    ["zone"],
    async (counter) => {
      counter.reset()
      for (const [zone, count] of Object.entries((await read()) ?? {})) counter.inc({ zone }, count)
    },
  )
}

/** Declares what namespaces want of the zones of records. */
export function declareNamespaces(declare: Declare, read: Readings["namespaceUse"]): void {
  const gauge = (name: string, help: string, ofUse: (use: NamespaceUse) => number) =>
    declare.gauge(name, help, ["zone", "namespace"], (gauge) => {
      gauge.reset()
      for (const use of read()) gauge.set({ zone: use.zone, namespace: use.namespace }, ofUse(use))
    })
  gauge(
    "wick_zone_namespace_bytes",
    "What the Ingresses of a namespace want of a zone of shared memory, reckoned by what is posted",
    ({ bytes }) => bytes,
  )
  gauge(
    "wick_zone_namespace_share_ratio",
    "The same, as a part of what the namespace may have (zone-share); what is beyond 1 gets 503. 0 where there is no limit",
    ({ bytes, shareBytes }) => bytes / shareBytes,
  )
}
