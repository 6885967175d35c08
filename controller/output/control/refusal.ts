import { type KindRules, kinds, liveOf, type NameOf } from "../../core/plan/kinds.ts"
import type { TlsHost } from "../../model/certificate.ts"
import type { Live, LiveKind, LiveThings } from "../../model/model.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { backendsOf, type Host, type Route } from "../../model/route.ts"
import { routeSourceOf } from "../../model/route-source.ts"
import { shown } from "../../model/shown.ts"
import { sourceObject } from "../../model/stream-listener.ts"
import type { Item } from "./wire.ts"
import { namedByRoutes } from "./wire-route.ts"

/** An item that the data plane does not take. Everything else of the change is in force, and so is what the item was before. */
export interface Refusal {
  readonly item: Item
  /** 400 malformed, 413 too large, 424 waits for something else that was refused, 507 no room left */
  readonly status: number
  /** the data plane's own sentence */
  readonly reason: string
  /** of a host: only these routes are concerned; */
  readonly routes?: readonly Route[]
  /** and this is in force of it. Absent: what it was before */
  readonly inForce?: Host
}

/** What each refusal means for the user: a Problem of an Ingress that it concerns; what waits for another has that one's. @param wanted the live half that was to be in force */
export function problemsOf(refusals: readonly Refusal[], wanted: Live): Problem[] {
  return [
    ...refusals
      .filter(({ status, routes }) => status !== 424 && routes === undefined)
      .map((refusal) => problemOf(refusal, wanted)),
    ...pathProblems(refusals),
  ]
}

function problemOf({ item, status, reason }: Refusal, wanted: Live): Problem {
  const { object, field, what } = describe(item, wanted)
  const message = `Cannot ${item.verb === "set" ? "serve" : "remove"} ${what}: ${reason}`
  return { object, field, code: codeOf(status), message }
}

function codeOf(status: number): ProblemCode {
  return status === 507 ? "no-room" : "refused"
}

/** One for all paths of an Ingress on a host that are left out for the same reason. */
function pathProblems(refusals: readonly Refusal[]): Problem[] {
  const leftOut = refusals.flatMap(({ item, status, reason, routes = [] }) => {
    const host = item.kind === "hosts" ? item.name.host : ""
    return routes.map((route) => ({ host, route, status, reason }))
  })
  const groups = Map.groupBy(leftOut, ({ host, route, status, reason }) =>
    JSON.stringify([host, route.namespace, route.ingressName, status, reason]),
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    const object = ownerOf(first?.route)
    if (first === undefined || object === undefined) return []
    const { host, route, status, reason } = first
    const paths = `path ${shown(route.path)}${others.length > 0 ? ` and ${others.length} more` : ""}`
    const message = `Cannot serve ${paths} of host "${host}": ${reason}`
    return [{ object, field: "spec.rules", code: codeOf(status), message }]
  })
}

interface Description {
  readonly object: ObjectName
  readonly field: string
  readonly what: string
}

function describe(item: Item, wanted: Live): Description {
  switch (item.kind) {
    case "backends":
      return {
        object: ownerOfBackend(item.name, wanted),
        field: "spec",
        what: `backend "${item.name}"`,
      }
    case "addressLists":
      return ofList(item.name, "AddressList", `address list "${item.name}"`, wanted)
    case "userLists":
      return ofList(item.name, "UserList", `user list "${item.name}"`, wanted)
    case "hosts":
      return hostDescription(item.name.host, "spec.rules", `host "${item.name.host}"`, wanted)
    case "certificates":
      return ofTls("Certificate", item.name, "certificate", wanted, ({ certificates }) =>
        certificates.includes(item.name),
      )
    case "staples":
      return ofTls("Certificate", item.name, "OCSP response of certificate", wanted, ({ certificates }) =>
        certificates.includes(item.name),
      )
    case "authorities":
      return ofTls(
        "Authority",
        item.name,
        "client authority",
        wanted,
        ({ clientCertificate }) => clientCertificate?.authority === item.name,
      )
    case "tlsHosts":
      return hostDescription(item.name, "spec.tls", `TLS of host "${item.name}"`, wanted)
    case "routeParts":
      return { object: { kind: "Host", namespace: "", name: "" }, field: "", what: `part "${item.name}"` }
    case "passthroughs":
      return hostDescription(item.name, "spec.rules", `passthrough of host "${item.name}"`, wanted)
    case "streams":
      return streamDescription(item.name, wanted)
    default:
      return item satisfies never
  }
}

/** A thing that TLS hosts name, or TLS towards backends: the owner of the first of them is told. */
function ofTls(
  kind: string,
  id: string,
  what: string,
  wanted: Live,
  names: (host: TlsHost) => boolean,
): Description {
  const user = wanted.tlsHosts.find(names)
  if (!user) return ofBackends(kind, id, wanted)
  const place = user.host === ":default" ? "that serves by default" : `of host "${user.host}"`
  return hostDescription(user.host, "spec.tls", `${what} "${id}" ${place}`, wanted)
}

function ofBackends(kind: string, id: string, wanted: Live): Description {
  const owner = ownerOf(routeNaming(id, wanted))
  const what = `${kind.toLowerCase()} "${id}"${owner === undefined ? "" : " of backends"}`
  return {
    object: owner ?? { kind, namespace: "", name: id },
    field: owner === undefined ? "" : "spec.rules",
    what,
  }
}

/** The owner of the first route that goes by it is told. */
function ofList(id: string, kind: string, what: string, wanted: Live): Description {
  const object = ownerOf(routeNaming(id, wanted)) ?? { kind, namespace: "", name: id }
  return { object, field: "metadata.annotations", what }
}

function routeNaming(id: string, { hosts }: Live): Route | undefined {
  return hosts.flatMap(({ routes }) => routes).find((route) => namedByRoutes([route]).includes(id))
}

/** The object that asks for the port is told; the key of an entry may have zeros in front of the port, so that it is not named. */
function streamDescription(name: string, { streams }: Live): Description {
  const source = streams.find((it) => it.name === name)?.source
  const object = source === undefined ? { kind: "Stream", namespace: "", name } : sourceObject(source)
  return { object, field: object.kind === "ConfigMap" ? "data" : "spec", what: `port ${name}` }
}

function hostDescription(name: string, field: string, what: string, { hosts }: Live): Description {
  const owner = ownerOf(hosts.find(({ host }) => host === name)?.routes[0])
  return { object: owner ?? { kind: "Host", namespace: "", name }, field, what }
}

function ownerOfBackend(name: string, { hosts }: Live): ObjectName {
  for (const { routes } of hosts) {
    const owner = ownerOf(routes.find((route) => backendsOf(route).includes(name)))
    if (owner) return owner
  }
  return { kind: "Backend", namespace: "", name }
}

function ownerOf(route: Host["routes"][number] | undefined): ObjectName | undefined {
  return route && routeSourceOf(route)
}

/**
 * The live half in force when `refusals` were refused on the way from `running` to `wanted`: what they were before, or nothing. A record that
 * may or may not be there is noted as one that is never wanted, so that the next plan sets or removes it.
 */
export function withoutRefused(running: Live, wanted: Live, refusals: readonly Refusal[]): Live {
  if (refusals.length === 0) return wanted
  const items = refusals.flatMap(({ item, inForce }) => (inForce === undefined ? [item] : []))
  const partly = new Map(refusals.flatMap(({ inForce }) => (inForce ? [[hostKey(inForce), inForce]] : [])))
  const hosts =
    partly.size === 0 ? wanted.hosts : wanted.hosts.map((host) => partly.get(hostKey(host)) ?? host)
  const there: Live = { ...wanted, hosts }
  return liveOf((kind) => keptOf(kind, running[kind], there[kind], items))
}

function hostKey(host: Host): string {
  return kinds.hosts.keyOf(kinds.hosts.nameOf(host))
}

function keptOf<Kind extends LiveKind>(
  kind: Kind,
  running: readonly LiveThings[Kind][],
  wanted: readonly LiveThings[Kind][],
  items: readonly Item[],
): readonly LiveThings[Kind][] {
  const { nameOf, keyOf, order, unlike }: KindRules<LiveThings[Kind], NameOf<Kind>> = kinds[kind]
  const key = (thing: LiveThings[Kind]) => keyOf(nameOf(thing))
  const refused = (verb: Item["verb"]) =>
    new Set(
      items
        .filter((it) => it.kind === kind && it.verb === verb)
        .map(({ name }) => keyOf(name as NameOf<Kind>)),
    )
  const [notSet, notRemoved] = [refused("set"), refused("remove")]
  if (notSet.size === 0 && notRemoved.size === 0) return wanted
  const before = new Map(running.map((thing) => [key(thing), thing]))
  const stays = wanted.map((thing) =>
    notSet.has(key(thing)) ? (before.get(key(thing)) ?? unlike(thing)) : thing,
  )
  const lingers = running.filter((thing) => notRemoved.has(key(thing)))
  return [...stays, ...lingers].sort((a, b) => order(nameOf(a), nameOf(b)))
}
