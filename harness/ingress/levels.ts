// Settings of the levels of scripts as docs/wire.md has them, and the same as directives of nginx: what a test compares.
import { encoded, u16, u32, field as written } from "../../wire/encode.ts"

/** The settings of one level; names are those of docs/wire.md, LEVEL. */
interface Level {
  readonly responseHeaders?: readonly ResponseHeader[]
  /** Name and template. */
  readonly upstreamHeaders?: readonly (readonly [string, string])[]
  readonly inputHeaders?: readonly InputHeader[]
  readonly hides?: readonly string[]
  readonly passes?: readonly string[]
  readonly expires?: string
  /** Template. */
  readonly limitRate?: string
  /** Template. */
  readonly limitRateAfter?: string
  readonly accessLogOff?: true
  readonly defaultType?: string
  readonly errorPages?: readonly ErrorPage[]
  /** Name and template. */
  readonly authVariables?: readonly (readonly [string, string])[]
  readonly requestLimits?: readonly RequestLimit[]
  readonly connectionLimits?: readonly { readonly zone: string; readonly connections: number }[]
  readonly limitReqDryRun?: boolean
  readonly limitConnDryRun?: boolean
  readonly limitReqLogLevel?: LogLevel
  readonly limitConnLogLevel?: LogLevel
  readonly limitReqStatus?: number
  readonly limitConnStatus?: number
  readonly redirects?: readonly Replacement[]
  readonly cookieDomains?: readonly Replacement[]
  readonly cookiePaths?: readonly Replacement[]
  readonly cookieFlags?: readonly CookieFlags[]
}

/** Of both a template or a pattern. */
interface Sought {
  readonly from?: string
  readonly pattern?: string
  readonly anyCase?: true
}

interface Replacement extends Sought {
  /** Template. */
  readonly to: string
}

interface CookieFlags extends Sought {
  readonly secure?: boolean
  readonly httpOnly?: boolean
  readonly sameSite?: "strict" | "lax" | "none" | "off"
}

interface RequestLimit {
  readonly zone: string
  readonly burst?: number
  readonly delay?: number
  readonly hasNoDelay?: true
}

type LogLevel = "info" | "notice" | "warn" | "error"

interface ResponseHeader {
  readonly op: "add" | "set" | "clear" | "append"
  readonly name: string
  /** Template. */
  readonly value?: string
  readonly always?: true
  readonly statuses?: readonly number[]
  readonly types?: readonly string[]
}

interface InputHeader {
  readonly op: "set" | "clear"
  readonly name: string
  /** Template. */
  readonly value?: string
  readonly replaces?: true
  readonly types?: readonly string[]
}

interface ErrorPage {
  readonly codes: readonly number[]
  readonly code?: number
  /** Template. */
  readonly to: string
}

const CRITICAL = 128

function fieldsOf(level: Level): Buffer {
  return Buffer.concat([
    ...(level.responseHeaders ?? []).map((header) => field(1, responseHeaderOf(header))),
    ...(level.upstreamHeaders ?? []).map(([name, value]) => field(2 + CRITICAL, named(name, value))),
    ...(level.inputHeaders ?? []).map((header) => field(3 + CRITICAL, inputHeaderOf(header))),
    ...(level.hides ?? []).map((name) => field(4, name)),
    ...(level.passes ?? []).map((name) => field(5, name)),
    field(6, level.expires),
    field(7, level.limitRate),
    field(8, level.limitRateAfter),
    field(9, mark(level.accessLogOff)),
    field(10, level.defaultType),
    ...(level.errorPages ?? []).map((page) => field(11, errorPageOf(page))),
    ...(level.authVariables ?? []).map(([name, value]) => field(12 + CRITICAL, named(name, value))),
    ...(level.requestLimits ?? []).map((limit) => field(13 + CRITICAL, requestLimitOf(limit))),
    ...(level.connectionLimits ?? []).map(({ zone, connections }) =>
      field(14 + CRITICAL, Buffer.concat([field(1 + CRITICAL, zone), field(2 + CRITICAL, u16(connections))])),
    ),
    field(15 + CRITICAL, flag(level.limitReqDryRun)),
    field(16 + CRITICAL, flag(level.limitConnDryRun)),
    field(17, level.limitReqLogLevel && encoded("log_level", level.limitReqLogLevel)),
    field(18, level.limitConnLogLevel && encoded("log_level", level.limitConnLogLevel)),
    field(19, number(level.limitReqStatus)),
    field(20, number(level.limitConnStatus)),
    ...(level.redirects ?? []).map((it) => field(21, replacementOf(it))),
    ...(level.cookieDomains ?? []).map((it) => field(22, replacementOf(it))),
    ...(level.cookiePaths ?? []).map((it) => field(23, replacementOf(it))),
    ...(level.cookieFlags ?? []).map((it) => field(24, cookieFlagsOf(it))),
  ])
}

function responseHeaderOf({ op, name, value, always, statuses, types }: ResponseHeader): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, encoded("header_op", op)),
    field(2 + CRITICAL, name),
    field(3 + CRITICAL, value),
    field(4 + CRITICAL, mark(always)),
    ...(statuses ?? []).map((status) => field(5 + CRITICAL, u16(status))),
    ...(types ?? []).map((type) => field(6 + CRITICAL, type)),
  ])
}

function inputHeaderOf({ op, name, value, replaces, types }: InputHeader): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, encoded("input_header_op", op)),
    field(2 + CRITICAL, name),
    field(3 + CRITICAL, value),
    field(4 + CRITICAL, mark(replaces)),
    ...(types ?? []).map((type) => field(5 + CRITICAL, type)),
  ])
}

function errorPageOf({ codes, code, to }: ErrorPage): Buffer {
  return Buffer.concat([
    ...codes.map((code) => field(1, u16(code))),
    field(2, code === undefined ? undefined : u16(code)),
    field(3, to),
  ])
}

function requestLimitOf({ zone, burst, delay, hasNoDelay }: RequestLimit): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, zone),
    field(2 + CRITICAL, burst === undefined ? undefined : u32(burst)),
    field(3 + CRITICAL, delay === undefined ? undefined : u32(delay)),
    field(4 + CRITICAL, mark(hasNoDelay)),
  ])
}

function replacementOf({ to, ...sought }: Replacement): Buffer {
  return Buffer.concat([soughtOf(sought), field(4 + CRITICAL, to)])
}

function cookieFlagsOf({ secure, httpOnly, sameSite, ...sought }: CookieFlags): Buffer {
  return Buffer.concat([
    soughtOf(sought),
    field(4 + CRITICAL, flag(secure)),
    field(5 + CRITICAL, flag(httpOnly)),
    field(6 + CRITICAL, sameSite && encoded("same_site_change", sameSite)),
  ])
}

function soughtOf({ from, pattern, anyCase }: Sought): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, from),
    field(2 + CRITICAL, pattern),
    field(3 + CRITICAL, mark(anyCase)),
  ])
}

function field(tag: number, value: string | Uint8Array | undefined): Buffer {
  return value === undefined ? Buffer.alloc(0) : written(tag, Buffer.from(value))
}

function mark(value: true | undefined): Buffer | undefined {
  return value && Buffer.of(1)
}

function flag(value: boolean | undefined): Buffer | undefined {
  return value === undefined ? undefined : Buffer.of(value ? 1 : 0)
}

function number(value: number | undefined): Buffer | undefined {
  return value === undefined ? undefined : u16(value)
}

/** A name with its length in front, and what belongs to it. */
function named(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(Buffer.byteLength(name)), Buffer.from(name), Buffer.from(value)])
}

/** Directives: as a part of a level, and as text. */
export interface Setting {
  readonly level: Level
  readonly text: string
}

/** As a word of nginx's text. */
const quoted = (word: string) => `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`

/** `add_header` */
export function addHeader(name: string, value: string, always?: "always"): Setting {
  const header: ResponseHeader = { op: "add", name, value, ...(always && { always: true }) }
  return {
    level: { responseHeaders: [header] },
    text: `add_header ${name} ${quoted(value)} ${always ?? ""};`,
  }
}

interface About {
  readonly statuses?: readonly number[]
  readonly types?: readonly string[]
}

/** `more_set_headers` */
export function moreSet(name: string, value: string, about: About = {}): Setting {
  const header: ResponseHeader = { op: "set", name, value, ...about }
  return {
    level: { responseHeaders: [header] },
    text: `more_set_headers ${options(about)} ${quoted(`${name}: ${value}`)};`,
  }
}

/** `more_clear_headers`; the name may end in `*` */
export function moreClear(name: string, about: About = {}): Setting {
  const header: ResponseHeader = { op: "clear", name, ...about }
  return {
    level: { responseHeaders: [header] },
    text: `more_clear_headers ${options(about)} ${quoted(name)};`,
  }
}

function options({ statuses, types }: About): string {
  return `${statuses ? `-s ${quoted(statuses.join(" "))}` : ""} ${types ? `-t ${quoted(types.join(" "))}` : ""}`
}

/** `proxy_set_header`, `grpc_set_header` or `fastcgi_param` */
export function passHeader(
  name: string,
  value: string,
  directive: "proxy_set_header" | "grpc_set_header" | "fastcgi_param" = "proxy_set_header",
): Setting {
  return { level: { upstreamHeaders: [[name, value]] }, text: `${directive} ${name} ${quoted(value)};` }
}

/** `proxy_hide_header` */
export const hide = (name: string): Setting => ({
  level: { hides: [name] },
  text: `proxy_hide_header ${name};`,
})

/** `proxy_pass_header` */
export const pass = (name: string): Setting => ({
  level: { passes: [name] },
  text: `proxy_pass_header ${name};`,
})

/** `expires`; `canonical` is the same as records have it */
export const expires = (words: string, canonical = words): Setting => ({
  level: { expires: canonical },
  text: `expires ${words};`,
})

/** `more_set_input_headers`, with `-r` where `replaces` */
export function moreSetInput(
  name: string,
  value: string,
  replaces?: "replaces",
  about: Pick<About, "types"> = {},
): Setting {
  const header: InputHeader = { op: "set", name, value, ...(replaces && { replaces: true }), ...about }
  const text = `more_set_input_headers ${replaces ? "-r" : ""} ${options(about)} ${quoted(`${name}: ${value}`)};`
  return { level: { inputHeaders: [header] }, text }
}

/** `more_clear_input_headers`; the name may end in `*` */
export const moreClearInput = (name: string, about: Pick<About, "types"> = {}): Setting => ({
  level: { inputHeaders: [{ op: "clear", name, ...about }] },
  text: `more_clear_input_headers ${options(about)} ${quoted(name)};`,
})

export const limitRate = (value: string): Setting => ({
  level: { limitRate: value },
  text: `limit_rate ${value};`,
})

export const limitRateAfter = (value: string): Setting => ({
  level: { limitRateAfter: value },
  text: `limit_rate_after ${value};`,
})

export const accessLogOff: Setting = { level: { accessLogOff: true }, text: "access_log off;" }

export const defaultType = (type: string): Setting => ({
  level: { defaultType: type },
  text: `default_type ${type};`,
})

/** `error_page`; `code` as of the record */
export function errorPage(codes: readonly number[], to: string, code?: number): Setting {
  const overwrite = code === undefined ? "" : code === 0 ? "=" : `=${code}`
  return {
    level: { errorPages: [{ codes, to, ...(code !== undefined && { code }) }] },
    text: `error_page ${codes.join(" ")} ${overwrite} ${quoted(to)};`,
  }
}

/** `auth_request_set` */
export const authSet = (name: string, value: string): Setting => ({
  level: { authVariables: [[name, value]] },
  text: `auth_request_set $${name} ${quoted(value)};`,
})

/** `limit_req` */
export function limitReq(zone: string, burst?: number, delay?: number | "nodelay"): Setting {
  const said = delay === "nodelay" ? { hasNoDelay: true as const } : delay === undefined ? {} : { delay }
  const limit: RequestLimit = { zone, ...(burst !== undefined && { burst }), ...said }
  const words = [
    `zone=${zone}`,
    burst === undefined ? "" : `burst=${burst}`,
    typeof delay === "number" ? `delay=${delay}` : (delay ?? ""),
  ]
  return { level: { requestLimits: [limit] }, text: `limit_req ${words.join(" ")};` }
}

/** `limit_conn` */
export const limitConn = (zone: string, connections: number): Setting => ({
  level: { connectionLimits: [{ zone, connections }] },
  text: `limit_conn ${zone} ${connections};`,
})

/** `limit_req_dry_run` or `limit_conn_dry_run` */
export const dryRun = (of: "Req" | "Conn", isOn: boolean): Setting => ({
  level: { [`limit${of}DryRun`]: isOn },
  text: `limit_${of.toLowerCase()}_dry_run ${isOn ? "on" : "off"};`,
})

/** `limit_req_log_level` or `limit_conn_log_level` */
export const limitLogLevel = (of: "Req" | "Conn", level: LogLevel): Setting => ({
  level: { [`limit${of}LogLevel`]: level },
  text: `limit_${of.toLowerCase()}_log_level ${level};`,
})

/** `limit_req_status` or `limit_conn_status` */
export const limitStatus = (of: "Req" | "Conn", status: number): Setting => ({
  level: { [`limit${of}Status`]: status },
  text: `limit_${of.toLowerCase()}_status ${status};`,
})

/** A text or, behind `~` or `~*`, a pattern. */
function sought(word: string): Sought {
  const [, sign, pattern = ""] = /^(~\*?)(.*)$/.exec(word) ?? []
  if (sign === undefined) return { from: word }
  return { pattern, ...(sign === "~*" && { anyCase: true }) }
}

/** `proxy_redirect` */
export const redirect = (from: string, to: string): Setting => ({
  level: { redirects: [{ ...sought(from), to }] },
  text: `proxy_redirect ${quoted(from)} ${quoted(to)};`,
})

/** `proxy_cookie_path` */
export const cookiePath = (from: string, to: string): Setting => ({
  level: { cookiePaths: [{ ...sought(from), to }] },
  text: `proxy_cookie_path ${quoted(from)} ${quoted(to)};`,
})

/** `proxy_cookie_domain`, whose patterns know no case */
export const cookieDomain = (from: string, to: string): Setting => ({
  level: { cookieDomains: [{ ...sought(from.replace(/^~/, "~*")), to }] },
  text: `proxy_cookie_domain ${quoted(from)} ${quoted(to)};`,
})

/** `proxy_cookie_flags`, likewise */
export const cookieFlags = (
  cookie: string,
  flags: string,
  changes: Omit<CookieFlags, keyof Sought>,
): Setting => ({
  level: { cookieFlags: [{ ...sought(cookie.replace(/^~/, "~*")), ...changes }] },
  text: `proxy_cookie_flags ${quoted(cookie)} ${flags};`,
})

/** The record of one level that has them all. */
export function levelOf(settings: readonly Setting[]): Buffer {
  const level: Record<string, unknown> = {}
  for (const setting of settings)
    for (const [name, value] of Object.entries(setting.level))
      level[name] = Array.isArray(value) ? [...((level[name] as unknown[]) ?? []), ...value] : value
  return fieldsOf(level)
}

export const textOfAll = (settings: readonly Setting[]): string => settings.map(({ text }) => text).join(" ")
