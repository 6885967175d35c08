import { isMap, isScalar, isSeq, parseAllDocuments } from "yaml"
import type { Problem } from "../../model/problem.ts"
import { type Document, lineBreaks } from "./documents.ts"

/** Characters of a document that is parsed once more for the sake of a message. */
const maxLength = 64 * 1024

/**
 * Problems of the one object of a document, with the line of their field in the place of the document's.
 *
 * @param origin what their messages have in parentheses: `cart.yaml:12`
 */
export function atTheirLines(
  problems: readonly Problem[],
  { text, line }: Document,
  origin: string,
): readonly Problem[] {
  if (problems.length === 0 || text.length > maxLength) return problems
  const [parsed, ...more] = [...parseAllDocuments(text, { merge: true, logLevel: "silent" })]
  if (parsed === undefined || more.length > 0) return problems
  const file = origin.replace(/:\d+$/, "")
  return problems.map((problem) => {
    const at = positionOf(parsed.contents, stepsOf(problem.field))
    const place = `${file}:${line + lineBreaks(text.slice(0, at ?? 0))}`
    return at === undefined ? problem : { ...problem, message: problem.message.replace(origin, place) }
  })
}

/** Of a path as `fieldPath` writes it. */
function stepsOf(path: string): readonly (string | number)[] {
  const steps = path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)
  return [...steps].map(([, index, key, name]) => (index === undefined ? (key ?? name ?? "") : Number(index)))
}

/** Of the field, or of the last one on the way to it that is there. Undefined: the document has none of them. */
function positionOf(node: unknown, [step, ...rest]: readonly (string | number)[]): number | undefined {
  if (isSeq(node) && typeof step === "number") {
    const item: unknown = node.items[step]
    return positionOf(item, rest) ?? startOf(item)
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
  return pair && (positionOf(pair.value, rest) ?? startOf(pair.key))
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined
}
