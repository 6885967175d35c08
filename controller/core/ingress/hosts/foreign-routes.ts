import { annotationPath } from "../../../model/field-path.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import { hostText, ruleProblem } from "../../declared/problems.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import { saysSameOfClients } from "./merge-client-validation.ts"
import { type HostOwner, ownedText } from "./ownership.ts"
import { literalBeginning } from "./patterns.ts"

// What other namespaces than a host's owner may say of it: paths. What they say of the host as a whole has no effect; where that should have kept
// requests out, their own paths are closed.

/** A host that is looked at, and whose it is. */
interface Owned {
  readonly host: string
  readonly owner: HostOwner
}

/** A canary has no path of its own that could be closed. @returns undefined when it wants of clients what they have to show anyway */
export function unheardClients(
  { root, clients }: ParsedIngress,
  wanted: ClientValidation | undefined,
  { host, owner }: Owned,
): Problem | undefined {
  if (clients === undefined || saysSameOfClients(clients, wanted)) return undefined
  const outcome =
    root.balancing.canary === undefined ? "the paths of this Ingress there get 503" : "it has no effect"
  const message = `Cannot ask clients of ${hostText(host)} for certificates: ${ownedText(owner)}; ${outcome}`
  return ruleProblem(root, clients.field, "client-certificates-foreign", message)
}

/** An Ingress whose rules for the host are left out. */
export function leftOut({ root, rules }: ParsedIngress, { host, owner }: Owned): readonly Problem[] {
  const [first] = rules.find((rule) => rule.host === host)?.routes ?? []
  const message = `Cannot serve ${hostText(host)}: ${ownedText(owner)}, and key "cross-namespace" of the ConfigMap allows rules for it in no other namespace`
  return [ruleProblem(root, first?.field ?? root.field, "host-foreign", message)]
}

/** @param prefix of annotations */
export function unheardAppRoot({ root }: ParsedIngress, { host, owner }: Owned, prefix: string): Problem {
  const message = `Annotation "app-root" has no effect for ${hostText(host)}: ${ownedText(owner)}, and another Ingress has its path "/"`
  return ruleProblem(root, annotationPath(`${prefix}/app-root`), "host-owned", message)
}

/** Whether a pattern could match whatever a `/` is there for. */
export function takesAll({ path, filters }: ParsedRoute): boolean {
  return filters.isPattern && path !== "/" && literalBeginning(path).length <= 1
}

export function patternLeftOut(route: ParsedRoute, host: string, answers: ParsedRoute): Problem {
  const other = qualifiedName(answers.source)
  const message = `Cannot use pattern ${shown(route.path)} for ${hostText(host)}: it would take the requests for path "/" of Ingress "${other}", which is of another namespace; begin it with fixed text, as in /api(/|$)(.*)`
  return ruleProblem(route, route.field, "pattern-foreign", message)
}
