import type { IngressPath } from "../../controller/model/objects/ingress.ts"
import type { Json } from "./conversion.ts"

/** A path as a route matches it. */
export interface PathMatch {
  readonly type: "Exact" | "PathPrefix" | "RegularExpression"
  readonly value: string
}

/** What becomes of a path: how it is matched, and which path the backend sees. */
export interface ConvertedPath {
  readonly match: PathMatch
  /** value of `urlRewrite.path`; absent: the path stays */
  readonly rewrite?: Json
}

/** A path that cannot be had, with the reason: a sentence without its dot. */
export interface Unconverted {
  readonly because: string
}

const maxCharacters = 1024

/** @param isPattern the paths of its host are regular expressions @param target of `rewrite-target`; "" for none */
export function convertPath(
  { path: written, pathType }: Pick<IngressPath, "path" | "pathType">,
  isPattern: boolean,
  target: string,
): ConvertedPath | Unconverted {
  const path = written === "" ? "/" : written
  const literal = literalBeginning(path)
  if (isPattern && pathType !== "Exact" && literal === undefined) return ofPattern(path, target)
  const type = pathType === "Exact" ? "Exact" : "PathPrefix"
  const match = checked({ type, value: encoded(path) })
  if (target === "" || target === path || "because" in match) return match
  return target.includes("$") ? withoutGroups(target) : { ...match, rewrite: fullPath(target) }
}

/** For wick, which matches patterns as those of Ingresses, and puts another path in place by the annotation. */
export function keptPath(
  { path: written, pathType }: Pick<IngressPath, "path" | "pathType">,
  isPattern: boolean,
): ConvertedPath | Unconverted {
  const path = written === "" ? "/" : written
  if (isPattern && pathType !== "Exact" && path !== "/")
    return checked({ type: "RegularExpression", value: path })
  return checked({ type: pathType === "Exact" ? "Exact" : "PathPrefix", value: encoded(path) })
}

/** Whether a pattern was served also where it ends within an element, and is not any more. Other paths never were. */
export function isNarrower({ path }: IngressPath, { type }: PathMatch, isPattern: boolean): boolean {
  if (!isPattern || type !== "PathPrefix" || path === "" || path === "/") return false
  return !path.endsWith("/") && !/\/\(|\(\/\|\$\)/.test(path)
}

function ofPattern(path: string, target: string): ConvertedPath | Unconverted {
  const [, beginning = "", tail] =
    /^(\/[^$()[\]*+?|\\^{}.]*?)(\(\/\|\$\)\(\.[*+]\)|\/\?\(\.[*+]\)|\/\(\.[*+]\)|\(\.[*+]\))\$?$/.exec(
      path,
    ) ?? []
  const last = tail?.startsWith("(/|$)") ? 2 : 1
  if (tail !== undefined && (target === "" || target.endsWith(`$${last}`))) {
    const match = checked({ type: "PathPrefix", value: encoded(beginning.replace(/(.)\/$/, "$1") || "/") })
    if ("because" in match || target === "") return match
    const front = target.slice(0, -2)
    if (!front.includes("$")) return { ...match, ...prefixRewrite(match.match.value, front, beginning) }
  }
  if (target !== "" && target.includes("$")) return withoutGroups(target)
  const match = checked({ type: "RegularExpression", value: wholePattern(path) })
  return "because" in match || target === "" ? match : { ...match, rewrite: fullPath(target) }
}

/** `/` in the place of `/` changes nothing. */
function prefixRewrite(value: string, front: string, beginning: string): Pick<ConvertedPath, "rewrite"> {
  const to = front.replace(/(.)\/$/, "$1") || "/"
  if (to === value || (value === "/" && `${beginning}` === front)) return {}
  return { rewrite: { type: "ReplacePrefixMatch", replacePrefixMatch: to } }
}

function fullPath(target: string): Json {
  return { type: "ReplaceFullPath", replaceFullPath: target.startsWith("/") ? target : `/${target}` }
}

function withoutGroups(target: string): Unconverted {
  return { because: `A rewrite cannot insert groups or variables as ${JSON.stringify(target)} does` }
}

/** nginx compares from the beginning and without regard to case, others the whole path. */
function wholePattern(path: string): string {
  return `(?i)${path.replace(/^\(\?i\)/, "")}${path.endsWith("$") ? "" : ".*"}`
}

/** A path that no regular expression makes anything else of. */
function literalBeginning(path: string): string | undefined {
  return /^[\w/~!@,;=:&%-]*$/.test(path) ? path : undefined
}

/** As the Gateway API wants paths to be. Source: the rules of its CustomResourceDefinitions. */
function checked(match: PathMatch): { readonly match: PathMatch } | Unconverted {
  const { type, value } = match
  if (value.length > maxCharacters) return { because: `The path is longer than ${maxCharacters} characters` }
  if (type === "RegularExpression") return { match }
  const isNormal = value.startsWith("/") && !/\/\/|\/\.{1,2}(?:\/|$)|%2f|#/i.test(value)
  return isNormal ? { match } : { because: "The path is none that a request has after it was normalised" }
}

function encoded(path: string): string {
  const text = encodeURI(path.toWellFormed()).replace(/[?#[\]]/g, encodeURIComponent)
  return text.replace(/%25([0-9a-f]{2})/gi, "%$1")
}
