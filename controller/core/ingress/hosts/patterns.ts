// What of a path is certain before it is matched as a regular expression.

/**
 * What certainly stands at the beginning of all that a pattern matches, whatever the case of its letters; perhaps less than there is, "" when nothing
 * is certain. Source: PCRE2, pattern syntax; nginx/routes/src/patterns.rs does the same for what modules compare.
 */
export function literalBeginning(pattern: string): string {
  if (mayHaveBareAlternatives(pattern)) return ""
  const [literal = ""] = /^[-\w~/:,&=@]*/.exec(pattern) ?? []
  return mayBeginWithQuantifier(pattern.slice(literal.length)) ? literal.slice(0, -1) : literal
}

/** A quantifier that lets its character be absent, or what PCRE looks over when it looks for one: quotes, comments, settings. */
function mayBeginWithQuantifier(rest: string): boolean {
  return /^(?:[?*{]|\\[QE]|\(\*|\(\?[-#^A-Za-z])/.test(rest)
}

/** What makes parentheses hard to count: quotes, comments, verbs, callouts, classes with a bracket of their own. */
const hardToCount = /#|\\[QEc]|\(\*|\(\?C|\[\^?\]|\[[^\]]*\[/

/** What is no syntax of a pattern: `\(`, `[(|]` */
const escapesAndSets = /\\.|\[(?:\\.|[^[\]\\])*\]/gs

/** Whether there is, or could be, a `|` outside of groups. */
function mayHaveBareAlternatives(pattern: string): boolean {
  if (!pattern.includes("|")) return false
  if (hardToCount.test(pattern)) return true
  let depth = 0
  for (const character of pattern.replace(escapesAndSets, "")) {
    if (character === "(") depth += 1
    if (character === ")") depth -= 1
    if (character === "|" && depth <= 0) return true
  }
  return false
}
