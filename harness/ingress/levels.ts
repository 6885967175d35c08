// Directives of nginx for the levels of scripts, as records have them and as text: what a test compares.
import {
  type CookieFlags,
  type InputHeader,
  type Level,
  type LogLevel,
  levelRecord,
  type RequestLimit,
  type ResponseHeader,
  type Sought,
} from "./level-records.ts"
import { quoted } from "./quoted.ts"

/** Directives: as a part of a level, and as text. */
export interface Setting {
  readonly level: Level
  readonly text: string
}

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
  return levelRecord(level)
}

export const textOfAll = (settings: readonly Setting[]): string => settings.map(({ text }) => text).join(" ")
