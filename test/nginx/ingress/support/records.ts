// Records of hosts as docs/wire.md 2 has them, so that no filter is needed.
import type { Overrides } from "../../../../controller/model/overrides.ts"
import { encoded, u16, u32 } from "../../../../wire/encode.ts"
import { camelCase } from "../../../../wire/field.ts"
import { overrides } from "../../../../wire/overrides.ts"

/** With the numbers that it has of its own. */
export interface Route extends Overrides {
  /** Default `/`. */
  readonly path?: string
  /** Default `prefix`. */
  readonly match?: "exact" | "prefix" | "regex"
  /** Default `plain`. */
  readonly policy?: string
  /** Default `backend`. */
  readonly backend?: string
  readonly namespace?: string
  readonly ingress_name?: string
  readonly service_name?: string
  readonly service_port?: string
  readonly location_path?: string
  readonly status?: number
  readonly redirect?: Redirect
  readonly httpsRedirect?: Redirect
  /** Template. */
  readonly rewrite?: string
  readonly logRewrite?: true
  /** Name → template. */
  readonly variables?: Readonly<Record<string, string>>
  /** Response headers: name and value. */
  readonly headers?: readonly (readonly [string, string])[]
}

interface Redirect {
  readonly code: number
  /** Template. */
  readonly to: string
}

/** What a host asks of its clients. */
export interface ClientCertificate {
  readonly authority: string
  readonly verify: "on" | "optional" | "optional_no_ca" | "off"
  readonly matchCn?: string
  readonly errorPage?: string
  readonly passCertificate?: true
}

/** The record of a host. */
export function recordOf(routes: readonly Route[], asked?: ClientCertificate): Buffer {
  const parts = [asked ? ownFieldsOf(asked) : Buffer.alloc(0), ...routes.map(fieldsOf)]
  const sized = parts.map((fields) => Buffer.concat([u32(fields.length), fields]))
  return Buffer.concat([Buffer.of(2, 0, 0, 0), u32(routes.length), ...sized])
}

function ownFieldsOf(asked: ClientCertificate): Buffer {
  const verify = 1 + ["on", "optional", "optional_no_ca", "off"].indexOf(asked.verify)
  return Buffer.concat([
    field(1, asked.authority),
    field(2, Buffer.of(verify)),
    field(3, asked.matchCn),
    field(4, asked.errorPage),
    field(5, flag(asked.passCertificate)),
  ])
}

function fieldsOf(route: Route): Buffer {
  return Buffer.concat([
    field(1, route.path ?? "/"),
    field(2, Buffer.of(["exact", "prefix", "regex"].indexOf(route.match ?? "prefix"))),
    field(3, route.policy ?? "plain"),
    field(4, route.backend ?? "backend"),
    field(5, route.namespace),
    field(6, route.ingress_name),
    field(7, route.service_name),
    field(8, route.service_port),
    field(9, route.location_path),
    field(10, route.status === undefined ? undefined : u16(route.status)),
    field(11, redirect(route.redirect)),
    field(12, redirect(route.httpsRedirect)),
    field(13, route.rewrite),
    field(14, flag(route.logRewrite)),
    ...Object.entries(route.variables ?? {}).map(([name, value]) => field(15, named(name, value))),
    ...overrides.map(({ name, type, id = 0 }) => {
      const value = route[camelCase(name) as keyof Overrides]
      return field(id, value === undefined ? undefined : encoded(type, value))
    }),
    ...(route.headers ?? []).map(([name, value]) => field(16, named(name, value))),
  ])
}

/** One field, or nothing when the route has none. */
export function field(id: number, value: string | Buffer | undefined): Buffer {
  if (value === undefined) return Buffer.alloc(0)
  const bytes = Buffer.from(value)
  return Buffer.concat([u32(id | (bytes.length << 8)), bytes])
}

function redirect(value: Redirect | undefined): Buffer | undefined {
  return value === undefined ? undefined : Buffer.concat([u16(value.code), Buffer.from(value.to)])
}

function flag(value: boolean | undefined): Buffer | undefined {
  return value === undefined ? undefined : Buffer.of(value ? 1 : 0)
}

/** A name with its length in front, and what belongs to it. */
function named(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(Buffer.byteLength(name)), Buffer.from(name), Buffer.from(value)])
}
