import type { PathModifier, RouteFilter } from "../../../model/objects/gateway/filters.ts"
import type { HttpRetry, HttpTimeouts } from "../../../model/objects/gateway/http-route.ts"
import type {
  BackendActions,
  HeaderEdits,
  PathReplacement,
  RedirectParts,
  RuleActions,
  RuleMirror,
  UrlRewrite,
} from "../../declared/actions.ts"

/** Where clients have connected to, as they see it. */
export type ClientSide = RedirectParts["listener"]

/** Filters of a rule or of one of its backends, but for those that need more than themselves. */
export function actionsOf(filters: readonly RouteFilter[], mirrors: readonly RuleMirror[]): BackendActions {
  const requestHeaders = editsOf(filters, "RequestHeaderModifier")
  const responseHeaders = editsOf(filters, "ResponseHeaderModifier")
  const rewrite = filters.find((filter) => filter.type === "URLRewrite")?.rewrite
  return {
    ...(requestHeaders && { requestHeaders }),
    ...(responseHeaders && { responseHeaders }),
    ...(rewrite && { rewrite: rewriteOf(rewrite) }),
    ...(mirrors.length > 0 && { mirrors }),
  }
}

function editsOf(
  filters: readonly RouteFilter[],
  type: "RequestHeaderModifier" | "ResponseHeaderModifier",
): HeaderEdits | undefined {
  const filter = filters.find((it) => it.type === type)
  if (filter === undefined || !("edits" in filter)) return undefined
  const { set, add, remove } = filter.edits
  return {
    ...(set.length > 0 && { set }),
    ...(add.length > 0 && { add }),
    ...(remove.length > 0 && { remove }),
  }
}

function rewriteOf({
  hostname,
  path,
}: {
  readonly hostname: string
  readonly path?: PathModifier
}): UrlRewrite {
  return { ...(hostname !== "" && { hostname }), ...(path && { path: replacementOf(path) }) }
}

function replacementOf({ replaces, value }: PathModifier): PathReplacement {
  return { of: replaces === "path" ? "all" : "prefix", by: value }
}

/** @param listener that the rule is on */
export function redirectOf(filters: readonly RouteFilter[], listener: ClientSide): RedirectParts | undefined {
  const redirect = filters.find((filter) => filter.type === "RequestRedirect")?.redirect
  if (redirect === undefined) return undefined
  const { scheme, hostname, port, path, code } = redirect
  return {
    code,
    ...(scheme !== "" && { scheme }),
    ...(hostname !== "" && { hostname }),
    ...(port !== undefined && { port }),
    ...(path && { path: replacementOf(path) }),
    listener,
  }
}

/** What a rule says of time and of further attempts. */
export function limitsOf(timeouts: HttpTimeouts, retry: HttpRetry | undefined): RuleActions {
  const { requestMs, backendMs } = timeouts
  const isTimed = (requestMs ?? backendMs) !== undefined
  return {
    ...(isTimed && {
      timeouts: {
        ...(requestMs !== undefined && { requestMs }),
        ...(backendMs !== undefined && { backendMs }),
      },
    }),
    ...(retry && { retry: { codes: retry.codes, attempts: retry.attempts } }),
  }
}
