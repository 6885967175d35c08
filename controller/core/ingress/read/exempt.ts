// Which paths of Ingresses lie in a location of a list. A path may be a regular expression, because of its own Ingress or of another one of its host, and
// `/health|/admin` begins with `/health` without lying there.

/** Whether everything that `path` finds, as a text or as a regular expression, begins with an item of `beginnings`. */
export function liesIn(beginnings: readonly string[], path: string): boolean {
  return beginnings.some(
    (beginning) => path.startsWith(beginning) && staysBelow(path.slice(beginning.length)),
  )
}

/** What stands behind a beginning neither makes a part of it optional nor offers another way. Source: PCRE, pcrepattern(3). */
function staysBelow(rest: string): boolean {
  if (/^[?*+{]/.test(rest)) return false
  return !rest.includes("|") || (isPlain(rest) && !hasOpenAlternative(rest))
}

/** Without classes, quoted texts, and groups that are more than groups: in those a bar, or a bracket, may mean something else. */
function isPlain(rest: string): boolean {
  return !/\[|\\[QE]|\(\?(?!:)|\(\*/.test(rest)
}

/** A bar outside of all groups divides the whole expression. */
function hasOpenAlternative(rest: string): boolean {
  let depth = 0
  for (const [token] of rest.matchAll(/\\.|[()|]/gs)) {
    if (token === "(") depth += 1
    if (token === ")") depth -= 1
    if (token === "|" && depth <= 0) return true
  }
  return false
}
