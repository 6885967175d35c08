import { routeSourceName } from "../model/route-source.ts"
import { type Concerned, type StandingProblem, severities } from "../model/standing-problem.ts"

/** More than anybody reads about one request. */
const maxShown = 20

/** What stands that has to do with a request, the worst first. */
export function concerning(
  problems: readonly StandingProblem[],
  concerned: Concerned,
): readonly StandingProblem[] {
  const found = problems.filter((problem) => concerns(problem, concerned))
  return severities
    .flatMap((wanted) => found.filter(({ severity }) => severity === wanted))
    .slice(0, maxShown)
}

function concerns(
  { object, message }: StandingProblem,
  { ingress, service, host, port }: Concerned,
): boolean {
  if (port && new RegExp(`${port}\\b`).test(message)) return true
  const name = `${object.namespace}/${object.name}`
  switch (object.kind) {
    case "Service":
      return name === service
    case "EndpointSlice": // Kubernetes names them after their Service
      return Boolean(service) && name.startsWith(`${service}-`)
    default: {
      const isItsOwn = Boolean(ingress) && `${object.namespace}/${routeSourceName(object)}` === ingress
      return isItsOwn || (Boolean(host) && message.includes(JSON.stringify(host)))
    }
  }
}
