import { type ZoneName, zoneNames } from "../../../model/http/processes.ts"

/** Bytes that each zone has for records when it is as large as it may become. */
export type ZoneRooms = Readonly<Record<ZoneName, number>>

/** What a store of one mebibyte has besides records; of larger ones it is less (nginx/kv/src/layout.rs). */
const overhead = 1 / 16

/** @param sizes of zones, in bytes */
export function roomsIn(sizes: ZoneRooms): ZoneRooms {
  const rooms = zoneNames.map((zone) => [zone, Math.floor(sizes[zone] * (1 - overhead))])
  return Object.fromEntries(rooms)
}

/** What namespaces want, and what each may have. */
export interface Limits {
  readonly roomBytes: number
  /** per cent of the room that one namespace may have */
  readonly sharePercent: number
}

/** Of the room something is left for changes: what replaces another record is beside it for a while. */
const usable = 7 / 8

/**
 * The most that a namespace may have. Where all of them want more than there is, those that want most yield, so that each of n has at least its nth
 * part of it.
 *
 * @param wanted bytes, of each namespace
 * @param taken bytes that belong to none
 */
export function shareBytes(
  wanted: Iterable<number>,
  taken: number,
  { roomBytes, sharePercent }: Limits,
): number {
  const most = Math.floor((roomBytes * sharePercent) / 100)
  const ascending = [...wanted].map((bytes) => Math.min(bytes, most)).sort((a, b) => a - b)
  let left = Math.max(Math.floor(roomBytes * usable) - taken, 0)
  for (const [at, bytes] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - at))
    if (bytes > level) return level
    left -= bytes
  }
  return most
}
