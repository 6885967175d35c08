// Records of hosts as docs/wire.md 2 has them, so that no filter is needed.
import type { AccessRule } from "../../controller/model/access.ts"
import type { Overrides } from "../../controller/model/overrides.ts"
import type { Route as ModelRoute } from "../../controller/model/route.ts"
import type { BackendTls } from "../../controller/model/route-records.ts"
import { encoded, recordOf as sealed, u16, u32 } from "../../wire/encode.ts"
import { camelCase } from "../../wire/field.ts"
import { overrides } from "../../wire/overrides.ts"
import { records } from "../../wire/schema.ts"
import { backendTlsOf } from "./backend-tls.ts"
import { CRITICAL, field } from "./field.ts"
import { type Waf, wafOf } from "./waf.ts"

/** With the numbers that it has of its own. */
export interface Route extends Overrides {
  /** Default `/`. */
  readonly path?: string
  /** Default `prefix`. */
  readonly match?: ModelRoute["match"]
  /** Default `plain`. */
  readonly location?: string
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
  readonly cors?: Cors
  readonly access?: Access
  readonly limits?: Limits
  /** As `scriptOf` has it. */
  readonly script?: Uint8Array
  readonly noSlashRedirect?: true
  readonly conditions?: readonly Condition[]
  readonly actions?: Actions
  /** The location in which its own stands. */
  readonly within?: string
  readonly waf?: Waf
  readonly backendTls?: BackendTls
}

/** That a header has a value. */
interface Condition {
  readonly header: string
  readonly value: string
}

/** What becomes of its requests; headers: name and value. */
interface Actions {
  readonly setRequestHeaders?: readonly (readonly [string, string])[]
  readonly addRequestHeaders?: readonly (readonly [string, string])[]
  readonly setResponseHeaders?: readonly (readonly [string, string])[]
  readonly addResponseHeaders?: readonly (readonly [string, string])[]
  readonly path?: string
  readonly replacesPrefix?: true
  readonly requestTimeoutMs?: number
  readonly retryCodes?: readonly number[]
}

interface Limits {
  /** 32 hexadecimal digits. */
  readonly key: string
  readonly rps?: number
  readonly rpm?: number
  readonly multiplier?: number
  readonly connections?: number
  readonly exempt?: string
  readonly by?: string
  readonly ipv6Bits?: number
}

/** What is absent has a value that does not matter. */
interface Cors {
  readonly origins: readonly string[]
  readonly exposeHeaders?: string
  readonly credentials?: true
}

export interface Access {
  readonly allow?: string
  readonly deny?: string
  readonly satisfy?: "all" | "any"
  readonly basic?: { readonly users: string; readonly realm: string }
  readonly external?: External
  /** Networks of IPv4 only. */
  readonly rules?: readonly AccessRule[]
  readonly allowCountries?: readonly string[]
  readonly denyCountries?: readonly string[]
  readonly allowAsns?: readonly number[]
  readonly denyAsns?: readonly number[]
}

/** An authentication service. */
export interface External {
  /** Default `auth-http`. */
  readonly location?: string
  /** Default `auth`. */
  readonly backend?: string
  /** Template, default `/check`. */
  readonly target?: string
  /** Template, default `auth.test`. */
  readonly host?: string
  readonly method?: string
  /** Name → template. */
  readonly headers?: Readonly<Record<string, string>>
  readonly responseHeaders?: readonly string[]
  /** Template. */
  readonly signin?: string
  /** Template. */
  readonly requestRedirect?: string
  readonly alwaysSetCookie?: true
  /** Template. */
  readonly cacheKey?: string
  /** By status; 0: every other. */
  readonly cacheDurations?: Readonly<Record<number, number>>
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

/** The record of a host. @param script as `scriptOf` has it */
export function recordOf(routes: readonly Route[], asked?: ClientCertificate, script?: Uint8Array): Buffer {
  const own = asked ? ownFieldsOf(asked) : Buffer.alloc(0)
  const fields = [own, field(10 + CRITICAL, script), ...routes.map((route) => field(6, fieldsOf(route)))]
  return sealed(records.host.version, ...fields)
}

function ownFieldsOf(asked: ClientCertificate): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, asked.authority),
    field(2 + CRITICAL, encoded("host_verify", asked.verify)),
    field(3 + CRITICAL, asked.matchCn),
    field(4, asked.errorPage),
    field(5, flag(asked.passCertificate)),
  ])
}

function fieldsOf(route: Route): Buffer {
  return Buffer.concat([
    field(1, route.path ?? "/"),
    field(2, encoded("match", route.match ?? "prefix")),
    field(3, route.location ?? "plain"),
    field(4, route.backend ?? "backend"),
    field(5, route.namespace),
    field(6, route.ingress_name),
    field(7, route.service_name),
    field(8, route.service_port),
    field(9, route.location_path),
    field(10 + CRITICAL, route.status === undefined ? undefined : u16(route.status)),
    field(11 + CRITICAL, redirect(route.redirect)),
    field(12 + CRITICAL, redirect(route.httpsRedirect)),
    field(13 + CRITICAL, route.rewrite),
    field(14, flag(route.logRewrite)),
    ...Object.entries(route.variables ?? {}).map(([name, value]) => field(15, named(name, value))),
    ...overrides.map(({ name, type, id = 0 }) => {
      const value = route[camelCase(name) as keyof Overrides]
      return field(id, value === undefined ? undefined : encoded(type, value))
    }),
    ...(route.headers ?? []).map(([name, value]) => field(16, named(name, value))),
    field(17 + CRITICAL, route.access && accessOf(route.access)),
    field(18, route.cors && corsOf(route.cors)),
    field(19 + CRITICAL, route.limits && limitsOf(route.limits)),
    ...(route.conditions ?? []).map((condition) => field(24 + CRITICAL, conditionOf(condition))),
    field(26 + CRITICAL, route.script),
    field(29 + CRITICAL, route.actions && actionsOf(route.actions)),
    field(27, flag(route.noSlashRedirect)),
    field(28 + CRITICAL, route.within),
    field(30 + CRITICAL, route.waf && wafOf(route.waf)),
    field(31 + CRITICAL, route.backendTls && backendTlsOf(route.backendTls)),
  ])
}

function conditionOf({ header, value }: Condition): Buffer {
  const of = field(1 + CRITICAL, encoded("condition_of", "header"))
  return Buffer.concat([of, field(2 + CRITICAL, header), field(4 + CRITICAL, value)])
}

function actionsOf(actions: Actions): Buffer {
  const { requestTimeoutMs: ms, retryCodes = [] } = actions
  const headers = (tag: number, all: Actions["setRequestHeaders"] = []) =>
    all.map(([name, value]) => field(tag, named(name, value)))
  return Buffer.concat([
    ...headers(1 + CRITICAL, actions.setRequestHeaders),
    ...headers(2 + CRITICAL, actions.addRequestHeaders),
    ...headers(3, actions.setResponseHeaders),
    ...headers(4, actions.addResponseHeaders),
    field(5 + CRITICAL, actions.path),
    field(6 + CRITICAL, flag(actions.replacesPrefix)),
    field(7, ms === undefined ? undefined : encoded("milliseconds", ms)),
    ...retryCodes.map((code) => field(9, u16(code))),
  ])
}

function limitsOf({ key, rps, rpm, multiplier, connections, exempt, by, ipv6Bits }: Limits): Buffer {
  const number = (value: number | undefined) => (value === undefined ? undefined : u32(value))
  return Buffer.concat([
    field(1 + CRITICAL, key),
    field(2 + CRITICAL, number(rps)),
    field(3 + CRITICAL, number(rpm)),
    field(4 + CRITICAL, number(multiplier)),
    field(5 + CRITICAL, number(connections)),
    field(6 + CRITICAL, exempt),
    field(7 + CRITICAL, by),
    field(8 + CRITICAL, ipv6Bits === undefined ? undefined : Buffer.of(ipv6Bits)),
  ])
}

function corsOf({ origins, exposeHeaders, credentials }: Cors): Buffer {
  return Buffer.concat([
    ...origins.map((origin) => field(1, origin)),
    field(2, "GET"),
    field(3, "Range"),
    field(4, exposeHeaders),
    field(5, "600"),
    field(6, flag(credentials)),
  ])
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

/** An address list; a network is `address/bits`, IPv4. */
export function addressListOf(ranges: readonly string[]): Buffer {
  return sealed(records.address_list.version, ...ranges.map((range) => field(1, rangeOf(range))))
}

function rangeOf(range: string): Buffer {
  const [address = "", bits] = range.split("/")
  return Buffer.of(Number(bits), ...address.split(".").map(Number))
}

/** The record of a user list. @param users each as in a file: `name:hash` */
export function userListOf(users: readonly string[]): Buffer {
  const fields = users.map((user) => {
    const colon = user.indexOf(":")
    const name = Buffer.from(user.slice(0, colon))
    return field(1, Buffer.concat([Buffer.of(name.length), name, Buffer.from(user.slice(colon + 1))]))
  })
  return sealed(records.user_list.version, ...fields)
}

function accessOf({ allow, deny, satisfy, basic, external, rules = [], ...geo }: Access): Buffer {
  const password = basic && [field(1 + CRITICAL, basic.users), field(2 + CRITICAL, basic.realm)]
  return Buffer.concat([
    field(1 + CRITICAL, allow),
    field(2 + CRITICAL, deny),
    field(3 + CRITICAL, satisfy && encoded("satisfy", satisfy)),
    field(4 + CRITICAL, password && Buffer.concat(password)),
    field(6 + CRITICAL, external && externalOf(external)),
    ...rules.map((rule) => field(7 + CRITICAL, ruleOf(rule))),
    ...(geo.allowCountries ?? []).map((code) => field(8 + CRITICAL, code)),
    ...(geo.denyCountries ?? []).map((code) => field(9 + CRITICAL, code)),
    ...(geo.allowAsns ?? []).map((number) => field(10 + CRITICAL, u32(number))),
    ...(geo.denyAsns ?? []).map((number) => field(11 + CRITICAL, u32(number))),
  ])
}

function ruleOf({ action, from }: AccessRule): Buffer {
  const known: Readonly<Record<string, Buffer>> = { all: Buffer.alloc(0), "unix:": Buffer.of(0) }
  return Buffer.concat([encoded("access_action", action), known[from] ?? rangeOf(from)])
}

function externalOf(asked: External): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, asked.location ?? "auth-http"),
    field(2 + CRITICAL, asked.backend ?? "auth"),
    field(3 + CRITICAL, asked.target ?? "/check"),
    field(4 + CRITICAL, asked.host ?? "auth.test"),
    field(5 + CRITICAL, asked.method),
    ...Object.entries(asked.headers ?? {}).map(([name, value]) => field(6 + CRITICAL, named(name, value))),
    ...(asked.responseHeaders ?? []).map((name) => field(7 + CRITICAL, name)),
    field(8, asked.signin),
    field(9, asked.requestRedirect),
    field(10, flag(asked.alwaysSetCookie)),
    field(11 + CRITICAL, asked.cacheKey),
    ...Object.entries(asked.cacheDurations ?? {}).map(([status, seconds]) =>
      field(12 + CRITICAL, Buffer.concat([u16(Number(status)), u32(seconds)])),
    ),
  ])
}
