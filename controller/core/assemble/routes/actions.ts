import type { Overrides } from "../../../model/overrides.ts"
import type { Redirect } from "../../../model/route.ts"
import type { Actions, Mirror } from "../../../model/route-records.ts"
import type {
  BackendActions,
  HeaderEdits,
  PathReplacement,
  RedirectParts,
  RuleActions,
  RuleMirror,
  RuleRetry,
  RuleTimeouts,
} from "../../declared/actions.ts"
import { literal } from "../../declared/literal.ts"
import type { Rule } from "../../declared/rule.ts"
import type { FindTarget } from "./find-target.ts"

/** What a rule, or one of its backends, says of its requests; `undefined`: nothing that is no field of its own. */
export function actionsOf(
  said: BackendActions,
  targetOf: FindTarget,
  own?: Partial<Actions>,
): Actions | undefined {
  const mirrors = said.mirrors?.flatMap((mirror) => mirrorOf(mirror, targetOf)) ?? []
  const actions: Actions = {
    ...editsOf(said.requestHeaders, "Request"),
    ...editsOf(said.responseHeaders, "Response"),
    ...pathOf(said.rewrite?.path),
    ...(mirrors.length > 0 && { mirrors }),
    ...own,
  }
  return Object.keys(actions).length === 0 ? undefined : actions
}

/** The same of a rule as a whole, which has more to say. */
export function actionsOfRule({ actions }: Rule, targetOf: FindTarget): Actions | undefined {
  if (actions === undefined) return undefined
  const { timeouts, retry, redirect } = actions
  return actionsOf(actions, targetOf, {
    ...(timeouts?.requestMs && { requestTimeoutMs: timeouts.requestMs }),
    ...(timeouts?.backendMs && { backendTimeoutMs: timeouts.backendMs }),
    ...codesOf(retry),
    ...pathOf(redirect?.path),
  })
}

type Side = "Request" | "Response"

function editsOf({ set = [], add = [], remove = [] }: HeaderEdits = {}, side: Side): Partial<Actions> {
  const replaced = [...set, ...remove.map((name) => ({ name, value: "" }))]
  return {
    ...(replaced.length > 0 && { [`set${side}Headers`]: replaced }),
    ...(add.length > 0 && { [`add${side}Headers`]: add }),
  }
}

function pathOf(path: PathReplacement | undefined): Partial<Actions> {
  if (path === undefined) return {}
  // Of a prefix nothing may be left: a slash at the end counts for nothing.
  const text = path.by.startsWith("/") ? path.by : `/${path.by}`
  return { path: text, ...(path.of === "prefix" && { replacesPrefix: true as const }) }
}

/** One who has no endpoints gets no copies. */
function mirrorOf(
  { ref, part, location, variables, backendTls }: RuleMirror,
  targetOf: FindTarget,
): readonly Mirror[] {
  const { name, status } = targetOf(ref)
  if (status !== undefined) return []
  return [
    {
      backend: name,
      ...(location && { location: location.name }),
      ...(backendTls && { backendTls: backendTls.said }),
      ...(variables && { variables }),
      ...part,
    },
  ]
}

/** Where a redirect leads, but for the path that takes the place of the request's. */
export function redirectOf({ code, scheme, hostname, port, path, listener }: RedirectParts): Redirect {
  const own = scheme ?? listener.scheme
  const wanted = port ?? (scheme === undefined ? listener.port : usualPorts[scheme])
  const host = hostname === undefined ? "$host" : literal(hostname)
  const shown = wanted === usualPorts[own] ? "" : `:${wanted}`
  return { code, to: `${own}://${host}${shown}${path === undefined ? "$request_uri" : ""}` }
}

const usualPorts = { http: 80, https: 443 } as const

/** Statuses of which nginx knows itself that another endpoint may be asked. */
const ownWords: ReadonlyMap<number, string> = new Map(
  [500, 502, 503, 504, 403, 404, 429].map((code) => [code, `http_${code}`]),
)

function codesOf(retry: RuleRetry | undefined): Partial<Actions> {
  const retryCodes = retry?.codes.filter((code) => !ownWords.has(code)) ?? []
  return retryCodes.length === 0 ? {} : { retryCodes }
}

/** Numbers that a rule has because of its actions. `said`: its own, which stay. */
export function actionOverrides({ actions }: Rule, said: Overrides): Overrides {
  return { ...retryOverrides(actions, said), ...patience(actions?.timeouts, said) }
}

/** Who says how long an attempt may take, and nothing of further ones, means that the answer comes by then. */
function retryOverrides(actions: RuleActions | undefined, said: Overrides): Overrides {
  const { retry, timeouts } = actions ?? {}
  if (retry === undefined)
    return timeouts?.backendMs && said.proxyNextUpstream === undefined ? { proxyNextUpstream: "error" } : {}
  const words = retry.codes.flatMap((code) => ownWords.get(code) ?? [])
  const others = retry.codes.length > words.length ? ["invalid_header"] : []
  const any = retry.codes.length > 0 ? ["non_idempotent"] : []
  return {
    proxyNextUpstream: ["error", "timeout", ...others, ...words, ...any].join(" "),
    proxyNextUpstreamTries: retry.attempts + 1,
  }
}

/** Milliseconds, as nginx has them at most. */
const longestMs = 2_147_483_647

/** Where a rule says how long an answer may take, a backend may be silent as long. */
function patience(timeouts: RuleTimeouts | undefined, said: Overrides): Overrides {
  if (timeouts?.requestMs === undefined && timeouts?.backendMs === undefined) return {}
  const { proxyReadTimeoutMs = longestMs, proxySendTimeoutMs = longestMs } = said
  return { proxyReadTimeoutMs, proxySendTimeoutMs }
}
