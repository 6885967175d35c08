// The directives that wick has as data, in all their forms, and where nginx takes each.
import type { Phrases } from "./phrases.ts"
import { answerHeaderNames, requestHeaderNames } from "./words.ts"

/** Where a directive stands. */
export type Level = "server" | "location" | "if in server" | "if in location"

export interface Row {
  readonly name: string
  /** How often it is chosen, beside the others of its level. */
  readonly weight: number
  readonly levels: readonly Level[]
  /** nginx takes one in each block. */
  readonly isOnce?: true
  /** @param block makes the directives of a block */
  readonly form: (say: Phrases, level: Level, block: (level: Level) => string) => string
}

const rewriting: readonly Level[] = ["server", "location", "if in server", "if in location"]
const settings: readonly Level[] = ["server", "location", "if in location"]
const outsideIf: readonly Level[] = ["server", "location"]

export const rows: readonly Row[] = [
  { name: "set", weight: 6, levels: rewriting, form: (say) => `${say.setVariable()} ${say.value()}` },
  { name: "set", weight: 1, levels: rewriting, form: (say) => `$args ${say.args()}` },
  { name: "return", weight: 2, levels: rewriting, form: returned },
  { name: "rewrite", weight: 4, levels: rewriting, form: rewritten },
  { name: "break", weight: 1, levels: rewriting, form: () => "" },
  { name: "if", weight: 9, levels: outsideIf, form: conditional },
  { name: "add_header", weight: 6, levels: settings, form: added },
  { name: "more_set_headers", weight: 5, levels: settings, form: moreSet },
  { name: "more_clear_headers", weight: 2, levels: settings, form: (say) => cleared(say, moreNames) },
  { name: "more_set_input_headers", weight: 4, levels: settings, form: moreInput },
  {
    name: "more_clear_input_headers",
    weight: 2,
    levels: settings,
    form: (say) => cleared(say, inputNames),
  },
  {
    name: "proxy_set_header",
    weight: 5,
    levels: outsideIf,
    form: (say) => `${say.pick(requestHeaderNames)} ${say.value()}`,
  },
  { name: "proxy_hide_header", weight: 2, levels: outsideIf, form: (say) => say.pick(answerHeaderNames) },
  { name: "expires", weight: 2, levels: settings, isOnce: true, form: (say) => say.pick(expiries) },
  { name: "allow", weight: 1, levels: outsideIf, form: (say) => say.pick(clients) },
  { name: "deny", weight: 2, levels: outsideIf, form: (say) => say.pick(clients) },
  { name: "limit_except", weight: 1, levels: ["location"], isOnce: true, form: limited },
  { name: "error_page", weight: 2, levels: settings, form: errorPage },
  { name: "default_type", weight: 1, levels: outsideIf, isOnce: true, form: (say) => say.pick(types) },
  { name: "access_log", weight: 1, levels: settings, isOnce: true, form: () => "off" },
]

const expiries = ["off", "epoch", "max", "30", "-1", "1h30m", "modified 10m", "$http_x_a"]
const clients = ["all", "127.0.0.1", "127.0.0.2", "127.0.0.0/30", "10.0.0.0/8", "::1", "unix:"]
const types = ["text/plain", "application/json", '""']
/** headers-more and `expires` do not agree about it: one's header is hidden by the other, or empty. */
const moreNames = answerHeaderNames.filter((name) => name !== "Cache-Control")
/** headers-more ends the worker of nginx 1.22 where it has to make one of these. */
const inputNames = requestHeaderNames.filter((name) => name !== "Host" && name !== "X-Forwarded-For")
const codes = [200, 201, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 418, 429, 444, 500, 503]

function returned(say: Phrases): string {
  const code = say.pick(codes)
  const isRedirect = code > 300 && code < 400 && code !== 304
  if (say.oneIn(8)) return say.url()
  if (isRedirect) return `${code} ${say.oneIn(2) ? say.url() : say.target()}`
  return say.oneIn(2) ? String(code) : `${code} ${say.value()}`
}

function rewritten(say: Phrases): string {
  const flag = say.pick(["", "", "last", "break", "redirect", "permanent"])
  const to = say.oneIn(6) ? say.url() : say.target()
  return `${say.pathPattern()} ${to} ${flag}`
}

function conditional(say: Phrases, level: Level, block: (level: Level) => string): string {
  return `${say.condition()} {\n${block(level === "server" ? "if in server" : "if in location")}\n}`
}

function added(say: Phrases): string {
  return `${say.pick(answerHeaderNames)} ${say.value(true)}${say.pick(["", " always"])}`
}

function moreSet(say: Phrases): string {
  const when = say.pick([
    "",
    "",
    "",
    "-s 404 ",
    "-s '200 403' ",
    "-t text/plain ",
    "-t 'text/html text/plain' -s 200 ",
  ])
  const headers = Array.from({ length: say.oneIn(3) ? 2 : 1 }, () => headerLine(say, moreNames, true))
  return `${when}${headers.join(" ")}`
}

function moreInput(say: Phrases): string {
  const when = say.pick(["", "", "", "-r "])
  return `${when}${headerLine(say, inputNames, false)}`
}

/** `"Name: value"`; without a value it is taken away. */
function headerLine(say: Phrases, names: readonly string[], inAnswer: boolean): string {
  const name = say.pick(names)
  if (say.oneIn(8)) return `"${name}${say.pick(["", ":", ": "])}"`
  return `"${name}: ${say.value(inAnswer).slice(1)}`
}

function cleared(say: Phrases, names: readonly string[]): string {
  return say.some([...names, "X-*", "x-a"], 1, 2)
}

/** A request that is not denied is tried without what the location sets, so that ingress-nginx itself does not serve it. */
function limited(say: Phrases): string {
  return `${say.pick(["GET", "GET POST", "POST", "HEAD"])} { deny all; }`
}

function errorPage(say: Phrases): string {
  const reply = say.pick(["", "", "=", "=200", "=404"])
  const to = say.pick(["/error", "/a/b", "/error?code=$status", "https://errors.test/$host"])
  return `${say.some(["403", "404", "410", "429", "500", "503"], 1, 2)} ${reply} ${to}`
}
