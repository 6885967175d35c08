// Records of hosts as docs/wire.md 2 has them, written by hand so that no filter is needed.

export interface Route {
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
  readonly connectTimeoutMs?: number
  readonly sendTimeoutMs?: number
  readonly readTimeoutMs?: number
  readonly bodyBytes?: number
  /** Bits as docs/wire.md 2 has them. */
  readonly nextUpstream?: number
  readonly tries?: number
  readonly triesTimeoutMs?: number
  readonly bufferBytes?: number
  readonly buffers?: number
  readonly busyBytes?: number
  readonly buffering?: boolean
  readonly requestBuffering?: boolean
  readonly tempFileBytes?: number
  readonly bodyBufferBytes?: number
  readonly absoluteRedirect?: boolean
  readonly portInRedirect?: boolean
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
    field(32, i64(route.connectTimeoutMs)),
    field(33, i64(route.sendTimeoutMs)),
    field(34, i64(route.readTimeoutMs)),
    field(35, i64(route.bodyBytes)),
    field(36, route.nextUpstream === undefined ? undefined : u32(route.nextUpstream)),
    field(37, i64(route.tries)),
    field(38, i64(route.triesTimeoutMs)),
    field(39, i64(route.bufferBytes)),
    field(40, i64(route.buffers)),
    field(41, i64(route.busyBytes)),
    field(42, flag(route.buffering)),
    field(43, flag(route.requestBuffering)),
    field(44, i64(route.tempFileBytes)),
    field(45, i64(route.bodyBufferBytes)),
    field(46, flag(route.absoluteRedirect)),
    field(47, flag(route.portInRedirect)),
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

export function u16(value: number): Buffer {
  return u32(value).subarray(0, 2)
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function i64(value: number | undefined): Buffer | undefined {
  if (value === undefined) return undefined
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value))
  return bytes
}
