// Records of the levels of scripts as docs/wire.md has them, so that no filter is needed.
import { encoded, u16, u32 } from "../../wire/encode.ts"
import { CRITICAL, field } from "./field.ts"

/** The settings of one level; names are those of docs/wire.md, LEVEL. */
export interface Level {
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
export interface Sought {
  readonly from?: string
  readonly pattern?: string
  readonly anyCase?: true
}

interface Replacement extends Sought {
  /** Template. */
  readonly to: string
}

export interface CookieFlags extends Sought {
  readonly secure?: boolean
  readonly httpOnly?: boolean
  readonly sameSite?: "strict" | "lax" | "none" | "off"
}

export interface RequestLimit {
  readonly zone: string
  readonly burst?: number
  readonly delay?: number
  readonly hasNoDelay?: true
}

export type LogLevel = "info" | "notice" | "warn" | "error"

export interface ResponseHeader {
  readonly op: "add" | "set" | "clear" | "append"
  readonly name: string
  /** Template. */
  readonly value?: string
  readonly always?: true
  readonly statuses?: readonly number[]
  readonly types?: readonly string[]
}

export interface InputHeader {
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

/** One level. */
export function levelRecord(level: Level): Buffer {
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
