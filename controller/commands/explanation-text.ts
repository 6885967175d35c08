import { checkNotes } from "./access.ts"
import { detailed } from "./backends.ts"
import type { Explanation, Taken } from "./explanation.ts"
import { limitNotes } from "./limits.ts"
import { clientNotes, corsNotes, ingressOf, routeNotes } from "./notes.ts"

// An explanation in words.

/** One sentence, without its dot. */
export function headline({ request, outcome, taken }: Explanation): string {
  const what = `${request.isHttps ? "https" : "http"}://${request.host}${request.target}`
  const by = taken === undefined ? ofNobody(outcome) : owner(taken)
  switch (outcome.kind) {
    case "proxied":
      return `${what} is served ${by}`
    case "redirected":
      return `${what} is redirected (${outcome.status}) ${by}`
    case "answered":
      return `${what} is answered ${outcome.status} ${by}`
    default:
      return outcome satisfies never
  }
}

function ofNobody(outcome: Explanation["outcome"]): string {
  const isMissing = outcome.kind === "answered" && outcome.status === 404
  return isMissing ? "as no route is found" : "before a route is looked for"
}

function owner({ route }: Taken): string {
  const ingress = ingressOf(route)
  return ingress === "" ? "by wick itself: no Ingress is meant" : `by Ingress ${ingress}`
}

/** What there is to say, each behind its name; a name of "" goes on with the one before. */
export function factsOf({ request, outcome }: Explanation, taken: Taken): string[][] {
  const { host, hostBecause, path, route, clients, checks, limits, backend, canaries } = taken
  return [
    ["host", `${host} (${hostBecause})`],
    ["route", `${route.path} (${route.match}${path === route.path ? "" : `, for ${path}`})`],
    ...(outcome.kind === "redirected" ? [["to", outcome.location]] : []),
    ...(outcome.kind === "proxied" && isRewritten(outcome.target, path, request.target)
      ? [["sees", outcome.target]]
      : []),
    ["policy", route.policy],
    ...(clients === undefined ? [] : named("clients", clientNotes(clients))),
    ...(route.cors === undefined ? [] : named("cors", corsNotes(route.cors))),
    ...(limits === undefined ? [] : named("limits", limitNotes(limits))),
    ...(checks === undefined ? [] : named("access", checkNotes(checks))),
    ...(backend === undefined ? [] : named("backend", detailed(backend))),
    ...canaries.flatMap((canary) => named("canary", detailed(canary))),
    ...named("with", routeNotes(route)),
  ]
}

function isRewritten(seen: string, path: string, target: string): boolean {
  const at = target.indexOf("?")
  return seen !== path + (at === -1 ? "" : target.slice(at))
}

/** The name stands in front of the first of several lines. */
function named(name: string, lines: readonly string[]): string[][] {
  return lines.map((line, at) => [at === 0 ? name : "", line])
}
