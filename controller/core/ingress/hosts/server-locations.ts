import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { complaint, hostText } from "../../declared/problems.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { ServerSnippet } from "../parsed/server-snippet.ts"
import type { DerivedRoutes } from "./derived-routes.ts"

/** What is in force of a server-snippet beside what its paths have of it. */
export interface MergedServer extends Pick<ServerSnippet, "source" | "steps" | "serverText"> {
  /** in force for what its steps answer */
  readonly level: ServerSnippet["ofPaths"]["level"]
  /** its location blocks */
  readonly routes: readonly ParsedRoute[]
}

/** A host whose paths have been settled. */
interface Settled {
  readonly host: string
  /** its routes, as Ingresses declare them */
  readonly paths: readonly ParsedRoute[]
  readonly derived: DerivedRoutes
  readonly problems: Problem[]
}

/**
 * The location blocks of a server-snippet beside the paths of the host. What nginx would refuse, two locations that are the same, breaks nothing here:
 * the Ingress has its path.
 *
 * @param isClosed whether whose routes are closed, as something that may guard them is not in force
 */
export function mergedServer(
  snippet: ServerSnippet,
  { host, paths, derived, problems }: Settled,
  isClosed: (route: Pick<ParsedRoute, "source">) => boolean,
): MergedServer {
  const { source, serverText } = snippet
  const isOff = isClosed(snippet)
  const taken = new Map(paths.flatMap((route) => locationKeys(route).map((key) => [key, route] as const)))
  const routes = snippet.routes.flatMap((route) => {
    const winner = taken.get(route.key.replace(/_final$/, ""))
    if (winner !== undefined) problems.push(conflict(snippet, route, host, winner))
    if (winner !== undefined) return []
    return [isOff ? derived.closed(route) : route]
  })
  // Steps could answer before it is found out that a path is closed.
  const { level } = snippet.ofPaths
  return { source, steps: isOff ? noSteps : snippet.steps, level, serverText, routes }
}

const noSteps: ServerSnippet["steps"] = []

/** The locations that ingress-nginx makes of a path: a prefix with a slash, and the path itself without. */
function locationKeys({ path, match, filters }: ParsedRoute): readonly string[] {
  if (filters.isPattern) return []
  if (match === "exact") return [`${path} exact`]
  if (path === "/") return ["/ string_prefix"]
  const bare = path.replace(/\/$/, "")
  return [`${bare} exact`, `${bare}/ string_prefix`]
}

function conflict(
  { source, field }: ServerSnippet,
  { path }: ParsedRoute,
  host: string,
  winner: ParsedRoute,
): Problem {
  const whose =
    winner.source.name === "" ? "the default backend" : `Ingress "${qualifiedName(winner.source)}"`
  const message = `Cannot serve location ${shown(path)} of server-snippet for ${hostText(host)}: ${whose} has that path, and is asked in its place; write what the block says into "configuration-snippet"`
  return complaint(source, field, "path-taken", message)
}
