import type { StandingProblem } from "../model/standing-problem.ts"
import { checkNotes } from "./access.ts"
import type { Explanation, Taken } from "./explanation.ts"
import { type Step, stepOf } from "./explanation-steps.ts"
import { firewallNotes } from "./firewall.ts"
import { limitNotes } from "./limits.ts"
import { backendLines, clientNotes, corsNotes, routeNotes } from "./notes.ts"
import { programOf } from "./program.ts"

/** What there is to say of a step. */
type Section = readonly [step: Step, lines: readonly string[]]

/**
 * What there is to say of an explanation, each behind its name; a name of "" goes on with the one before. Problems stand at the step where they have
 * their effect, with what to do.
 */
export function factsOf(explanation: Explanation): string[][] {
  const { taken, problems = [] } = explanation
  const sections = taken === undefined ? [] : sectionsOf(explanation, taken)
  const wrong = Map.groupBy(problems, stepOf)
  const found = new Set(sections.map(([step]) => step))
  const others = [...wrong.keys()].filter((step) => !found.has(step)).map((step): Section => [step, []])
  return [...sections, ...others].flatMap(([step, lines]) =>
    named(step, [...lines, ...(wrong.get(step) ?? []).flatMap(problemLines)]),
  )
}

/** In the order of the way; those with nothing to say are left out. */
function sectionsOf({ request, outcome, problems }: Explanation, taken: Taken): readonly Section[] {
  const { host, hostBecause, path, route, clients, checks, service, limits, firewall, backend, canaries } =
    taken
  const isSeen = outcome.kind === "proxied" && isRewritten(outcome.target, path, request.target)
  const all: readonly Section[] = [
    ["host", [`${host} (${hostBecause})`]],
    ["server", taken.hostScript === undefined ? [] : programOf(taken.hostScript, taken.hostSteps)],
    ["route", [`${route.path} (${route.match}${path === route.path ? "" : `, for ${path}`})`]],
    ["to", outcome.kind === "redirected" ? [outcome.location] : []],
    ["sees", isSeen ? [outcome.target] : []],
    ["location", [route.location]],
    ["clients", clients === undefined ? [] : clientNotes(clients)],
    ["script", route.script === undefined ? [] : programOf(route.script, taken.steps)],
    ["cors", route.cors === undefined ? [] : corsNotes(route.cors)],
    ["limits", limits === undefined ? [] : limitNotes(limits)],
    ["access", [...(checks === undefined ? [] : checkNotes(checks)), ...serviceNotes(service)]],
    ["firewall", firewall === undefined ? [] : firewallNotes(firewall)],
    ["backend", backend === undefined ? [] : backendLines(backend)],
    ["canary", canaries.flatMap(backendLines)],
    ["with", routeNotes({ ...route, waf: undefined })],
    ["problems", problems === undefined ? ["not known: no controller answers"] : []],
  ]
  return all.filter(([, lines]) => lines.length > 0)
}

function serviceNotes(service: Taken["service"]): string[] {
  if (service === undefined) return []
  if (!service.isReachable) return ["the service has no endpoint: requests get 500"]
  const { said } = service
  if (said === undefined) return ["the service was not asked: wick explain --ask-auth does"]
  switch (said.kind) {
    case "proxied":
      return ["the service was asked, and lets the request in"]
    case "redirected":
      return [`the service was asked, and has the client log in at ${said.location}`]
    case "answered":
      return [`the service was asked, and the client gets ${said.status}`]
    default:
      return said satisfies never
  }
}

export function problemLines({ object, code, severity, message, remedy }: StandingProblem): string[] {
  const of =
    object.kind === "Ingress"
      ? `${object.namespace}/${object.name}`
      : `${object.kind} ${object.namespace}/${object.name}`
  return [`${severity} ${code} of ${of}: ${message}`, `  to do: ${remedy}`]
}

function isRewritten(seen: string, path: string, target: string): boolean {
  const at = target.indexOf("?")
  return seen !== path + (at === -1 ? "" : target.slice(at))
}

/** The name stands in front of the first of several lines. */
function named(name: Step, lines: readonly string[]): string[][] {
  return lines.map((line, at) => [at === 0 ? name : "", line])
}
