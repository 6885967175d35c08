import type { CookieFlags, Replacement } from "../../../model/route-records.ts"
import { shown } from "../../../model/shown.ts"
import { isPlainText } from "../values.ts"
import { append, type Effect, type Refused, refusal } from "./effect.ts"

// What becomes of the addresses and cookies in a backend's response. A level with one of such directives has none of those around it; `off` says so
// alone. In the location of an Ingress the reference says `off` itself, so that it may be repeated there.

type List = "redirects" | "cookieDomains" | "cookiePaths"

/** What `proxy_redirect default` replaces. Source: nginx, ngx_http_proxy_redirect. */
const redirect: Effect = (args, scope) => {
  const [word = "", to] = args
  if (to !== undefined) return replace(scope, "redirects", soughtBy(word, false), to)
  if (word !== "default") return switchOff(scope, "redirects", word)
  if (scope.pass?.redirect === undefined) return refusal(`invalid parameter ${shown(word)}`)
  append(scope, "redirects", scope.pass.redirect)
  return "data"
}

/** A dot in front of a domain means nothing, and patterns know no case. Source: nginx, ngx_http_proxy_cookie_domain. */
const cookieDomain: Effect = ([word = "", to], scope) => {
  if (to === undefined) return switchOff(scope, "cookieDomains", word)
  return replace(scope, "cookieDomains", soughtBy(word.replace(/^\./, ""), true), to)
}

const cookiePath: Effect = ([word = "", to], scope) =>
  to === undefined
    ? switchOff(scope, "cookiePaths", word)
    : replace(scope, "cookiePaths", soughtBy(word, false), to)

function replace(
  scope: Parameters<Effect>[1],
  list: List,
  sought: Sought | Refused,
  to: string,
): ReturnType<Effect> {
  if ("refused" in sought) return sought
  append(scope, list, { ...sought, to })
  return "data"
}

/** Nothing but this says that there is none, whatever is said around it. */
function switchOff(
  { level }: Parameters<Effect>[1],
  list: List | "cookieFlags",
  word: string,
): ReturnType<Effect> {
  if (word !== "off") return refusal(`invalid parameter ${shown(word)}`)
  level[list] ??= []
  return "data"
}

type Sought = Pick<Replacement, "from" | "pattern" | "anyCase">

/** @param isCaseless patterns do not know case, and none says so */
function soughtBy(word: string, isCaseless: boolean): Sought | Refused {
  const [, sign, pattern = ""] = /^(~\*?)(.*)$/s.exec(word) ?? []
  if (sign === undefined) return { from: word }
  if (!isPlainText(pattern)) return refusal("the pattern has a control character")
  if (isCaseless && sign === "~*")
    return refusal("a quantifier of the pattern has nothing to repeat", '"~" alone')
  // nginx takes the empty one, which is for all
  return { pattern: pattern || "^", ...((isCaseless || sign === "~*") && { anyCase: true }) }
}

/** A name, and what its cookies get. Source: nginx, ngx_http_proxy_cookie_flags. */
const cookieFlags: Effect = ([word = "", ...flags], scope) => {
  if (flags.length === 0 && word === "off") return switchOff(scope, "cookieFlags", word)
  if (flags.length === 0) return refusal("it names no flag")
  const sought = soughtBy(word, true)
  if ("refused" in sought) return sought
  const { from, ...pattern } = sought
  const changes = flags.map((flag) => changeOf.get(flag) ?? {})
  if (new Set(changes.flatMap(Object.keys)).size < changes.flatMap(Object.keys).length)
    return refusal("it says two things about one flag")
  append(scope, "cookieFlags", Object.assign({}, from !== undefined ? { cookie: from } : pattern, ...changes))
  return "data"
}

const changeOf: ReadonlyMap<string, Pick<CookieFlags, "secure" | "httpOnly" | "sameSite">> = new Map([
  ["secure", { secure: true }],
  ["nosecure", { secure: false }],
  ["httponly", { httpOnly: true }],
  ["nohttponly", { httpOnly: false }],
  ["samesite=strict", { sameSite: "strict" }],
  ["samesite=lax", { sameSite: "lax" }],
  ["samesite=none", { sameSite: "none" }],
  ["nosamesite", { sameSite: "off" }],
])

export const replacing: Readonly<Record<string, Effect>> = {
  proxy_redirect: redirect,
  proxy_cookie_domain: cookieDomain,
  proxy_cookie_path: cookiePath,
  proxy_cookie_flags: cookieFlags,
}
