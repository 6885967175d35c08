import type { InputHeader, Level, ResponseHeader } from "../../../model/route-records.ts"
import { shown } from "../../../model/shown.ts"
import { type Scope, type Session, unknownVariable } from "../scope.ts"
import { headerName, template } from "../values.ts"
import { type Effect, type Outcome, refusal } from "./effect.ts"
import { isReserved } from "./reserved.ts"

// Headers of responses and of requests.

type ListOf<K extends keyof Level> = NonNullable<Level[K]> extends readonly (infer T)[] ? T : never

export function append<
  K extends "responseHeaders" | "inputHeaders" | "hides" | "passes" | "errorPages" | "authVariables",
>({ level }: Scope, key: K, ...items: ListOf<K>[]): void {
  const list = (level[key] ?? []) as readonly ListOf<K>[]
  Object.assign(level, { [key]: [...list, ...items] })
}

const addHeader: Effect = ([name = "", value = "", always], scope) => {
  append(scope, "responseHeaders", {
    op: "add",
    name,
    value,
    ...(always !== undefined && { always: true }),
  })
  return "data"
}

const authVariable: Effect = ([variable = "", value = ""], scope) => {
  if (isReserved(variable.slice(1)))
    return refusal(`${variable} says what serves the request, and is not changed`)
  append(scope, "authVariables", { name: variable.slice(1), value })
  return "data"
}

/** What the words of headers-more say: options are single letters, and `-t` and `-s` have a list behind them. */
interface MoreHeaders {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly statuses: readonly number[]
  readonly types: readonly string[]
  readonly options: ReadonlySet<string>
}

/** Source: headers-more, "Directives", and ngx_http_headers_more_parse_header. */
function readMore(words: readonly string[], mayEndInStar: boolean, session: Session): MoreHeaders | string {
  const headers: { name: string; value: string }[] = []
  const lists: Record<string, string[]> = { "-t": [], "-s": [] }
  const options = new Set<string>()
  let names = 0
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ""
    const list = lists[word]
    if (list !== undefined) {
      at += 1
      if (words[at] === undefined) return `option ${shown(word)} has nothing behind it`
      list.push(...(words[at] ?? "").split(/\s+/).filter((it) => it !== ""))
    } else if (/^-[ar]$/.test(word)) options.add(word)
    else if (/^-.$/.test(word)) return `invalid option name: ${shown(word)}`
    else {
      const header = headerIn(word, mayEndInStar, session)
      if (typeof header === "string") return header
      names += 1
      if (header !== nobodys) headers.push(header)
    }
  }
  const statuses = (lists["-s"] ?? []).map(Number)
  if (!statuses.every((it) => Number.isInteger(it) && it >= 100 && it <= 999))
    return "invalid digit in status code list"
  if (names === 0) return "it names no header"
  return { headers, statuses, types: lists["-t"] ?? [], options }
}

/** What no header is called cannot be taken away. */
const nobodys = { name: "", value: "" } as const

/** Without a value a header is taken away, as in `more_set_headers A "b; c"`, which names two. */
function headerIn(
  word: string,
  mayEndInStar: boolean,
  session: Session,
): { readonly name: string; readonly value: string } | string {
  const [, key = "", rest = ""] = /^([^:]*)(?::[ \t]*(.*))?$/s.exec(word) ?? []
  const name = key.trim()
  if (mayEndInStar && name === "*") return "wildcard key too short: *"
  const parsedName = headerName(mayEndInStar ? name.replace(/\*$/, "") : name)
  if (typeof parsedName === "string") return rest === "" && name !== "" ? nobodys : parsedName
  const value = template(rest)
  if (typeof value === "string") return value
  return unknownVariable(session, value.variables ?? []) ?? { name, value: value.text }
}

function more(op: "set" | "clear"): Effect {
  return (_, scope, { words }) => {
    const read = readMore(words, op === "clear", scope.session)
    if (typeof read === "string") return refusal(read)
    if (read.options.has("-r")) return refusal('invalid option name: "-r"')
    const conditions = {
      ...(read.statuses.length > 0 && { statuses: read.statuses }),
      ...(read.types.length > 0 && { types: read.types }),
    }
    const real: ResponseHeader["op"] = op === "set" && read.options.has("-a") ? "append" : op
    append(
      scope,
      "responseHeaders",
      ...read.headers.map(({ name, value }) => ({
        op: real,
        name,
        ...(op === "set" && { value }),
        ...conditions,
      })),
    )
    return "data"
  }
}

function moreInput(op: "set" | "clear"): Effect {
  return (_, scope, { words }) => {
    const read = readMore(words, op === "clear", scope.session)
    if (typeof read === "string") return refusal(read)
    if (read.types.length > 0 || read.statuses.length > 0 || read.options.has("-a"))
      return refusal("its options -t, -s and -a are not known here", "an if with $content_type")
    append(
      scope,
      "inputHeaders",
      ...read.headers.map(({ name, value }): InputHeader => {
        const replaces = op === "set" && read.options.has("-r")
        return { op, name, ...(op === "set" && { value }), ...(replaces && { replaces }) }
      }),
    )
    return "data"
  }
}

function list(key: "hides" | "passes"): Effect {
  return ([name = ""], scope): Outcome => {
    append(scope, key, name)
    return "data"
  }
}

/** What the client asks for, of which versions of HTTP are taken away, or another protocol. */
function isUpgrade(value: string): boolean {
  return value === "$http_upgrade" || /^[\w./ ,-]*$/.test(value.replaceAll(/\b(h2c?|http|tls)\b/gi, "$"))
}

export const headers: Readonly<Record<string, Effect>> = {
  add_header: addHeader,
  auth_request_set: authVariable,
  more_set_headers: more("set"),
  more_clear_headers: more("clear"),
  more_set_input_headers: moreInput("set"),
  more_clear_input_headers: moreInput("clear"),
  proxy_set_header: ([name = "", value = ""], scope) => {
    if (/^upgrade$/i.test(name) && !isUpgrade(value))
      return refusal("HTTP/2 behind an upgrade is past all checks", "proxy_set_header Upgrade $http_upgrade")
    scope.headers.http.push({ name, value })
    return "data"
  },
  grpc_set_header: ([name = "", value = ""], scope) => {
    scope.headers.grpc.push({ name, value })
    return "data"
  },
  fastcgi_param: ([name = "", value = ""], scope) => {
    scope.headers.fastcgi.push({ name, value })
    return "data"
  },
  ...Object.fromEntries(
    ["proxy", "grpc", "fastcgi"].flatMap((it) => [
      [`${it}_hide_header`, list("hides")],
      [`${it}_pass_header`, list("passes")],
    ]),
  ),
}
