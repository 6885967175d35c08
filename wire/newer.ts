import { field, recordOf, tagOf, u32 } from "./encode.ts"
import type { Fields } from "./field.ts"
import { records } from "./schema.ts"

// Records as a newer wick might write them: with fields that this one does not know. For fixtures and tests.

type Records = typeof records

/** Records that stand by themselves: they have a version. */
export type RecordKind = {
  [Kind in keyof Records]: Records[Kind] extends { readonly version: number } ? Kind : never
}[keyof Records]

/** A list of fields, and where it stands. A host's routes have lists of their own, and so has what they say of access, limits and CORS. */
interface Part {
  readonly tag: number
  readonly value: Buffer
  readonly fields?: Part[]
}

/** How many places there are for a further field. */
export function placesIn(kind: RecordKind, record: Buffer): number {
  return listsIn(read(kind, record).fields).reduce((sum, list) => sum + list.length + 1, 0)
}

/** The record with one more field. @param place from 0 to `placesIn` less one; a host's own come first, then those of its routes */
export function withField(
  kind: RecordKind,
  record: Buffer,
  place: number,
  tag: number,
  value: Buffer,
): Buffer {
  const { head, fields, rest } = read(kind, record)
  let left = place
  for (const list of listsIn(fields)) {
    if (left <= list.length) {
      list.splice(left, 0, { tag, value })
      break
    }
    left -= list.length + 1
  }
  const body = write(fields)
  if (kind !== "backend") return recordOf(head[0] ?? 0, body)
  // Its head says how long its settings are: endpoints follow.
  u32(body.length).copy(head, 8)
  return Buffer.concat([head, body, rest])
}

/** The record with such a field at every place. */
export function withFields(kind: RecordKind, record: Buffer, tag: number, value: Buffer): Buffer {
  let result = record
  for (let place = placesIn(kind, record) - 1; place >= 0; place -= 1)
    result = withField(kind, result, place, tag, value)
  return result
}

function read(kind: RecordKind, record: Buffer) {
  const isBackend = kind === "backend"
  const from = isBackend ? 12 : 4
  const end = isBackend ? from + record.readUInt32LE(8) : record.length
  const nested = nestedIn[kind === "route_part" ? "host" : kind] ?? []
  return {
    head: Buffer.from(record.subarray(0, from)),
    fields: split(record.subarray(from, end), nested),
    rest: record.subarray(end),
  }
}

/** Tags of fields whose values are fields, and those within them. */
interface Nested {
  readonly tag: number
  readonly inside: readonly Nested[]
}

const script: readonly Nested[] = [
  { tag: tagIn("script", "steps"), inside: [] },
  {
    tag: tagIn("script", "levels"),
    inside: [
      { tag: tagIn("level", "response_headers"), inside: [] },
      { tag: tagIn("level", "input_headers"), inside: [] },
      { tag: tagIn("level", "error_pages"), inside: [] },
      { tag: tagIn("level", "request_limits"), inside: [] },
      { tag: tagIn("level", "connection_limits"), inside: [] },
      ...["redirects", "cookie_domains", "cookie_paths", "cookie_flags"].map((name) => ({
        tag: tagIn("level", name),
        inside: [],
      })),
    ],
  },
]

const actions: readonly Nested[] = [{ tag: tagIn("actions", "mirrors"), inside: [] }]

const nestedIn: { readonly [Kind in RecordKind]?: readonly Nested[] } = {
  stream: [
    {
      tag: tagIn("stream", "names"),
      inside: [
        { tag: tagIn("server_name", "tls"), inside: [] },
        { tag: tagIn("server_name", "backend_tls"), inside: [] },
      ],
    },
    { tag: tagIn("stream", "tls"), inside: [] },
    { tag: tagIn("stream", "backend_tls"), inside: [] },
  ],
  host: [
    {
      tag: tagIn("host", "routes"),
      inside: [
        {
          tag: tagIn("route", "access"),
          inside: [
            { tag: tagIn("access", "basic"), inside: [] },
            { tag: tagIn("access", "digest"), inside: [] },
            { tag: tagIn("access", "external"), inside: [] },
          ],
        },
        { tag: tagIn("route", "cors"), inside: [] },
        { tag: tagIn("route", "limits"), inside: [] },
        { tag: tagIn("route", "conditions"), inside: [] },
        {
          tag: tagIn("route", "split"),
          inside: [{ tag: tagIn("weighted_backend", "actions"), inside: actions }],
        },
        { tag: tagIn("route", "actions"), inside: actions },
        { tag: tagIn("route", "waf"), inside: [] },
        { tag: tagIn("route", "script"), inside: script },
      ],
    },
    { tag: tagIn("host", "script"), inside: script },
  ],
}

function tagIn(record: keyof Records, name: string): number {
  const fields: Fields = records[record].fields
  return tagOf(fields.find((candidate) => candidate.name === name) ?? {})
}

function split(bytes: Buffer, nested: readonly Nested[] = []): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < bytes.length; ) {
    const word = bytes.readUInt32LE(at)
    const value = bytes.subarray(at + 4, at + 4 + (word >>> 8))
    const tag = word & 0xff
    const inside = nested.find((candidate) => candidate.tag === tag)?.inside
    parts.push(inside === undefined ? { tag, value } : { tag, value, fields: split(value, inside) })
    at += 4 + value.length
  }
  return parts
}

function listsIn(fields: Part[]): Part[][] {
  return [fields, ...fields.flatMap((part) => (part.fields === undefined ? [] : listsIn(part.fields)))]
}

function write(parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.map(({ tag, value, fields }) => field(tag, fields ? write(fields) : value)))
}
