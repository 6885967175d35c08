import { shown } from "../../../model/shown.ts"
import type { Step } from "../records.ts"
import { pattern } from "../values.ts"

// `valid_referers` as steps that set `$invalid_referer`: nginx works it out from the request's own header, which no step changes.

const subject = "$http_referer"

/** Source: nginx, ngx_http_referer_variable: what is shorter than http://i.ru, or has another scheme, is `blocked`. */
const unblocked = "^(?:https?://).{4}"

/**
 * @param words of all directives of the level
 * @returns a string: why nginx would not take them
 */
export function refererSteps(words: readonly string[]): readonly Step[] | string {
  const named = words.filter((it) => it !== "none" && it !== "blocked")
  const patterns = named.map(patternOf)
  const fault = patterns.find((it) => it.fault !== undefined)?.fault
  if (fault !== undefined) return fault
  // without names the list is empty, and everything is valid: ngx_http_referer_variable asks for names first
  if (named.length === 0) return [{ op: "set", name: "invalid_referer", value: "" }]
  return [
    { op: "set", name: "invalid_referer", value: "1" },
    ...(words.includes("none") ? valid({ test: "equal", against: "" }) : []),
    ...(words.includes("blocked") ? blocked() : []),
    ...patterns.flatMap(({ text = "" }) => valid({ test: "match_any_case", pattern: text })),
  ]
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

function patternOf(word: string): { readonly text?: string; readonly fault?: string } {
  if (word.startsWith("~")) {
    const parsed = pattern(word.slice(1))
    if (typeof parsed === "string") return { fault: parsed }
    // nginx compares with what stands behind the scheme
    return { text: `^https?://(?=.{4})${anchored(parsed.text)}` }
  }
  // the names of a host's server block are those of the host that was asked for, which is the only one a request of it can have
  if (word === "server_names")
    return { fault: 'the names of the server are not known here, write the host instead of "server_names"' }
  if (!/^(\*?\.)?[\w-]+(\.[\w-]+)*(\.\*)?(\/\S*)?$/.test(word))
    return { fault: `invalid server name ${shown(word)}` }
  const slash = word.indexOf("/")
  const [host, uri] = slash < 0 ? [word, ""] : [word.slice(0, slash), word.slice(slash)]
  return { text: `^https?://(?=.{4})${hostPattern(host)}(?::[^/]*)?${uri === "" ? "(?:/|$)" : escaped(uri)}` }
}

/** A pattern may match anywhere behind the scheme, if it does not say where. */
function anchored(text: string): string {
  return text.startsWith("^") ? `(?:${text.slice(1)})` : `.*(?:${text})`
}

/** `*.name` and `name.*` have one or more labels there, `.name` none as well. */
function hostPattern(host: string): string {
  if (host.startsWith("*.")) return `[^/:]+\\.${escaped(host.slice(2))}`
  if (host.startsWith(".")) return `(?:[^/:]+\\.)?${escaped(host.slice(1))}`
  if (host.endsWith(".*")) return `${escaped(host.slice(0, -2))}\\.[^/:]+`
  return escaped(host)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&")
}
