import { isRecord } from "../../../controller/model/objects/reader.ts"
import { hostOf, type Logged, placeOf } from "./logged.ts"

// Lines of access logs: nginx's format "combined", ingress-nginx's own, which is longer, and objects of JSON with the names that people give to
// nginx's variables there.

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`
/** $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" and the rest */
const combined = new RegExp(
  String.raw`^\S+ \S+ [^\["]*\[[^\]]*\] ${quoted} \d{3} (?:\d+|-)(?: ${quoted} ${quoted}(.*))?$`,
)
/** $request_length $request_time [$proxy_upstream_name] … */
const ofIngressNginx = /^ \d+ [\d.]+ \[([^\]]*)\]/

/** @returns undefined for what is no request, and for lines of other formats */
export function parseLogLine(line: string): Logged | undefined {
  const text = line.trim()
  return text.startsWith("{") ? fromJson(text) : fromCombined(text)
}

function fromCombined(text: string): Logged | undefined {
  const [, request, , , rest = ""] = combined.exec(text) ?? []
  const found = request === undefined ? undefined : requestLine(unescaped(request))
  const backend = ofIngressNginx.exec(rest)?.[1]
  return found && { ...found, ...(backend && backend !== "-" && { backend }) }
}

/** `GET /path HTTP/1.1`. nginx refuses a path with a blank. */
function requestLine(text: string): Logged | undefined {
  const [, method, target = ""] = /^([A-Z]{1,20}) (\S+)(?: HTTP\/[\d.]+)?$/.exec(text) ?? []
  const place = placeOf(target)
  return method === undefined || place === undefined ? undefined : { method, ...place }
}

/** nginx writes quotes, backslashes and what is not printable as `\xHH`. */
function unescaped(text: string): string {
  return text.replace(/\\x([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

const names = {
  request: ["request", "request_line"],
  method: ["request_method", "method", "http_method", "verb"],
  target: ["request_uri", "uri", "url", "path", "http_path"],
  query: ["request_query", "query", "args", "query_string"],
  host: ["host", "vhost", "http_host", "server_name", "domain", "authority", "request_host"],
  scheme: ["scheme", "request_scheme", "proto", "protocol", "x_forwarded_proto", "http_x_forwarded_proto"],
  backend: ["proxy_upstream_name", "upstream_name", "proxyupstreamname"],
} as const

function fromJson(text: string): Logged | undefined {
  const fields = fieldsOf(text)
  if (fields === undefined) return undefined
  const one = (what: keyof typeof names) =>
    names[what].map((name) => fields.get(name) ?? "").find((value) => value !== "" && value !== "-") ?? ""
  const line = requestLine(one("request"))
  const target = placeOf(withQuery(one("target"), one("query")))
  const found = line ?? (target && { method: one("method").toUpperCase() || "GET", ...target })
  const [host, scheme, backend] = [hostOf(one("host")), one("scheme").toLowerCase(), one("backend")]
  return (
    found && {
      ...found,
      ...(host !== undefined && { host }),
      ...((scheme === "http" || scheme === "https") && { scheme }),
      ...(backend !== "" && { backend }),
    }
  )
}

function withQuery(target: string, query: string): string {
  return query === "" || target === "" || target.includes("?")
    ? target
    : `${target}?${query.replace(/^\?/, "")}`
}

/** By names in lower case without what is not a letter, a digit or a line below; what is written inside an object counts as well. */
function fieldsOf(text: string): ReadonlyMap<string, string> | undefined {
  const value = parsed(text)
  if (!isRecord(value)) return undefined
  const inner = Object.values(value).filter(isRecord)
  const entries = [...inner, value].flatMap((record) => Object.entries(record))
  return new Map(
    entries.flatMap(([name, field]) =>
      typeof field === "string" ? [[name.toLowerCase().replace(/[^a-z0-9]+/g, "_"), field]] : [],
    ),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
