import { shown } from "../../../model/shown.ts"
import { type Effect, refusal } from "./effect.ts"
import { interim, isInterim } from "./interim.ts"
import { isReserved } from "./reserved.ts"

// The rewrite module: its directives are the steps of a script. `if` is compiled with its block, in compile.ts.

const isUrl = (text: string) => /^(https?:\/\/|\$scheme)/.test(text)

/** Statuses whose text is an address. Source: nginx, ngx_http_send_response. */
const withLocation: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const flags = ["none", "last", "break", "redirect", "permanent"] as const

/** A replacement that is a URL is the answer, whatever the flag but `permanent`. Source: nginx, ngx_http_rewrite. */
const rewrite: Effect = ([pattern = "", replacement = "", word = "none"], scope) => {
  if (replacement === "") return refusal("empty replacement")
  const flag = flags.find((it) => it === word) ?? "none"
  const dropsArgs = replacement.endsWith("?")
  const value = dropsArgs ? replacement.slice(0, -1) : replacement
  scope.steps.push({
    op: "rewrite",
    pattern,
    value,
    flag: isUrl(value) && flag !== "permanent" ? "redirect" : flag,
    ...(dropsArgs && { dropsArgs }),
  })
  return "data"
}

/** `return CODE [TEXT]`, or `return URL`, which is 302. Source: nginx, ngx_http_rewrite_return. */
const answer: Effect = ([first = "", value], scope) => {
  if (!/^\d+$/.test(first)) {
    if (value !== undefined || !isUrl(first)) return refusal(`invalid return code ${shown(first)}`)
    scope.steps.push({ op: "return", code: 302, value: first, isUrl: true })
    return "data"
  }
  const code = Number(first)
  if (code > 999) return refusal(`invalid return code ${shown(first)}`)
  if (isInterim(code)) return refusal(interim)
  // Source: nginx, ngx_http_script_return_code: an error without a text has the page that belongs to it.
  const text = value === "" && code >= 400 ? undefined : value
  scope.steps.push({
    op: "return",
    code,
    ...(text !== undefined && { value: text }),
    ...(text !== undefined && withLocation.has(code) && { isUrl: true }),
  })
  return "data"
}

const assign: Effect = ([variable = "", value = ""], { steps }) => {
  const name = variable.slice(1)
  if (isReserved(name))
    return refusal(
      `${variable} says what serves the request, and is not changed`,
      name === "proxy_upstream_name" ? 'an Ingress with annotation "canary-by-header"' : undefined,
    )
  steps.push({ op: "set", name, value })
  return "data"
}

const end: Effect = (_, { steps }) => {
  steps.push({ op: "break" })
  return "data"
}

export const rewriting: Readonly<Record<string, Effect>> = {
  rewrite,
  return: answer,
  set: assign,
  break: end,
}
