import type { Reader } from "../reader.ts"
import { type ExternalAuthFilter, readExternalAuth, readHeaderNames } from "./filter-auth.ts"
import { methods } from "./http-match.ts"
import { isPreciseHostname, readHostname, readNumber, readToken, readValue } from "./names.ts"
import { type BackendRef, readBackendObject } from "./references.ts"

/** What is done to a request or its response. `unsupported`: a type that is not known here. */
export type RouteFilter =
  | { readonly type: "RequestHeaderModifier" | "ResponseHeaderModifier"; readonly edits: HeaderEdits }
  | { readonly type: "RequestMirror"; readonly mirror: MirrorFilter }
  | { readonly type: "RequestRedirect"; readonly redirect: RedirectFilter }
  | { readonly type: "URLRewrite"; readonly rewrite: RewriteFilter }
  | { readonly type: "CORS"; readonly cors: CorsFilter }
  | { readonly type: "ExternalAuth"; readonly auth: ExternalAuthFilter }
  | { readonly type: "unsupported"; readonly name: string }

interface HeaderEdits {
  readonly set: readonly NamedValue[]
  readonly add: readonly NamedValue[]
  readonly remove: readonly string[]
}

interface NamedValue {
  readonly name: string
  readonly value: string
}

interface MirrorFilter {
  readonly backend: Omit<BackendRef, "weight">
  /** of `denominator` requests so many are copied */
  readonly numerator: number
  readonly denominator: number
}

interface RedirectFilter {
  /** "": as it was asked for, as in the next one */
  readonly scheme: "" | "http" | "https"
  readonly hostname: string
  readonly path?: PathModifier
  readonly port?: number
  readonly code: number
}

interface RewriteFilter {
  /** "": as it was asked for */
  readonly hostname: string
  readonly path?: PathModifier
}

/** What takes the place of the path: of all of it, or of what the rule's prefix matches. */
export interface PathModifier {
  readonly replaces: "path" | "prefix"
  readonly value: string
}

/** What browsers are told of other origins. */
interface CorsFilter {
  readonly origins: readonly string[]
  readonly allowsCredentials: boolean
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly exposedHeaders: readonly string[]
  readonly maxAgeSeconds: number
}

type Read = (at: Reader, namespace: string) => RouteFilter | undefined

/** Which field belongs to which type, and how it is read. */
const readings: Readonly<Record<string, { readonly field: string; readonly read: Read }>> = {
  RequestHeaderModifier: {
    field: "requestHeaderModifier",
    read: (at) => withType("RequestHeaderModifier", at),
  },
  ResponseHeaderModifier: {
    field: "responseHeaderModifier",
    read: (at) => withType("ResponseHeaderModifier", at),
  },
  RequestMirror: { field: "requestMirror", read: readMirror },
  RequestRedirect: { field: "requestRedirect", read: readRedirect },
  URLRewrite: { field: "urlRewrite", read: readRewrite },
  CORS: { field: "cors", read: readCors },
  ExternalAuth: {
    field: "externalAuth",
    read: (at, namespace) => {
      const auth = readExternalAuth(at, namespace)
      return auth && { type: "ExternalAuth", auth }
    },
  },
}

/** The filters of a rule or a backend: each type once, but for mirrors. */
export function readFilters(at: Reader, namespace: string): readonly RouteFilter[] {
  const filters = at.every("filters", (filter) => readFilter(filter, namespace))
  const once = filters.filter(({ type }) => type !== "RequestMirror" && type !== "unsupported")
  const twice = once.find(({ type }, index) => once.findIndex((other) => other.type === type) !== index)
  if (twice !== undefined) at.refuse("filters", "filter-twice", `has two of type ${twice.type}: merge them`)
  const types = filters.map(({ type }) => type)
  if (types.includes("RequestRedirect") && types.includes("URLRewrite"))
    at.refuse("filters", "filter-twice", "has RequestRedirect and URLRewrite: write one of them")
  return filters
}

function readFilter(at: Reader, namespace: string): RouteFilter | undefined {
  const type = at.requiredText("type")
  const reading = Object.hasOwn(readings, type) ? readings[type] : undefined
  if (reading === undefined) return at.accepted({ type: "unsupported", name: type })
  const filter = at.required(reading.field, (part) => reading.read(part, namespace))
  return filter && at.accepted(filter)
}

function withType(
  type: "RequestHeaderModifier" | "ResponseHeaderModifier",
  at: Reader,
): RouteFilter | undefined {
  return at.accepted({
    type,
    edits: {
      set: at.every("set", readNamedValue),
      add: at.every("add", readNamedValue),
      remove: readHeaderNames(at, "remove"),
    },
  })
}

function readNamedValue(at: Reader): NamedValue | undefined {
  return at.accepted({ name: readToken(at, "name"), value: readValue(at, "value") })
}

function readMirror(at: Reader, namespace: string): RouteFilter | undefined {
  const backend = at.required("backendRef", (ref) => readBackendObject(ref, namespace))
  const percent = readNumber(at, "percent", 0, 100)
  const fraction = at.expected("fraction", readFraction)
  if (percent !== undefined && fraction !== undefined)
    at.refuse("fraction", "filter-twice", "excludes percent: write one of them")
  const part = fraction ?? { numerator: percent ?? 100, denominator: 100 }
  return backend && at.accepted({ type: "RequestMirror", mirror: { backend, ...part } })
}

function readFraction(at: Reader) {
  const numerator = readNumber(at, "numerator", 0, 2_147_483_647) ?? 0
  const denominator = readNumber(at, "denominator", 1, 2_147_483_647) ?? 100
  if (numerator > denominator) at.refuse("numerator", "type-wrong", "has to be at most the denominator")
  return at.accepted({ numerator, denominator })
}

function readRedirect(at: Reader): RouteFilter | undefined {
  const scheme = at.oneOf("scheme", ["", "http", "https"], "")
  const path = at.expected("path", readPathModifier)
  const port = at.port("port")
  const code = at.raw("statusCode") ?? 302
  if (typeof code !== "number" || ![301, 302, 303, 307, 308].includes(code))
    at.refuse("statusCode", "type-wrong", "has to be 301, 302, 303, 307 or 308")
  return at.accepted({
    type: "RequestRedirect",
    redirect: {
      ...{ scheme, hostname: readHostname(at, "hostname", isPreciseHostname), code: Number(code) },
      ...(path && { path }),
      ...(port !== undefined && { port }),
    },
  })
}

function readRewrite(at: Reader): RouteFilter | undefined {
  const path = at.expected("path", readPathModifier)
  const hostname = readHostname(at, "hostname", isPreciseHostname)
  return at.accepted({ type: "URLRewrite", rewrite: { hostname, ...(path && { path }) } })
}

function readPathModifier(at: Reader): PathModifier | undefined {
  const type = at.oneOf("type", ["ReplaceFullPath", "ReplacePrefixMatch"], "ReplaceFullPath")
  const isWhole = type === "ReplaceFullPath"
  const field = isWhole ? "replaceFullPath" : "replacePrefixMatch"
  if (!at.has(field)) at.refuse(field, "field-missing", "is missing")
  const value = at.text(field)
  if (value.length > 1024 || !/^[\x21-\x7e]*$/.test(value) || /[#?]/.test(value))
    at.refuse(field, "path-refused", "has to be a path as clients write it")
  return at.accepted({ replaces: isWhole ? "path" : "prefix", value })
}

const origin = /^(\*|null|[a-zA-Z][a-zA-Z0-9+.-]*:\/\/(\*|[-a-zA-Z0-9.*_~[\]:]+))$/

function readCors(at: Reader): RouteFilter | undefined {
  const cors: CorsFilter = {
    origins: at.everyText("allowOrigins", (text) =>
      origin.test(text) ? undefined : { code: "text-bad", state: "has to be * or a scheme and a host" },
    ),
    allowsCredentials: at.boolean("allowCredentials", false),
    methods: at.everyText("allowMethods", (text) =>
      text === "*" || methods.includes(text)
        ? undefined
        : { code: "type-wrong", state: `has to be * or ${methods.join(" or ")}` },
    ),
    headers: readHeaderNames(at, "allowHeaders"),
    exposedHeaders: readHeaderNames(at, "exposeHeaders"),
    maxAgeSeconds: readNumber(at, "maxAge", 1, 2_147_483_647) ?? 5,
  }
  return at.accepted({ type: "CORS", cors })
}
