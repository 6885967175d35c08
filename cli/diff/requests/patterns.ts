import { type AST, RegExpParser } from "@eslint-community/regexpp"

// Texts that a regular expression matches, one for each way through it: by the first or the last of alternatives, with as few or some repetitions.

type End = "first" | "last"
type Length = "short" | "long"

interface Way {
  readonly alternative: End
  readonly repetition: Length
}

const ways: readonly Way[] = (["short", "long"] as const).flatMap((repetition) =>
  (["first", "last"] as const).map((alternative) => ({ alternative, repetition })),
)

/** What a walk has come by so far. */
interface Walk {
  readonly way: Way
  readonly groups: Map<AST.CapturingGroup, string>
}

const maxCharacters = 1000

/** Texts that the whole pattern matches, without regard to case, each once; none where it says more than can be followed. */
export function matching(pattern: string): readonly string[] {
  const tree = parsed(pattern)
  if (tree === undefined) return []
  const texts = ways.map((way) => alternatives(tree, { way, groups: new Map() }))
  const whole = new RegExp(`^(?:${tree.raw})$`, "i")
  return [...new Set(texts)].filter((text) => text.length <= maxCharacters && whole.test(text))
}

/** PCRE's own words are no words of JavaScript: what has them is left alone. */
function parsed(pattern: string): AST.Pattern | undefined {
  const plain = pattern.replace(/^\(\?i\)/, "")
  try {
    return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(plain)
  } catch {
    return undefined
  }
}

function alternatives({ alternatives: all }: { alternatives: AST.Alternative[] }, walk: Walk): string {
  const taken = walk.way.alternative === "first" ? all[0] : all.at(-1)
  return (taken?.elements ?? []).map((element) => textOf(element, walk)).join("")
}

function textOf(element: AST.Element, walk: Walk): string {
  switch (element.type) {
    case "Character":
      return String.fromCodePoint(element.value)
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass":
      return characterOf(element.raw, walk.way.alternative)
    case "Group":
      return alternatives(element, walk)
    case "CapturingGroup": {
      const text = alternatives(element, walk)
      walk.groups.set(element, text)
      return text
    }
    case "Quantifier":
      return repeated(element, walk)
    case "Backreference":
      return [element.resolved].flat().map((group) => walk.groups.get(group) ?? "")[0] ?? ""
    case "Assertion":
      return ""
    default:
      return element satisfies never
  }
}

function repeated({ min, max, element }: AST.Quantifier, walk: Walk): string {
  const times = walk.way.repetition === "short" ? min : Math.max(min, Math.min(max, 2))
  const text = times === 0 ? "" : textOf(element, walk)
  return text.length * times > maxCharacters ? "" : text.repeat(times)
}

const preferred = { first: "a1-_./", last: "z9~_./" } as const
const printable = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at))

/** A character of a class, one that is common in paths if there is one; "" when there is none of ASCII. */
function characterOf(raw: string, end: End): string {
  const one = new RegExp(`^${raw}$`)
  return [...preferred[end], ...printable].find((character) => one.test(character)) ?? ""
}
