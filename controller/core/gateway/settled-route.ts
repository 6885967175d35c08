import type { Condition, ObjectStatus, ParentStatus } from "../../model/object-status.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { Namespace } from "../../model/objects/namespace.ts"
import { type GatewayRoute, nameOf } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { compact } from "../../support/compact.ts"
import { sameItems } from "../../support/incremental/last-result.ts"
import { type AttachedParent, attachmentsOf, type Parent, type Parents, parentOf } from "./attach.ts"
import { conditionOf, type Finding, problemOf } from "./finding.ts"
import type { AttachableListener } from "./listeners/attachable.ts"
import type { BuiltRoute } from "./routes/built-route.ts"
import type { BuiltStream } from "./streams/stream-build.ts"

export type Built = BuiltRoute | BuiltStream

/** A route of ours, and what became of each of its parents. */
export interface SettledRoute<B extends Built = Built> {
  /** for Gateways that show backends nothing */
  readonly built: B
  readonly parents: readonly AttachedParent[]
  /** that it is attached to, each once */
  readonly listeners: readonly AttachableListener[]
  readonly status: ObjectStatus
  readonly problems: readonly Problem[]
}

interface Kept {
  /** that it names */
  readonly parents: readonly (Parent | undefined)[]
  readonly namespaces: RouteParents["namespaces"]
  readonly attached: readonly AttachedParent[]
  readonly settled?: SettledRoute
}

/** What routes may be attached to, and where. */
export interface RouteParents {
  readonly parents: Parents
  readonly namespaces: ReadonlyMap<string, Namespace>
  readonly controllerName: string
}

/** The routes as they were settled: one is settled anew when it is built anew, or one of its parents is another one. */
export class SettledRoutes {
  readonly #kept = new WeakMap<GatewayRoute, Kept>()

  /** @returns undefined when none of its parents is ours */
  of<B extends Built>(route: GatewayRoute, where: RouteParents, build: () => B): SettledRoute<B> | undefined {
    const before = this.#kept.get(route)
    const { namespaces } = where
    const parents = route.parents.map((ref) => parentOf(ref, route, where.parents))
    const isSame = before?.namespaces === namespaces && sameItems(before.parents, parents)
    const attached = isSame ? before.attached : attachmentsOf(route, where.parents, where.namespaces)
    const built = attached.length === 0 ? undefined : build()
    if (isSame && before.settled?.built === built) return before.settled as SettledRoute<B> | undefined
    const settled = built && settledRoute(built, attached, where.controllerName)
    this.#kept.set(route, { parents, namespaces, attached, ...(settled && { settled }) })
    return settled
  }
}

function settledRoute<B extends Built>(
  built: B,
  parents: readonly AttachedParent[],
  controllerName: string,
): SettledRoute<B> {
  const listeners = parents.flatMap(({ attachments }) => attachments.map(({ listener }) => listener))
  return {
    built,
    parents,
    listeners: compact([...new Set(listeners)]),
    status: statusOf(built, parents, controllerName),
    problems: problemsOf(built, parents),
  }
}

function statusOf(built: Built, parents: readonly AttachedParent[], controllerName: string): ObjectStatus {
  const { kind, generation, meta } = built.route
  const [unsupported] = "isRefused" in built && built.isRefused ? built.refused : []
  const [unresolved] = built.findings
  const all = parents.map(({ ref, attachments, refused }): ParentStatus => {
    const unaccepted = unsupported ?? refused ?? unservedBy(attachments.map(({ listener }) => listener))
    const conditions = [conditionOf("Accepted", unaccepted), conditionOf("ResolvedRefs", unresolved)]
    const partial = unaccepted === undefined ? partiallyInvalid(refusedRules(built)) : []
    return { parentRef: ref, controllerName, conditions: [...conditions, ...partial] }
  })
  return { kind, namespace: meta.namespace, name: meta.name, generation, status: { parents: all } }
}

function refusedRules(built: Built): readonly Finding[] {
  return "refused" in built ? built.refused : []
}

/** Of a route with good rules and others; its words are those of the API. */
function partiallyInvalid(refused: readonly Finding[]): readonly Condition[] {
  if (refused.length === 0) return []
  const message = `Dropped Rule: ${refused.map((it) => it.message).join("; ")}`
  return [{ type: "PartiallyInvalid", status: "True", reason: "UnsupportedValue", message }]
}

/** A listener that is not accepted serves nobody. */
function unservedBy(listeners: readonly AttachableListener[]): Finding | undefined {
  const findings = listeners.map(({ conflict, refused }) => conflict ?? refused)
  const [first] = findings
  return first !== undefined && findings.every((it) => it !== undefined)
    ? { ...first, reason: "NotAllowedByListeners" }
    : undefined
}

function problemsOf(built: Built, parents: readonly AttachedParent[]): readonly Problem[] {
  const detached = parents.flatMap(({ refused, withheld }) => refused ?? withheld ?? [])
  const own = [...refusedRules(built), ...built.findings.filter(isUnsaid), ...detached]
  return compact([...built.problems, ...own.map((it) => problemOf(nameOf(built.route), it))])
}

/** What is said of Services that are missing is said where their endpoints are looked for. */
function isUnsaid({ code }: Finding): boolean {
  return code !== "backend-unusable"
}

/** The Gateways that a route is served by. */
export function gatewaysOf({ parents }: SettledRoute): ReadonlySet<Gateway> {
  return new Set(parents.flatMap(({ attachments }) => attachments.map(({ listener }) => listener.gateway)))
}
