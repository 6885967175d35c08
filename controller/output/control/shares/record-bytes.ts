import type { AddressList, UserList } from "../../../model/access.ts"
import type { Backend } from "../../../model/backend.ts"
import type { Authority, Certificate, Passthrough, TlsHost } from "../../../model/certificate.ts"
import type { Host, Route } from "../../../model/route.ts"
import type { Stream } from "../../../model/stream.ts"
import { backendFields } from "../wire.ts"
import { hostFields, routeFields, streamFields, userListFields } from "../wire-route.ts"
import { authorityFields, certificateFields, tlsHostFields } from "../wire-tls.ts"

// How many bytes of a zone a record takes: never less than it does, and not much more. A record is fields, each a word and its value (docs/wire.md,
// section 2).

/** Of a node of the store, with the longest prefix of a key (nginx/kv/src/entries.rs, wire/kinds.ts). */
const nodeBytes = 96
const wordBytes = 4
/** The longest number, and the longest address with port, length and zone. */
const numberBytes = 8
const addressBytes = 18
/** A host with many routes has a part for at least 16 of them, which has a node and a name in the host's record. */
const partBytes = 16

export const hostBytes = remembered(({ host, clientCertificate }: Host) => {
  const own = clientCertificate && hostFields({ server: "", host: "", routes: [], clientCertificate })
  return named(host) + sizeOf(own)
})
/** What the steps of a host take in its record, beside `hostBytes`. */
export const hostScriptBytes = remembered((script: NonNullable<Host["script"]>) =>
  sizeOf(hostFields({ server: "", host: "", routes: [], script })),
)
export const routeBytes = remembered((route: Route) => partBytes + sizeOf(routeFields(route)))
/** With its routes. */
export const wholeHostBytes = remembered((host: Host) =>
  host.routes.reduce(
    (sum, route) => sum + routeBytes(route),
    hostBytes(host) + (host.script === undefined ? 0 : hostScriptBytes(host.script)),
  ),
)
export const backendBytes = remembered((backend: Backend) => {
  const { name, endpoints } = backend
  const { endpoints: _, ...settings } = backendFields({ ...backend, endpoints: [] })
  return named(name) + sizeOf(settings) + endpoints.length * (wordBytes + addressBytes)
})
export const addressListBytes = remembered(
  ({ id, ranges }: AddressList) => named(id) + ranges.length * (wordBytes + addressBytes),
)
export const userListBytes = remembered((list: UserList) => named(list.id) + sizeOf(userListFields(list)))
export const certificateBytes = remembered((it: Certificate) => named(it.id) + sizeOf(certificateFields(it)))
export const authorityBytes = remembered((it: Authority) => named(it.id) + sizeOf(authorityFields(it)))
export const tlsHostBytes = remembered((it: TlsHost) => named(it.host) + sizeOf(tlsHostFields(it)))
export const passthroughBytes = remembered(
  ({ host, backend }: Passthrough) => named(host) + wordBytes + backend.length,
)

export const streamBytes = remembered((it: Stream) => named(it.name) + sizeOf(streamFields(it)))

/** Things are mostly the same objects from pass to pass. */
function remembered<T extends object>(bytesOf: (thing: T) => number): (thing: T) => number {
  const known = new WeakMap<T, number>()
  return (thing) => {
    const before = known.get(thing)
    if (before !== undefined) return before
    const bytes = bytesOf(thing)
    known.set(thing, bytes)
    return bytes
  }
}

function named(name: string): number {
  return nodeBytes + Buffer.byteLength(name)
}

/** Of a posted value, as the filter packs it: the names of fields are numbers there. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return wordBytes + Buffer.byteLength(value)
  if (typeof value === "number" || typeof value === "boolean") return wordBytes + numberBytes
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 0)
  if (typeof value !== "object" || value === null) return 0
  return Object.entries(value).reduce((sum, [name, item]) => sum + fieldBytes(name, item), wordBytes)
}

function fieldBytes(name: string, value: unknown): number {
  // A bit of the words of the fields that it names.
  if (name === "critical") return 0
  // Fields have numbers, but these have names.
  return sizeOf(name === "variables" && value !== undefined ? Object.entries(Object(value)) : value)
}
