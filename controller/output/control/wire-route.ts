import type { AddressList, UserList } from "../../model/access.ts"
import type { Host, Route } from "../../model/route.ts"
import type { BackendTls } from "../../model/route-records.ts"
import type { Stream } from "../../model/stream.ts"
import type { PostedAddressList, PostedHost, PostedRoute, PostedStream, PostedUserList } from "./posted.ts"
import { fieldsOf } from "./wire-object.ts"

// A host in the posted format, docs/wire.md section 1.

/** @param parts ids of the parts that have its routes; absent: it has them itself */
export function hostFields(host: Host, parts?: readonly string[]): PostedHost {
  const posted = parts === undefined ? host : { ...host, routes: [], parts }
  return fieldsOf("Host", posted) as unknown as PostedHost
}

export function routeFields(route: Route): PostedRoute {
  return fieldsOf("Route", route) as unknown as PostedRoute
}

export function streamFields(stream: Stream): PostedStream {
  return fieldsOf("Stream", stream) as unknown as PostedStream
}

/** Ids of what routes name: lists of addresses and users, and certificates and authorities of TLS towards backends. */
export function namedByRoutes(routes: readonly Route[]): readonly string[] {
  return routes.flatMap((route) => {
    const { access, limits } = route
    const lists = [access?.allow, access?.deny, access?.basic?.users, access?.digest?.users, limits?.exempt]
    return [...lists, ...backendTlsOf(route).flatMap(namedByBackendTls)].filter((id) => id !== undefined)
  })
}

/** How the backends of a route are spoken to in TLS, who gets copies, and the authentication service. */
export function backendTlsOf({ backendTls, split = [], actions, access }: Route): readonly BackendTls[] {
  const mirrors = [actions, ...split.map((share) => share.actions)].flatMap((it) => it?.mirrors ?? [])
  const single = [backendTls, access?.external?.backendTls]
  return [...single, ...[...split, ...mirrors].map((it) => it.backendTls)].filter((tls) => tls !== undefined)
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

export function addressListFields(list: AddressList): PostedAddressList {
  return fieldsOf("AddressList", list) as unknown as PostedAddressList
}

/** With the hashes: it is for the control socket alone. */
export function userListFields(list: UserList): PostedUserList {
  return fieldsOf("UserList", list) as unknown as PostedUserList
}
