import { byHost } from "../../model/host-name.ts"
import { changesBetween } from "../../support/incremental/changes.ts"
import type { DeclaredHost } from "../declared/host.ts"
import type { Rule } from "../declared/rule.ts"

/** What hosts have now and did not before, and the other way round: a rule once for each host. */
export interface RulesChange {
  readonly added: readonly Rule[]
  readonly removed: readonly Rule[]
}

/** @param before, after in the order of their hosts */
export function rulesChange(before: readonly DeclaredHost[], after: readonly DeclaredHost[]): RulesChange {
  const changes = changesBetween(before, after, byHost)
  return {
    added: changes.flatMap((host) => without(host.after, host.before)),
    removed: changes.flatMap((host) => without(host.before, host.after)),
  }
}

function without(host: DeclaredHost | undefined, other: DeclaredHost | undefined): readonly Rule[] {
  if (host === undefined) return []
  const others = new Set(other?.rules)
  return host.rules.filter((rule) => !others.has(rule))
}
