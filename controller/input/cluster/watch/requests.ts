import type { ApiRequest } from "../api.ts"
import { pageQuery } from "../pages.ts"
import type { Resource } from "./delta.ts"

/** How long the server keeps a watch open. Many that began together, after an outage, end at different times. */
const watchSeconds = { min: 300, max: 600 }

/** One page, as of now. @param next where it begins; "": at the start */
export function pageRequest({ path, selectors, accept }: Resource, next: string): ApiRequest {
  const query = { ...selectors, ...pageQuery(next) }
  return { method: "GET", path, query, ...(accept && { accept: accept.list }) }
}

/**
 * A watch with bookmarks.
 *
 * @param version from where on; undefined: all there is comes first, as of now, and then its end (KEP-3157)
 * @param seconds after which the server ends it in order
 */
export function watchRequest(
  { path, selectors, accept }: Resource,
  version: string | undefined,
  seconds: number,
): ApiRequest {
  const where =
    version === undefined
      ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" }
      : { resourceVersion: version }
  const how = { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: String(seconds) }
  return {
    method: "GET",
    path,
    query: { ...selectors, ...where, ...how },
    ...(accept && { accept: accept.watch }),
  }
}

/** @param maxMs it is not wanted for longer @param random 0 ≤ value < 1 */
export function secondsOfWatch(maxMs: number, random: number): number {
  const { min, max } = watchSeconds
  return Math.max(1, Math.min(Math.ceil(maxMs / 1000), Math.round(min + (max - min) * random)))
}
