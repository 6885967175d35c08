import type { AddressList, UserList } from "../../model/access.ts"
import type { Host, HostClientCertificate, Route, Script } from "../../model/route.ts"
import type { BackendTls } from "../../model/route-records.ts"
import type { Stream } from "../../model/stream.ts"
import {
  criticalFields,
  type PostedAddressList,
  type PostedClientCertificate,
  type PostedHost,
  type PostedRoute,
  type PostedScript,
  type PostedStream,
  type PostedUserList,
} from "./posted.ts"
import { type ObjectName, type Row, rows } from "./posted-rows.ts"
import { withCritical } from "./wire-critical.ts"

// A host in the posted format, docs/wire.md section 1. What is undefined is absent there. What the fields of routes are called is printed from wire/.

/** @param parts ids of the parts that have its routes; absent: it has them itself */
export function hostFields(
  { server, host, listener, clientCertificate: asked, script: own, routes, aliasOf, isClosed }: Host,
  parts?: readonly string[],
): PostedHost {
  const client_certificate = asked && clientCertificateFields(asked)
  const script = own && scriptFields(own)
  const whole = parts === undefined ? routes.map(routeFields) : []
  const names = { server, host, closed: isClosed, alias_of: aliasOf, listener }
  const fields: PostedHost = { ...names, client_certificate, script, parts, routes: whole }
  return withCritical(fields, criticalFields.Host)
}

function clientCertificateFields(asked: HostClientCertificate): PostedClientCertificate {
  return fieldsOf("ClientCertificate", asked) as unknown as PostedClientCertificate
}

function scriptFields(script: Script): PostedScript {
  return fieldsOf("Script", script) as unknown as PostedScript
}

export function routeFields(route: Route): PostedRoute {
  return fieldsOf("Route", route) as unknown as PostedRoute
}

export function streamFields(stream: Stream): PostedStream {
  return fieldsOf("Stream", stream) as unknown as PostedStream
}

type Posted = Record<string, unknown> & { critical?: readonly string[] }

/** An object of a route as it is posted; the tests compare each field with the fixture. */
function fieldsOf(name: ObjectName, thing: object): Posted {
  const fields: Posted = {}
  for (const row of rows[name]) {
    const value = postedValue(row, thing)
    if (value !== undefined) fields[row.posted] = value
  }
  return withCritical(fields, criticalOf(name))
}

function criticalOf(name: ObjectName): readonly string[] {
  return name in criticalFields ? criticalFields[name as keyof typeof criticalFields] : []
}

function postedValue({ model, within, as, object }: Row, thing: object): unknown {
  const of = within === undefined ? thing : member(thing, within)
  const value = of === undefined ? undefined : member(of as object, model)
  if (value === undefined) return undefined
  if (object !== undefined) return objectOf(object, value as object)
  switch (as) {
    case undefined:
      return value
    case "text":
      return String(value)
    case "presence":
      return true
    case "mark":
      return value === true ? true : undefined
    case "variables":
      return variableFields(value as object)
    default:
      return as satisfies never
  }
}

function member(thing: object, name: string): unknown {
  return (thing as Readonly<Record<string, unknown>>)[name]
}

function objectOf(name: ObjectName, value: object): unknown {
  return Array.isArray(value) ? value.map((one: object) => fieldsOf(name, one)) : fieldsOf(name, value)
}

/** Ids of what routes name: lists of addresses and users, and certificates and authorities of TLS towards backends. */
export function namedByRoutes(routes: readonly Route[]): readonly string[] {
  return routes.flatMap((route) => {
    const { access, limits } = route
    const lists = [access?.allow, access?.deny, access?.basic?.users, access?.digest?.users, limits?.exempt]
    return [...lists, ...backendTlsOf(route).flatMap(namedByBackendTls)].filter((id) => id !== undefined)
  })
}

/** How the backends of a route are spoken to in TLS, and who gets copies. */
export function backendTlsOf({ backendTls, split = [], actions }: Route): readonly BackendTls[] {
  const mirrors = [actions, ...split.map((share) => share.actions)].flatMap((it) => it?.mirrors ?? [])
  if (backendTls === undefined && split.length === 0 && mirrors.length === 0) return []
  return [backendTls, ...[...split, ...mirrors].map((it) => it.backendTls)].filter((tls) => tls !== undefined)
}

function namedByBackendTls({ authority, certificate }: BackendTls): readonly string[] {
  return [authority, certificate].filter((id) => id !== undefined)
}

/** Ids of what a stream names: lists of addresses, certificates and authorities. */
export function namedByStream({ allow, deny, names = [], ...own }: Stream): readonly string[] {
  const ofTls = [own, ...names].flatMap(({ tls, backendTls }) => [
    ...(tls?.certificates ?? []),
    tls?.authority,
    backendTls?.authority,
    backendTls?.certificate,
  ])
  return [allow, deny, ...ofTls].filter((id) => id !== undefined)
}

export function addressListFields({ id, ranges }: AddressList): PostedAddressList {
  return { id, ranges }
}

/** With the hashes: it is for the control socket alone. */
export function userListFields({ id, users }: UserList): PostedUserList {
  return { id, users: users.map(({ name, hash }) => ({ name, hash: hash.reveal() })) }
}

function variableFields(variables: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [snakeCase(name), value]))
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
