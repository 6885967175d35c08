import type { SaidAnnotation } from "../../controller/core/annotations/said.ts"
import { annotationPath } from "../../controller/model/field-path.ts"
import { nameOf, qualifiedName } from "../../controller/model/objects/object.ts"
import type { Host, Route } from "../../controller/model/route.ts"
import { getOrMake } from "../../controller/support/maps.ts"
import type { Finding } from "./report.ts"
import type { Subject } from "./subject.ts"

// What was protected and is open. The translation says of itself what it closes; here its result is looked at: every annotation that keeps requests
// out has to show in every route of its Ingress, or the route lets nobody in. That nothing is found is the rule, and a finding a mistake of wick's
// unless the operator has asked for it (`unsupported-guards`).

/** A route of an Ingress, with its host. */
interface Place {
  readonly host: Host
  readonly route: Route
}

interface Guard {
  /** the annotation, which is there, asks for something */
  readonly asks: (subject: Subject, said: SaidAnnotation) => boolean
  /** it is in force there */
  readonly shows: (place: Place) => boolean
  /** paths of the key `no-auth-locations` are none of its business (behaviour of ingress-nginx) */
  readonly isAuth?: true
}

const always = () => true

/** Zero is no limit. */
function limit(field: "connections" | "rps" | "rpm"): Guard {
  return {
    asks: ({ values: { limits } }) => limits[field] !== 0,
    shows: ({ route }) => route.limits !== undefined,
  }
}

const guards: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  ["allowlist-source-range", { asks: always, shows: ({ route }) => route.access?.allow !== undefined }],
  ["denylist-source-range", { asks: always, shows: ({ route }) => route.access?.deny !== undefined }],
  ["auth-type", { asks: always, shows: ({ route }) => hasPassword(route), isAuth: true }],
  ["auth-url", { asks: always, shows: ({ route }) => route.access?.external !== undefined, isAuth: true }],
  ["auth-tls-secret", { asks: wantsCertificates, shows: ({ host }) => host.clientCertificate !== undefined }],
  ["limit-connections", limit("connections")],
  ["limit-rps", limit("rps")],
  ["limit-rpm", limit("rpm")],
  ["enable-modsecurity", { asks: wantsFirewall, shows: ({ route }) => route.waf !== undefined }],
])

function hasPassword({ access }: Route): boolean {
  return access?.basic !== undefined || access?.digest !== undefined
}

function wantsCertificates({ values: { clients } }: Subject): boolean {
  return clients.verify !== "off"
}

function wantsFirewall({ values: { modsecurity } }: Subject): boolean {
  return modsecurity.isOn === true
}

/** The routes of all hosts by their Ingresses. */
export function placesOf(hosts: readonly Host[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>()
  for (const host of hosts)
    for (const route of host.routes) {
      const { namespace, ingressName: name } = route
      getOrMake(places, qualifiedName({ namespace, name }), () => []).push({ host, route })
    }
  return places
}

/** @param places as `placesOf` */
export function openedOf(
  subject: Subject,
  places: ReadonlyMap<string, readonly Place[]>,
): readonly Finding[] {
  const own = (places.get(qualifiedName(subject.ingress.meta)) ?? []).filter(letsIn)
  return [...subject.annotations].flatMap(([name, said]) => {
    const guard = guards.get(name)
    if (guard === undefined || !guard.asks(subject, said)) return []
    const open = own.find((place) => !guard.shows(place) && !isExempt(guard, place, subject))
    return open === undefined ? [] : [finding(subject, name, said, open)]
  })
}

/** Of an address that is refused somebody is kept out where the backend has no other. */
export function emptied(
  findings: readonly Finding[],
  { ingress }: Subject,
  places: ReadonlyMap<string, readonly Place[]>,
  empty: ReadonlySet<string>,
): readonly Finding[] {
  const own = places.get(qualifiedName(ingress.meta)) ?? []
  if (!own.some(({ route }) => empty.has(route.backend))) return findings
  return findings.map((finding) =>
    finding.evidence.some(({ problem }) => problem?.code === "address-refused")
      ? { ...finding, relation: "closed" }
      : finding,
  )
}

function letsIn({ route: { status, redirect } }: Place): boolean {
  return status === undefined && redirect === undefined
}

function isExempt({ isAuth }: Guard, { route }: Place, { around: { settings } }: Subject): boolean {
  return isAuth === true && settings.noAuthLocations.some((path) => route.locationPath.startsWith(path))
}

function finding(subject: Subject, name: string, { key }: SaidAnnotation, { host, route }: Place): Finding {
  return {
    rule: "open",
    relation: "open",
    what: `Annotation "${name}" keeps requests out`,
    now: `Requests for ${host.host}${route.path} get in that it kept out`,
    evidence: [{ object: nameOf(subject.ingress), field: annotationPath(key) }],
  }
}
