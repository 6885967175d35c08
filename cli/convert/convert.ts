import { otherName } from "../../controller/core/annotations/wanted-hosts.ts"
import type { Options } from "../../controller/core/options/flags.ts"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import { distinctBy } from "../../controller/support/distinct.ts"
import type { LintObjects } from "../lint/objects.ts"
import { hasPatterns } from "../lint/patterns.ts"
import type { Subject } from "../lint/subject.ts"
import { translated } from "../lint/translated.ts"
import { canariesByPath } from "./canaries-by-path.ts"
import { type Conversion, type Remark, remarksOfIngress } from "./conversion.ts"
import type { RouteContext } from "./converting.ts"
import { routesOf } from "./drafts.ts"
import { isKept } from "./kept-annotations.ts"
import { type GatewayOptions, listenersOf } from "./listeners.ts"
import { type IngressRoutes, routesOfIngress } from "./routes.ts"
import { servedHosts } from "./served-hosts.ts"
import { annotationRemarks, configMapRemarks } from "./settings-remarks.ts"
import { sharedBalancing, sharedHosts, sharedPolicies } from "./shared.ts"
import { unreadOf } from "./unread.ts"

// In come Ingresses and what belongs to them, out go objects of the Gateway API that do the same, as far as its standard channel can say it, and a
// remark for everything that it cannot. Routes of an Ingress that keeps requests away
// by what has no equivalent lead nowhere: without them, other routes of the host would get its requests.

export interface ConvertOptions {
  readonly gateway: GatewayOptions
  /** Ingresses are converted that are open to everybody then */
  readonly allowsOpen: boolean
  /** they are served by wick: the ConfigMap stays in force, and so do annotations without an equivalent, on the routes */
  readonly isForWick: boolean
  /** milliseconds since 1970 */
  readonly nowMs: number
}

export function convert(
  given: LintObjects,
  options: Options,
  { gateway, allowsOpen, isForWick, nowMs }: ConvertOptions,
): Conversion {
  const { subjects, around, translation } = translated(given.objects, options, nowMs)
  const unread = unreadOf(given)
  const remarks: Remark[] = [...unread.remarks, ...(isForWick ? [] : configMapRemarks(around))]
  const isConcerned = (name: string) => !isForWick || !isKept(name)
  for (const subject of subjects) annotationRemarks(subject, isConcerned, remarks)
  if (isForWick) sharedBalancing(subjects, remarks)
  guardedHosts(subjects, remarks)
  const open = openIngresses(subjects, remarks)
  const isClosed = ({ ingress }: Subject) => !allowsOpen && open.has(qualifiedName(ingress.meta))
  const canaries = subjects.filter((subject) => isCanary(subject) && !isClosed(subject))
  const others = subjects.filter((subject) => !isCanary(subject))
  const listeners = listenersOf(others, gateway, options, remarks)
  const context = {
    listeners,
    canaries: canariesByPath(canaries, others, remarks),
    hasPatterns: patternHosts(subjects),
    served: servedHosts(translation.model.live.hosts),
    keepsAnnotations: isForWick,
  }
  const { drafts, policies } = routesOfAll(others, { context, isClosed, remarks })
  sharedHosts(drafts, remarks)
  return {
    objects: [...listeners.objects, ...routesOf(drafts), ...policies],
    remarks: distinctBy(remarks, (remark) => JSON.stringify(remark)),
    closed: allowsOpen ? [] : [...open].sort(),
    ingresses: subjects.length + unread.ingresses,
    converted: subjects.length - (allowsOpen ? 0 : open.size),
    others: [...given.others].sort(),
  }
}

interface Routing {
  readonly context: Omit<RouteContext, "isClosed">
  readonly isClosed: (subject: Subject) => boolean
  readonly remarks: Remark[]
}

/** Of policies with the same name the first one counts. */
function routesOfAll(subjects: readonly Subject[], { context, isClosed, remarks }: Routing): IngressRoutes {
  const found = subjects.map((subject) =>
    routesOfIngress(subject, { ...context, isClosed: isClosed(subject) }, remarksOfIngress(subject, remarks)),
  )
  sharedPolicies(found, remarks)
  return {
    drafts: found.flatMap(({ drafts }) => drafts),
    policies: distinctBy(
      found.flatMap(({ policies }) => policies),
      ({ metadata }) => qualifiedName(metadata),
    ),
  }
}

/** Certificates of clients are asked for by a host, on the paths of all of its Ingresses. */
function guardedHosts(subjects: readonly Subject[], remarks: Remark[]): void {
  const guarded = new Map(
    subjects
      .filter(asksForCertificates)
      .flatMap((subject) => hostsOf(subject).map((host) => [host, subject])),
  )
  for (const subject of subjects.filter((it) => !asksForCertificates(it)))
    for (const { host, by } of hostsOf(subject).map((it) => ({ host: it, by: guarded.get(it) })))
      if (by !== undefined)
        remarksOfIngress(subject, remarks).add(
          "open",
          "spec.rules",
          `Certificates of clients are asked for by a port of a Gateway, for all of its hosts: Ingress ${qualifiedName(by.ingress.meta)} has ${host === "" ? "every host without rules" : host} ask for them`,
        )
}

function asksForCertificates({ annotations }: Subject): boolean {
  return annotations.has("auth-tls-secret")
}

/** `""`: all others. */
function hostsOf({ ingress, values: { routing } }: Subject): readonly string[] {
  const own = ingress.rules.map(({ host }) => host.toLowerCase())
  const others = ingress.defaultBackend === undefined ? [] : [""]
  const named = [...own, ...(routing.aliases ?? []), ...(own.length === 0 ? others : [])]
  return [...new Set([...named, ...(routing.redirectsWww === true ? own.map(otherName) : [])])]
}

/** By their names; all of them where the ConfigMap keeps requests away. */
function openIngresses(subjects: readonly Subject[], remarks: readonly Remark[]): ReadonlySet<string> {
  const found = remarks.filter(({ kind }) => kind === "open").map(({ object }) => object)
  if (found.some(({ kind }) => kind === "ConfigMap"))
    return new Set(subjects.map(({ ingress }) => qualifiedName(ingress.meta)))
  return new Set(found.map(qualifiedName))
}

function isCanary({ values }: Subject): boolean {
  return values.canary.isCanary === true
}

/** Whether the paths of a host are regular expressions. */
function patternHosts(subjects: readonly Subject[]): (host: string) => boolean {
  const hosts = subjects
    .filter(hasPatterns)
    .flatMap(({ ingress }) => ingress.rules.map(({ host }) => host.toLowerCase()))
  const all = new Set(hosts)
  return (host) => all.has(host)
}
