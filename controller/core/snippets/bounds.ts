import type { Scope } from "./scope.ts"

/** What a record takes: docs/wire.md, SCRIPT, LEVEL and ACCESS. */
const most = { steps: 256, levels: 64, items: 256, rules: 1024 }

/** Leaves out, and closes, what is more than a record takes. */
export function keepBounds(scope: Scope): void {
  for (const inner of scope.inner) keepBounds(inner)
  const { first, steps, referers, ifs, access } = scope
  // a referer is up to four steps, and before them all there is one
  const isLong =
    first.length + steps.length + 4 * referers.length + 1 > most.steps ||
    ifs.length >= most.levels ||
    (access.rules?.length ?? 0) > most.rules ||
    [scope, ...ifs.map((it) => it.scope)].some(hasLongList)
  if (!isLong) return
  Object.assign(scope, { isClosed: true, access: {} })
  for (const list of [first, steps, referers, ifs]) list.length = 0
  const reason = `a location may have ${most.steps} steps, ${most.levels} ifs, ${most.rules} rules and ${most.items} headers`
  scope.session.refused.push({ line: 1, column: 1, directive: "", reason, mayGuard: true })
}

function hasLongList({ level, headers }: Scope): boolean {
  const lists = [...Object.values(level), ...Object.values(headers)]
  return lists.some((it) => Array.isArray(it) && it.length > most.items)
}
