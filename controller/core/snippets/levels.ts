import type { Level, ResponseHeader } from "../../model/route-records.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"

// How a level of nginx's configuration takes over from the one around it.

/**
 * The settings of an inner level. Lists are taken over where the inner one has none of its own, so that one `add_header` loses all outer ones; only
 * what headers-more does is done for each level, the outer first. Merging three levels gives the same in either order.
 * Source: nginx, ngx_http_headers_merge_conf, ngx_http_upstream_hide_headers_hash; headers-more, ngx_http_headers_more_merge_loc_conf.
 */
export function inherit(outer: Level, inner: Level): Level {
  const responseHeaders = inheritHeaders(outer.responseHeaders ?? [], inner.responseHeaders ?? [])
  const inputHeaders = [...(outer.inputHeaders ?? []), ...(inner.inputHeaders ?? [])]
  return {
    ...outer,
    ...inner,
    ...(responseHeaders.length > 0 && { responseHeaders }),
    ...(inputHeaders.length > 0 && { inputHeaders }),
  }
}

function inheritHeaders(
  outer: readonly ResponseHeader[],
  inner: readonly ResponseHeader[],
): readonly ResponseHeader[] {
  const isAdded = ({ op }: ResponseHeader) => op === "add"
  const taken = inner.some(isAdded) ? outer.filter((it) => !isAdded(it)) : outer
  return [...taken, ...inner]
}

/** Lists that a level may say to be empty, so that nothing is taken over. */
const switchable = ["redirects", "cookieDomains", "cookiePaths", "cookieFlags"] as const

/** A level about which nothing more is said around it. */
export function withoutEmptyLists(level: Level): Level {
  if (!switchable.some((key) => level[key]?.length === 0)) return level
  const kept = { ...level }
  for (const key of switchable) if (kept[key]?.length === 0) delete kept[key]
  return kept
}

/** Printed directives: those of a name are taken over where the inner level has none of that name. */
export function inheritText(
  outer: readonly TypedDirective[],
  inner: readonly TypedDirective[],
): readonly TypedDirective[] {
  const own = new Set(inner.map(({ name }) => name))
  return [...outer.filter(({ name }) => !own.has(name)), ...inner]
}
