import { shown } from "../../../model/shown.ts"
import { checkHost, isLabel } from "../../../support/host-name.ts"
import { accepted, type Parsed, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"

/** Which hosts Ingresses may have: patterns by namespace; `*` is every namespace that is not named. */
export interface HostRules {
  readonly [namespace: string]: readonly string[]
}

/** Nobody may have any. */
export const noHosts: HostRules = { "*": [] }

/** `shop: shop.test *.shop.test; *: *.apps.test`; every rule may have a line of its own. */
export const hostRules: Syntax<HostRules | undefined> = {
  values:
    "`NAMESPACE: HOST HOST …`, several with semicolons or line breaks between them. The namespace `*` is every other one; the host `*.shop.test` is every name below `shop.test`, `*` is any host, and none",
  parse,
}

function parse(text: string): Parsed<HostRules | undefined> {
  if (text.trim() === "") return accepted(undefined)
  const rules: Record<string, readonly string[]> = {}
  for (const written of text.split(/[;\n]/)) {
    if (written.trim() === "") continue
    const [namespace = "", hosts] = written.split(":", 2).map((part) => part.trim())
    if (hosts === undefined) return refused("write NAMESPACE: HOST HOST")
    if (namespace !== "*" && !isLabel(namespace)) return refused(`${shown(namespace)} is no namespace`)
    const patterns = hosts
      .toLowerCase()
      .split(/\s+/)
      .filter((host) => host !== "")
    const wrong = patterns.find((pattern) => pattern !== "*" && checkHost(pattern) !== undefined)
    if (wrong !== undefined) return refused(`${shown(wrong)} is no host`)
    rules[namespace] = [...(rules[namespace] ?? []), ...patterns]
  }
  return accepted(rules)
}

/**
 * Whether the rules let a namespace have a host. Without a rule for it, everything.
 *
 * @param host lower-case, `*.` in front of a wildcard; "" for every other host
 */
export function mayHave(rules: HostRules | undefined, namespace: string, host: string): boolean {
  const patterns = patternsOf(rules, namespace)
  return patterns === undefined || patterns.some((pattern) => covers(pattern, host))
}

/** Those of a namespace; undefined: no rule is about it. */
export function patternsOf(rules: HostRules | undefined, namespace: string): readonly string[] | undefined {
  if (rules === undefined) return undefined
  return Object.hasOwn(rules, namespace) ? rules[namespace] : rules["*"]
}

function covers(pattern: string, host: string): boolean {
  if (pattern === "*" || pattern === host) return true
  return pattern.startsWith("*.") && host.endsWith(pattern.slice(1)) && host.length >= pattern.length
}
