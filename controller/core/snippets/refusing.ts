import type { Refusal } from "./compiled.ts"
import type { Refused } from "./effects/effect.ts"
import { isElsewhere } from "./guards.ts"
import { isHarmless, type SnippetPlace } from "./harmless.ts"
import type { Scope } from "./scope.ts"
import type { Directive } from "./syntax.ts"

// What is not in force, and whether requests may get in for want of it.

/** What stands in a location of the snippet's own guards nothing but that. */
export function refuse(directive: Directive, scope: Scope, outcome: Refused): void {
  const refusal = refusalOf(directive, scope, outcome)
  const isInside = scope.location !== undefined
  if (refusal.mayGuard && isInside) scope.isClosed = true
  scope.session.refused.push({ ...refusal, mayGuard: refusal.mayGuard && !isInside })
}

export function refusalOf(directive: Directive, scope: Scope, { refused, instead }: Refused): Refusal {
  return {
    line: directive.line,
    column: directive.column,
    directive: directive.name,
    reason: refused,
    ...(instead !== undefined && { instead }),
    mayGuard: mayGuard(directive, scope),
  }
}

function mayGuard(directive: Directive, { session, context }: Scope): boolean {
  const { place } = session
  if (place === "main" || place === "stream") return false
  if (directive.name === "server" && place === "http")
    return !isElsewhere(directive, place, session.options.ports)
  const where: SnippetPlace =
    context === "http" || context === "server" ? context : place === "auth" ? "auth" : "location"
  return !isHarmless(directive.name, where, directive.block !== undefined)
}
