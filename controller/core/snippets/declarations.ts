import { dataBlocks } from "../../model/typed-directive.ts"
import type { Session } from "./scope.ts"
import type { Directive } from "./syntax.ts"
import { groupNamesOf } from "./variables.ts"

/**
 * Writes down which variables and names a text brings, wherever in it: nginx looks names up when it has read all.
 *
 * @param lost what is known to be refused
 */
export function declareIn(
  directives: readonly Directive[],
  session: Session,
  lost: ReadonlySet<Directive>,
): void {
  for (const directive of directives) {
    if (lost.has(directive)) continue
    declare(directive, session)
    const { name, block } = directive
    if (block !== undefined && !dataBlocks.has(name)) declareIn(block, session, lost)
  }
}

/** Whether it is there to bring a name. */
export function isDefinition({ name }: Directive): boolean {
  return variableOf.has(name) || zones.has(name) || name.endsWith("_cache_path")
}

const zones: ReadonlySet<string> = new Set(["limit_req_zone", "limit_conn_zone"])

function declare({ name, words, block = [] }: Directive, session: Session): void {
  const [first = "", second = ""] = words
  const variable = variableOf.get(name)?.(first, second)
  if (variable !== undefined) addVariable(variable, session)
  if (name === "valid_referers") addVariable("$invalid_referer", session)
  if (withPatterns.has(name)) for (const word of words) addGroups(word, session)
  if (name === "map") for (const line of block) addGroups(line.name, session)
  if (name === "limit_req_zone") addZone(words, session.requestZones)
  if (name === "limit_conn_zone") addZone(words, session.connectionZones)
  if (name.endsWith("_cache_path")) addZone(words, session.cacheZones)
  if (name === "upstream") session.upstreams.add(first)
  if (name === "log_format") session.logFormats.add(first)
}

const withPatterns: ReadonlySet<string> = new Set([
  ...["if", "rewrite", "location", "server_name"],
  ...["proxy_redirect", "proxy_cookie_domain", "proxy_cookie_path", "proxy_cookie_flags"],
])

const variableOf: ReadonlyMap<string, (first: string, second: string) => string> = new Map([
  ["set", (first) => first],
  ["auth_request_set", (first) => first],
  ["map", (_, second) => second],
  ["split_clients", (_, second) => second],
  ["geo", (first, second) => (second === "" ? first : second)],
])

function addVariable(word: string, { variables }: Session): void {
  if (/^\$\w+$/.test(word)) variables.add(word.slice(1).toLowerCase())
}

function addGroups(pattern: string, { variables }: Session): void {
  for (const name of groupNamesOf(pattern)) variables.add(name)
}

function addZone(words: readonly string[], zones: Set<string>): void {
  for (const word of words) {
    const [, name] = /^(?:keys_)?zone=([-\w.]+):/.exec(word) ?? []
    if (name !== undefined) zones.add(name)
  }
}
