import type { Overrides } from "../../model/overrides.ts"
import type { Level } from "../../model/route-records.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"

// What each location of the reference says itself, so that nothing of a server block or of `http` gets there; what a snippet says around reaches its
// own locations only. Source: nginx.tmpl of ingress-nginx, "location".

type Key = keyof Overrides

const numbers: ReadonlySet<Key> = new Set<Key>([
  "proxyConnectTimeoutMs",
  "proxySendTimeoutMs",
  "proxyReadTimeoutMs",
  "clientMaxBodyBytes",
  "proxyNextUpstream",
  "proxyNextUpstreamTries",
  "proxyNextUpstreamTimeoutMs",
  "proxyBufferBytes",
  "proxyBuffersNumber",
  "proxyBuffering",
  "proxyRequestBuffering",
  "proxyMaxTempFileBytes",
  "absoluteRedirect",
  "portInRedirect",
])

const directives: ReadonlySet<string> = new Set(["proxy_http_version"])

/** Those that locations of Ingresses have from a server block or from `http`. */
export function numbersAround(overrides: Overrides): Overrides {
  return Object.fromEntries(Object.entries(overrides).filter(([key]) => !numbers.has(key as Key)))
}

/** As `numbersAround`, of directives. */
export function textAround(text: readonly TypedDirective[]): readonly TypedDirective[] {
  return text.filter(({ name }) => !directives.has(name))
}

/** As `numbersAround`, of the settings of a level. */
export function levelAround({ redirects: _, cookieDomains: __, cookiePaths: ___, ...level }: Level): Level {
  return level
}
