import type { Step } from "../../../model/route-records.ts"
import { shown } from "../../../model/shown.ts"
import { escaped } from "../../../support/pattern.ts"
import { pattern } from "../values.ts"

// `valid_referers` as steps that set `$invalid_referer`: nginx works it out from the request's own header, which no step changes. An empty header is
// none here, where nginx calls it blocked.

const subject = "$http_referer"

/** Source: nginx, ngx_http_referer_variable: what is shorter than http://i.ru, or has another scheme, is `blocked`. */
const unblocked = "^(?:https?://).{4}"

/**
 * @param words of all directives of the level
 * @returns a string: why nginx would not take them
 */
export function refererSteps(words: readonly string[]): readonly Step[] | string {
  const named = words.filter((it) => !special.has(it))
  const patterns = named.map(patternOf)
  const fault = patterns.find((it) => it.fault !== undefined)?.fault
  if (fault !== undefined) return fault
  const hasOwn = words.includes("server_names")
  // patterns are no names for nginx: ngx_http_referer_merge_conf
  const hasNames = hasOwn || named.some((it) => !it.startsWith("~"))
  if (!hasNames && named.length < words.length) return '"none" and "blocked" stand beside no valid referer'
  return [
    { op: "set", name: "invalid_referer", value: "1" },
    ...(words.includes("none") ? valid({ test: "equal", against: "" }) : []),
    ...(words.includes("blocked") ? blocked() : []),
    ...(hasOwn ? ownName() : []),
    ...patterns.flatMap(({ text = "" }) => valid({ test: "match_any_case", pattern: text })),
  ]
}

/** The first host that stands twice, which nginx does not take, whatever the paths behind it. */
export function hostTwiceIn(words: readonly string[]): string | undefined {
  const hosts = words.filter((it) => !it.startsWith("~")).map((it) => it.replace(/\/.*/s, ""))
  return hosts.find((host, nth) => hosts.indexOf(host) !== nth)
}

function valid(test: Pick<Step, "test" | "against" | "pattern">): readonly Step[] {
  return [
    { op: "if", value: subject, ...test, skip: 1 },
    { op: "set", name: "invalid_referer", value: "" },
  ]
}

/** There is one, and it is none that could be looked up. */
function blocked(): readonly Step[] {
  return [
    { op: "if", value: subject, test: "mismatch_any_case", pattern: `^$|${unblocked}`, skip: 1 },
    { op: "set", name: "invalid_referer", value: "" },
  ]
}

/**
 * The names of the server that the request is for: the host that was asked for is one of them. Where there are more, as of an alias, a page of the one
 * may not lead to the other, which keeps out more than nginx does.
 */
function ownName(): readonly Step[] {
  const pattern = `^https?://(?=.{4})([^/:]+)(?::[^/]*)?(?:/|$)`
  return [
    { op: "if", value: subject, test: "match_any_case", pattern, skip: 3 },
    { op: "set", name: "wick_referer_host", value: "$1" },
    { op: "if", value: "$wick_referer_host", test: "equal", against: "$host", skip: 1 },
    { op: "set", name: "invalid_referer", value: "" },
  ]
}

const special: ReadonlySet<string> = new Set(["none", "blocked", "server_names"])

function patternOf(word: string): { readonly text?: string; readonly fault?: string } {
  if (word.startsWith("~")) {
    const parsed = pattern(word.slice(1))
    if (typeof parsed === "string") return { fault: parsed }
    // nginx compares with what stands behind the scheme
    return { text: `^https?://(?=.{4})${anchored(parsed.text)}` }
  }
  if (!/^(\*?\.)?[\w-]+(\.[\w-]+)*(\.\*)?(\/\S*)?$/.test(word))
    return { fault: `invalid server name ${shown(word)}` }
  const slash = word.indexOf("/")
  const [host, uri] = slash < 0 ? [word, ""] : [word.slice(0, slash), word.slice(slash)]
  return {
    text: `^https?://(?=.{4})${hostPattern(host)}(?::[^/]*)?${uri === "" ? "(?:/|$)" : `(?-i:${escaped(uri)})`}`,
  }
}

/** A pattern may match anywhere behind the scheme, if it does not say where. */
function anchored(text: string): string {
  return text.startsWith("^") ? `(?:${text.slice(1)})` : `.*(?:${text})`
}

/** `*.name` and `name.*` have one or more labels there, `.name` none as well. */
function hostPattern(host: string): string {
  if (host.startsWith("*.")) return `[^/:]*\\.${escaped(host.slice(2))}`
  if (host.startsWith(".")) return `(?:[^/:]*\\.)?${escaped(host.slice(1))}`
  if (host.endsWith(".*")) return `${escaped(host.slice(0, -2))}\\.[^/:]*`
  return escaped(host)
}
