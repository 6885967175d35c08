import { routeSourceName, routeSourceOf } from "../model/route-source.ts"
import type { StandingProblem } from "../model/standing-problem.ts"
import { needsOf } from "./access.ts"
import { theService } from "./client-verdict.ts"
import type { Explanation, Taken } from "./explanation.ts"
import type { RouteInForce } from "./in-force.ts"
import { ingressOf } from "./notes.ts"

// An explanation in sentences: what becomes of the request, and what the client gets.

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
  const { namespace = "", ingress_name: ingressName = "" } = route
  if (ingressName === "") return "by wick itself: no Ingress is meant"
  const { kind, name } = routeSourceOf({ namespace, ingressName })
  return `by ${kind} ${namespace}/${name}`
}

/** What the client gets in the end, and why: one sentence, without its dot. */
export function clientGets(explanation: Explanation): string {
  const { outcome, because, taken } = explanation
  const why = because === undefined ? "" : `, as ${because}`
  switch (outcome.kind) {
    case "proxied":
      return `The client gets what ${taken === undefined ? "the backend" : `backend ${taken.route.backend}`} answers${conditions(taken)}`
    case "redirected":
      return `The client gets ${outcome.status} to ${outcome.location}${why}`
    case "answered":
      return `The client gets ${outcome.status}${why || reasonOf(explanation)}`
    default:
      return outcome satisfies never
  }
}

/** What has to be so for that. */
function conditions(taken: Taken | undefined): string {
  const { checks, service, limits } = taken ?? {}
  const needs = checks === undefined ? [] : (checks.client?.needs ?? needsOf(checks))
  const open = service?.said === undefined ? needs : needs.filter((need) => need !== theService)
  if (open.length > 0) return `, if it gets in by ${open.join(checks?.satisfy === "any" ? " or " : " and ")}`
  return limits === undefined ? "" : ", as long as it keeps to the limits"
}

/** Of an answer that the route itself gives: what is wrong with it, else that it says so. */
function reasonOf({ outcome, taken, problems = [] }: Explanation): string {
  if (taken === undefined || outcome.kind !== "answered" || outcome.status < 400) return ""
  const wrong = problems.find((problem) => isCause(problem, taken.route))
  if (wrong !== undefined) return `: ${wrong.message}`
  return taken.route.status === undefined ? "" : ", as the route says"
}

/** Whether it may be why the route answers instead of leading on: of its Ingress, and, if it is about a Service, of its own. */
function isCause({ object, code, severity, message }: StandingProblem, route: RouteInForce): boolean {
  const isOwn = `${object.namespace}/${routeSourceName(object)}` === ingressOf(route)
  if (severity !== "error" || !isOwn) return false
  return code !== "backend-unusable" || message.includes(`"${object.namespace}/${route.service_name}`)
}
