import { fieldPath } from "../../controller/model/field-path.ts"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import type { ObjectName } from "../../controller/model/problem.ts"
import type { Route } from "../../controller/model/route.ts"
import { routeSourceOf } from "../../controller/model/route-source.ts"
import type { Converting } from "./converting.ts"

// The rest of a host: requests that none of its paths matches. Ingresses have a `/` for them that says 404, with what the annotations of the oldest
// one say; routes have none, and a route of more hosts takes them.

/** What the rest of a host gets by the annotations of this Ingress; undefined: those of another one count, or there is no rest. */
export function ownRest(host: string, { subject, served }: Converting): Route | undefined {
  const rest = served.implicitRoot(host)
  const { namespace, name } = subject.ingress.meta
  return rest?.namespace === namespace && rest.ingressName === name ? rest : undefined
}

/** What is said of a host. @param rest its own one @param field of its rule @param isLed whether a route leads that to HTTPS, too */
export function remarkHost(
  { host, field }: { readonly host: string; readonly field: string },
  rest: Route | undefined,
  isLed: boolean,
  { served, remarks: { addChange } }: Converting,
): void {
  const at = host === "" ? field : fieldPath(field, "host")
  if (host === "" && served.hasNames) addChange("unmatched", at, ofAll)
  if (host.startsWith("*."))
    addChange(
      "labels",
      at,
      `${host} has any number of labels in front from now on, such as two.labels${host.slice(1)}`,
    )
  const beyond = served.implicitRoot(host) && served.beyond(host)
  if (beyond !== undefined) addChange("unmatched", at, goesTo(routeSourceOf(beyond)))
  const isLost = rest?.httpsRedirect !== undefined && !isLed
  if (rest !== undefined && (isLost || isChecked(rest))) addChange("root", at, unchecked)
}

const ofAll =
  "What no path of other hosts matches is served by it, too, from now on, and no name that has several labels in front of a wildcard of theirs"

const unchecked =
  "What none of its paths matches is answered 404 at once, without the redirect to HTTPS, the checks and the headers that it had"

function goesTo(object: ObjectName): string {
  return `What none of its paths matches is served by ${object.kind} ${qualifiedName(object)} from now on, whose host is wider, and was answered 404`
}

function isChecked({ status, access, cors, limits, waf, headers, script }: Route): boolean {
  return status === 503 || [access, cors, limits, waf, headers, script].some((it) => it !== undefined)
}
