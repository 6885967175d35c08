import type { InputHeader, ResponseHeader } from "../../../model/route-records.ts"
import { shown } from "../../../model/shown.ts"
import { type Session, unknownVariable } from "../scope.ts"
import { headerName, template } from "../values.ts"
import { append, type Effect, refusal } from "./effect.ts"

// The module headers-more, which the reference loads. Source: headers-more, "Directives", and ngx_http_headers_more_parse_header.

interface Header {
  readonly name: string
  readonly value: string
}

/** What the words of a directive say. */
interface Said {
  readonly headers: readonly Header[]
  readonly statuses: readonly number[]
  readonly types: readonly string[]
  readonly options: ReadonlySet<string>
}

function read(words: readonly string[], op: "set" | "clear", session: Session): Said | string {
  const sorted = sortedWords(words)
  if (typeof sorted === "string") return sorted
  if (sorted.headers.length === 0) return "it names no header"
  const statuses = sorted.statuses.map(Number)
  if (!statuses.every((it) => Number.isInteger(it) && it >= 100 && it <= 999))
    return "invalid digit in status code list"
  const headers = sorted.headers.map((word) => headerIn(word, op === "clear", session))
  const fault = headers.find((it) => typeof it === "string")
  if (fault !== undefined) return fault
  const known = headers.filter((it) => typeof it !== "string" && it !== nobodys) as readonly Header[]
  return { ...sorted, statuses, headers: known }
}

/** Options are single letters, and `-t` and `-s` have a list behind them. */
function sortedWords(words: readonly string[]) {
  const headers: string[] = []
  const statuses: string[] = []
  const types: string[] = []
  const options = new Set<string>()
  const lists = new Map([
    ["-s", statuses],
    ["-t", types],
  ])
  const rest = words.values()
  for (const word of rest) {
    const list = lists.get(word)
    if (list !== undefined) {
      const items = rest.next().value
      if (items === undefined) return `option ${shown(word)} has nothing behind it`
      list.push(...items.split(/\s+/).filter((it) => it !== ""))
    } else if (/^-[ar]$/.test(word)) options.add(word)
    else if (/^-.$/.test(word)) return `invalid option name: ${shown(word)}`
    else headers.push(word)
  }
  return { headers, statuses, types, options }
}

/** What no header is called cannot be taken away. */
const nobodys: Header = { name: "", value: "" }

/** Without a value a header is taken away, as in `more_set_headers A "b; c"`, which names two. */
function headerIn(word: string, mayEndInStar: boolean, session: Session): Header | string {
  const [, key = "", rest = ""] = /^([^:]*)(?::[ \t]*(.*))?$/s.exec(word) ?? []
  const name = key.trim()
  if (mayEndInStar && name === "*") return "wildcard key too short: *"
  const parsedName = headerName(mayEndInStar ? name.replace(/\*$/, "") : name)
  if (typeof parsedName === "string") return rest === "" && name !== "" ? nobodys : parsedName
  const value = template(rest)
  if (typeof value === "string") return value
  return unknownVariable(session, value.variables ?? []) ?? { name, value: value.text }
}

function ofResponses(op: "set" | "clear"): Effect {
  return (_, scope, { words }) => {
    const said = read(words, op, scope.session)
    if (typeof said === "string") return refusal(said)
    const { headers, statuses, types, options } = said
    if (options.has("-r")) return refusal('invalid option name: "-r"')
    const conditions = { ...(statuses.length > 0 && { statuses }), ...(types.length > 0 && { types }) }
    const real: ResponseHeader["op"] = op === "set" && options.has("-a") ? "append" : op
    const lines = headers.map(({ name, value }): ResponseHeader => {
      return { op: real, name, ...(op === "set" && { value }), ...conditions }
    })
    append(scope, "responseHeaders", ...lines)
    return "data"
  }
}

function ofRequests(op: "set" | "clear"): Effect {
  return (_, scope, { words }) => {
    const said = read(words, op, scope.session)
    if (typeof said === "string") return refusal(said)
    const { headers, statuses, types, options } = said
    const wrong = statuses.length > 0 ? "-s" : options.has("-a") ? "-a" : undefined
    if (wrong !== undefined) return refusal(`invalid option name: "${wrong}"`)
    const replaces = op === "set" && options.has("-r")
    const lines = headers.map(({ name, value }): InputHeader => {
      return {
        ...{ op, name, ...(op === "set" && { value }), ...(replaces && { replaces }) },
        ...(types.length > 0 && { types }),
      }
    })
    append(scope, "inputHeaders", ...lines)
    return "data"
  }
}

export const moreHeaders: Readonly<Record<string, Effect>> = {
  more_set_headers: ofResponses("set"),
  more_clear_headers: ofResponses("clear"),
  more_set_input_headers: ofRequests("set"),
  more_clear_input_headers: ofRequests("clear"),
}
