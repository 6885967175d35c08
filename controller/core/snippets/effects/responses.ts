import { shown } from "../../../model/shown.ts"
import { unknownVariable } from "../scope.ts"
import { msOf, template } from "../values.ts"
import { append, type Effect, refusal } from "./effect.ts"
import { interim, isInterim } from "./interim.ts"

// What becomes of a response besides its headers.

/** Source: nginx, ngx_http_core_error_page. */
const errorPage: Effect = (args, scope, { words }) => {
  const to = template(words.at(-1) ?? "")
  if (typeof to === "string") return refusal(to)
  const unknown = unknownVariable(scope.session, to.variables ?? [])
  if (unknown !== undefined) return refusal(unknown)
  const overwrite = words.at(-2)?.startsWith("=") ? words.at(-2) : undefined
  if (overwrite !== undefined && !/^=\d{0,3}$/.test(overwrite))
    return refusal(`invalid value ${shown(overwrite)}`)
  if (overwrite !== undefined && overwrite !== "=" && isInterim(Number(overwrite.slice(1))))
    return refusal(interim)
  const codes = args.slice(0, overwrite === undefined ? -1 : -2).map(Number)
  if (codes.length === 0) return refusal('invalid number of arguments in "error_page" directive')
  if (!codes.every((code) => Number.isInteger(code) && code >= 300 && code <= 599))
    return refusal("its statuses must be between 300 and 599")
  if (codes.includes(499)) return refusal("status 499 is nginx's own, and has no page")
  if (to.text === "") return refusal("it names no page")
  if (to.text.startsWith("@") && (to.variables ?? []).length > 0)
    return refusal("the name of a location has no variables", "an if for each of them")
  append(scope, "errorPages", {
    codes,
    ...(overwrite !== undefined && { code: Number(overwrite.slice(1) || 0) }),
    to: to.text,
  })
  return "data"
}

/** Source: nginx, ngx_http_headers_expires and ngx_http_parse_expires. */
const expires: Effect = (args, { level }) => {
  const [first = "", second] = args
  const text = second === undefined ? first : second
  if (second !== undefined && first !== "modified") return refusal(`invalid value ${shown(first)}`)
  const found = second === undefined ? plainExpires(text) : modifiedExpires(text)
  if (found === undefined)
    return refusal(`invalid value ${shown(text)}, write off, epoch, max or a time such as 1h`)
  level.expires = found
  return "data"
}

function plainExpires(text: string): string | undefined {
  if (["off", "epoch", "max"].includes(text)) return text
  if (text.startsWith("@")) {
    const seconds = secondsOf(text.slice(1))
    return seconds !== undefined && seconds < 86_400 ? `@${seconds}` : undefined
  }
  const seconds = secondsOf(text.replace(/^[+-]/, ""))
  return seconds === undefined ? undefined : `${text.startsWith("-") ? "-" : "+"}${seconds}`
}

function modifiedExpires(text: string): string | undefined {
  const seconds = secondsOf(text.replace(/^\+/, ""))
  return seconds === undefined ? undefined : `modified +${seconds}`
}

function secondsOf(text: string): number | undefined {
  const ms = msOf(text)
  return Number.isNaN(ms) || ms % 1000 !== 0 ? undefined : ms / 1000
}

const expiresWithVariables: Effect = (args, scope, directive) => {
  const [word = ""] = args
  if (args.length > 1 || !word.startsWith("$")) return expires(args, scope, directive)
  const value = template(word)
  if (typeof value === "string") return refusal(value)
  const unknown = unknownVariable(scope.session, value.variables ?? [])
  if (unknown !== undefined) return refusal(unknown)
  scope.level.expires = value.text
  return "data"
}

const accessLog: Effect = ([path, more], { level }) => {
  if (path !== "off") return refusal("it names a file or a server", 'ConfigMap key "access-log-path"')
  if (more !== undefined) return refusal(`invalid parameter ${shown(more)}`)
  level.accessLogOff = true
  return "data"
}

const defaultType: Effect = ([type = ""], scope) => {
  scope.level.defaultType = type
  return "data"
}

/** RFC 9110, 6.5.1: who merges trailers into the header would read the message by them. */
const addTrailer: Effect = ([name = ""]) =>
  /^(connection|content[-_]length|host|te|trailer|transfer[-_]encoding|upgrade)$/i.test(name)
    ? refusal(`${shown(name)} says where a message ends or whom it is for, before it begins`)
    : "typed"

export const responses: Readonly<Record<string, Effect>> = {
  error_page: errorPage,
  expires: expiresWithVariables,
  access_log: accessLog,
  add_trailer: addTrailer,
  default_type: defaultType,
}
