import type { CookieAffinity } from "../../../model/backend.ts"
import { contentName } from "../../../support/content-name.ts"
import type { RouteRule, WebRoute } from "./read-route.ts"

/** What a rule says of sessions that cookies cannot keep here; undefined: nothing. */
export function unsupportedSession({ session, backends }: RouteRule): string | undefined {
  if (session === undefined) return undefined
  if (session.type !== "Cookie") return "session persistence by header"
  if (session.isPermanent && session.absoluteTimeoutMs === undefined)
    return "a permanent session cookie without absoluteTimeout"
  if (!session.isPermanent && session.absoluteTimeoutMs !== undefined)
    return "an absoluteTimeout of a session cookie that is not permanent"
  const isAlone = backends.length < 2 && backends.every(({ filters }) => filters.length === 0)
  return isAlone ? undefined : "session persistence with several backends, or with filters of a backend,"
}

/** The sessions of a rule, which has none that are unsupported; undefined: it says nothing of them. */
export function affinityOf(rule: RouteRule, route: WebRoute): CookieAffinity | undefined {
  if (rule.session === undefined) return undefined
  const { name, path, absoluteTimeoutMs } = rule.session
  return {
    mode: "persistent",
    cookie: {
      name: name || ownName(rule, route),
      path: path || "/",
      ...(absoluteTimeoutMs !== undefined && { maxAgeSeconds: Math.ceil(absoluteTimeoutMs / 1000) }),
      ...{ secure: false, conditionalSameSiteNone: false, changeOnFailure: false },
    },
  }
}

/** No other rule has it, and it stays when rules before one with a name come and go. */
function ownName({ name, field }: RouteRule, { kind, meta }: WebRoute): string {
  return `wick-${contentName([kind, meta.namespace, meta.name, name || field].join("/")).slice(0, 8)}`
}
