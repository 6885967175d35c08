/**
 * What keeps a pattern of PCRE from being one, as far as brackets tell: a phrase. libmodsecurity takes a rule whose pattern is none, and it never
 * matches. undefined: nothing was found.
 */
export function patternFault(pattern: string): string | undefined {
  // Texts between \Q and \E, and escaped characters, open and close nothing.
  const plain = pattern.replaceAll(/\\Q.*?(?:\\E|$)/gs, "x")
  let depth = 0
  for (let at = 0; at < plain.length; at++) {
    const character = plain[at]
    if (character === "\\") {
      at += 1
      if (at === plain.length) return "it ends with a backslash"
    } else if (character === "[") {
      const end = endOfClass(plain, at)
      if (end === undefined) return "a class of characters has no end"
      at = end
    } else if (character === "(") depth += 1
    else if (character === ")") depth -= 1
    if (depth < 0) return "a bracket is closed that is not open"
  }
  if (depth > 0) return "a bracket has no end"
  return /^[*+?]|[(|][*+](?![A-Z])/.test(plain.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/gs, "x"))
    ? "there is nothing to repeat"
    : undefined
}

/** The first character of a class may be its end bracket, and `[:alpha:]` may stand in it. */
function endOfClass(text: string, start: number): number | undefined {
  let at = start + 1
  if (text[at] === "^") at += 1
  if (text[at] === "]") at += 1
  for (; at < text.length; at++) {
    if (text[at] === "\\") at += 1
    else if (text[at] === "[" && /[:.=]/.test(text[at + 1] ?? "")) at = endOfName(text, at) ?? at
    else if (text[at] === "]") return at
  }
  return undefined
}

function endOfName(text: string, start: number): number | undefined {
  const end = text.indexOf(`${text[start + 1]}]`, start + 2)
  return end < 0 ? undefined : end + 1
}
