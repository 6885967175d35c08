import { qualifiedName } from "../../../controller/model/objects/object.ts"
import { distinctBy } from "../../../controller/support/distinct.ts"
import type { Finding, Report } from "../../lint/report.ts"
import type { DiffRequest } from "../requests/request.ts"
import { ingressFinder, type Served } from "./served-by.ts"

/** Something that is known to be different and may be why. Texts are plain, without a final dot. */
export interface Cause {
  /** a difference of docs/differences.md, or the code of a Problem */
  readonly rule: string
  readonly what: string
  readonly before?: string
  readonly now: string
  readonly change?: string
}

/** Causes by request and aspect. */
export interface Causes {
  readonly of: (request: DiffRequest, aspect: string) => readonly Cause[]
  /** `namespace/name` of the Ingresses that a request has to do with */
  readonly ingresses: (request: DiffRequest) => readonly string[]
}

/** Where nothing is known. */
export const noCauses: Causes = { of: () => [], ingresses: () => [] }

/** What `wick lint` says of the Ingresses that a request has to do with, as far as it may show in that aspect. */
export function causesIn(report: Report, served: Served): Causes {
  const byName = new Map(report.ingresses.map((it) => [qualifiedName(it.object), it]))
  const find = ingressFinder(served)
  const ingresses = (request: DiffRequest) => find(request).map(qualifiedName)
  return {
    ingresses,
    of: (request, aspect) => {
      const own = ingresses(request).flatMap((name) => byName.get(name)?.findings ?? [])
      const possible = [...own, ...report.everyone].filter((finding) => mayShow(finding, aspect))
      return distinctBy(possible.map(causeOf), ({ rule, now }) => `${rule} ${now}`)
    },
  }
}

function causeOf({ rule, what, before, now, change }: Finding): Cause {
  return { rule, what, now, ...(before !== undefined && { before }), ...(change !== undefined && { change }) }
}

/**
 * Names of annotations and keys, and in which aspects they show. What no line is about may show anywhere; the first line that fits counts.
 */
const topics: readonly (readonly [name: RegExp, aspects: RegExp])[] = [
  [/^(?:enable-)?cors/, /^(?:status|answer|body|header (?:access-control-|vary))/],
  [/^(?:affinity|session-cookie)/, /^(?:header set-cookie|body|status)/],
  [/access-log|opentelemetry|opentracing|metrics|^error-log/, /^$/],
  [/redirect|app-root|rewrite|server-alias/, /^(?:status|answer|body|header (?:location|refresh))/],
  [
    /^(?:auth-tls|ssl-|tls|hsts|enable-ocsp|default-ssl)|^spec\.tls/,
    /^(?:status|answer|body|certificate|names|expiry|trust|version|protocol|header (?:strict|location))/,
  ],
  [
    /^(?:auth|allowlist|denylist|whitelist|satisfy|limit|global-rate|block)/,
    /^(?:status|answer|body|header (?:www-auth|location|set-cookie))/,
  ],
  [
    /timeout|next-upstream|retries|buffer|body-size|keepalive|upstream-hash|load-balance/,
    /^(?:status|answer|time|body)/,
  ],
  [/header|gzip|brotli|server-tokens/, /^(?:header|body)/],
]

/** What is shown before any request: only what is said of TLS, and certificates themselves, can be why. */
const ofHandshakes = /^(?:certificate|names|expiry|trust|version|protocol)$/

/** Where it shows who serves. */
const ofBackends = /^(?:answer|status|body|time)$/

function mayShow({ evidence }: Finding, aspect: string): boolean {
  return evidence.some(({ field, object }) => {
    const [, name = field] = /\["(?:[^"/]*\/)?([^"]+)"\]$/.exec(field) ?? []
    const topic = topics.find(([names]) => names.test(name === "" ? object.name.replace(/^--/, "") : name))
    if (topic !== undefined) return topic[1].test(aspect)
    if (object.kind === "Service" || object.kind === "EndpointSlice") return ofBackends.test(aspect)
    return object.kind === "Secret" || !ofHandshakes.test(aspect)
  })
}
