import { isPattern } from "../../../model/route.ts"
import { compact } from "../../../support/compact.ts"
import { getOrMake } from "../../../support/maps.ts"
import { escaped } from "../../../support/pattern.ts"
import type { Rule } from "../../declared/rule.ts"
import type { ClientSide } from "../routes/actions.ts"
import type { BuiltRule } from "../routes/built-route.ts"
import { byPrecedence } from "../routes/precedence.ts"

/** Rules of routes that say the same of the host name, the most specific name first. */
export type Levels = readonly (readonly BuiltRule[])[]

/**
 * The rules of a host, in the order in which they are tried. The name that a route has written comes before all paths: a rule of a more specific name
 * serves also where another has a longer path. The data plane goes by the path, so for each such path there is a copy of the rule. It tries exact
 * paths, then patterns in their order, then prefixes: where that is not the order of names, rules become patterns.
 */
export function mergeRules(levels: Levels, side: ClientSide): MergedRules {
  const merged = new Merged(side)
  for (const level of levels) merged.addLevel(level.toSorted(byPrecedence))
  return { rules: compact(merged.rules), shadowed: compact(merged.shadowed) }
}

export interface MergedRules {
  readonly rules: readonly Rule[]
  readonly shadowed: readonly Shadowed[]
}

/** A rule that gets no requests of the name, as one of another route fits all that it fits. */
export interface Shadowed {
  readonly rule: Rule
  readonly by: Rule
}

class Merged {
  readonly rules: Rule[] = []
  readonly shadowed: Shadowed[] = []
  readonly #side: ClientSide
  /** those of higher levels, in order */
  #above: readonly Rule[] = []
  /** paths that a rule without conditions has */
  readonly #closed = new Set<string>()
  /** paths that have got the copies of a rule */
  readonly #copied = new Map<Rule, Set<string>>()
  /** prefixes that are tried as patterns, too */
  readonly #asPatterns = new Set<Rule>()

  constructor(side: ClientSide) {
    this.#side = side
  }

  addLevel(level: readonly BuiltRule[]): void {
    const own = this.#withoutShadowed(level.map((built) => built.on(this.#side)))
    this.#above = [...this.#above, ...own.filter((rule) => this.#addBelow(rule))]
  }

  /** @returns whether there are requests for it */
  #addBelow(rule: Rule): boolean {
    const hiding = this.#above.filter((above) => hides(above, rule))
    // One of them serves whatever is asked for there.
    if (hiding.some(({ conditions }) => conditions === undefined)) return false
    if (this.#comesTooEarly(rule)) {
      this.#addAsPattern(rule)
      return true
    }
    this.#copy(hiding, rule)
    this.#add(rule)
    return true
  }

  /** Whether the data plane would try it before a rule of a more specific name that may have the same path. */
  #comesTooEarly({ match }: Rule): boolean {
    if (match === "exact") return this.#above.some((above) => isPattern(above))
    return isPattern({ match }) && this.#above.some((above) => above.match === "prefix")
  }

  #addAsPattern(rule: Rule): void {
    for (const above of this.#above) {
      if (above.match !== "prefix" || this.#asPatterns.has(above)) continue
      this.#asPatterns.add(above)
      this.#add(asPattern(above))
    }
    this.#add(asPattern(rule))
  }

  /** Of those that fit the same requests the first serves. A route may say the same twice. */
  #withoutShadowed(all: readonly Rule[]): readonly Rule[] {
    if (all.length < 2) return all
    const first = new Map<string, Rule>()
    return all.filter((rule) => {
      const by = getOrMake(first, fitting(rule), () => rule)
      if (by !== rule && by.source !== rule.source) this.shadowed.push({ rule, by })
      return by === rule
    })
  }

  /** A rule behind one without conditions on the same path never serves. */
  #add(rule: Rule): void {
    const key = `${rule.match} ${rule.path}`
    if (this.#closed.has(key)) return
    if (rule.conditions === undefined) this.#closed.add(key)
    this.rules.push(rule)
  }

  /** What is more specific by its name comes before the rule on the rule's path. */
  #copy(hiding: readonly Rule[], rule: Rule): void {
    const key = `${rule.match} ${rule.path}`
    for (const above of hiding) {
      const paths = this.#copied.get(above) ?? new Set()
      this.#copied.set(above, paths)
      if (paths.has(key)) continue
      paths.add(key)
      this.#add(copyAt(above, rule))
    }
  }
}

/** The same of rules that fit the same requests. */
function fitting({ match, path, conditions }: Rule): string {
  return `${match} ${path} ${conditions === undefined ? "" : JSON.stringify(conditions)}`
}

/** The same requests by a pattern. */
function asPattern(rule: Rule): Rule {
  if (isPattern(rule)) return rule
  const end = rule.match === "exact" ? "\\z" : "(?:/|\\z)"
  const path = rule.path === "/" && rule.match === "prefix" ? "^/" : `^${escaped(rule.path)}${end}`
  return { ...rule, path, match: "pattern", locationPath: rule.path }
}

/** Whether every path of a rule is one of the other rule's, which is shorter. */
function hides(above: Rule, { path, match }: Rule): boolean {
  if (above.match !== "prefix") return false
  if (match !== "prefix" && match !== "exact") return above.path === "/"
  if (above.path === path) return match === "exact"
  return above.path === "/" || path.startsWith(`${above.path}/`)
}

/** What takes the place of the rule's path takes the place of its beginning there. */
function copyAt(above: Rule, { path, match }: Pick<Rule, "path" | "match">): Rule {
  const { actions } = above
  const rest = above.path === "/" ? path : path.slice(above.path.length)
  const moved = actions && {
    ...actions,
    ...(actions.rewrite?.path && {
      rewrite: { ...actions.rewrite, path: behind(actions.rewrite.path, rest) },
    }),
    ...(actions.redirect?.path && {
      redirect: { ...actions.redirect, path: behind(actions.redirect.path, rest) },
    }),
  }
  return { ...above, path, match, locationPath: above.path, ...(moved && { actions: moved }) }
}

type Replacement = NonNullable<NonNullable<NonNullable<Rule["actions"]>["rewrite"]>["path"]>

function behind(path: Replacement, rest: string): Replacement {
  return path.of === "all" ? path : { of: "prefix", by: `${path.by.replace(/\/$/, "")}${rest}` }
}
