import { Lexer } from "yaml"

/** More than any file of manifests has. JSON is parsed as a whole, YAML document by document. */
export const maxFileMebibytes = 64

/** Characters, in MiB, of one YAML document: the parser takes some 250 times as much memory. An object in etcd has at most 1.5 MiB. */
const maxDocumentMebibytes = 2

/** Documents in one file. */
export const maxDocuments = 100_000

/** Values inside each other. Objects of Kubernetes have about 20. */
export const maxDepth = 100

/** Keys of one map; each would be looked at, and many would be a Problem. */
export const maxKeys = 10_000

/** For one document, in its thread. */
export const maxParseSeconds = 20

/** For all documents of a file together: as long as for one, and a second for so many characters more. The parser of YAML takes 800,000 in a second of CPU. */
const charactersPerSecond = 64 * 1024

export function maxParseMs(text: string): number {
  return 1000 * (maxParseSeconds + text.length / charactersPerSecond)
}

/** What is wrong with a text that no parser should see; undefined when it may. Takes time in proportion to its length. */
export function excessOfText(text: string, format: "JSON" | "YAML"): string | undefined {
  if (isTooLong(text, format)) return `it is larger than ${maxDocumentMebibytes} MiB`
  return isDeeper(text, format) ? tooDeep : undefined
}

export function isTooLong(text: string, format: "JSON" | "YAML"): boolean {
  return format === "YAML" && text.length > maxDocumentMebibytes * 1024 ** 2
}

/** What is wrong with a value that was read, with what its aliases stand for; undefined when it may be used. */
export function excessOfValue(value: unknown): string | undefined {
  const heights = new Map<object, number>()
  let excess: string | undefined
  /** @returns how many levels are in a value, which is at `depth` itself; a circle of aliases has no end */
  const heightOf = (value: unknown, depth: number): number => {
    if (typeof value !== "object" || value === null || excess) return 0
    const known = heights.get(value)
    if (depth + (known ?? 0) > maxDepth) excess = tooDeep
    if (known !== undefined || excess) return known ?? 0
    const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (!Array.isArray(value) && values.length > maxKeys) excess = tooManyKeys
    let height = 0
    for (const inner of values) height = Math.max(height, 1 + heightOf(inner, depth + 1))
    heights.set(value, height)
    return height
  }
  heightOf(value, 0)
  return excess
}

export const tooManyKeys = `a map in it has more than ${maxKeys} keys`
const tooDeep = `it is nested more than ${maxDepth} deep`

function isDeeper(text: string, format: "JSON" | "YAML"): boolean {
  if (format === "JSON") return jsonDepth(text) > maxDepth
  return mostDepth(text) > maxDepth && yamlDepth(text) > maxDepth
}

/** Brackets open at the same time, outside of strings. */
function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isString && char === "\\") at += 1
    else if (char === '"') isString = !isString
    else if (isString) continue
    else if (char === "[" || char === "{") deepest = Math.max(deepest, ++depth)
    else if (char === "]" || char === "}") depth -= 1
  }
  return deepest
}

/** At least the depth of a YAML text, without an idea of its strings: it goes down by columns, by indicators in one line, and by brackets. */
function mostDepth(text: string): number {
  let brackets = 0
  let columns = 0
  let mostColumns = 0
  let isIndent = true
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === "\n" || char === "\r") {
      columns = 0
      isIndent = true
      continue
    }
    if (char === "[" || char === "{") brackets += 1
    if (char === " " ? isIndent : char === "-" || char === "?" || char === ":")
      mostColumns = Math.max(mostColumns, ++columns)
    isIndent &&= char === " "
  }
  return 2 * (mostColumns + 1) + brackets
}

/** The depth of a YAML text as its tokens say. Source: YAML 1.2.2, 6.1 (indentation) and 8.2 (block collections may begin in one line). */
function yamlDepth(text: string): number {
  const places: number[] = []
  let column = 0
  let brackets = 0
  let deepest = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (isControl(token)) {
      isScalar = token === "\x1f"
      continue
    }
    if (!isScalar && (token === "]" || token === "}")) brackets = Math.max(0, brackets - 1)
    else if (/\S/.test(token)) {
      if (brackets === 0) {
        // a list may begin in the column of the key that it belongs to
        const place = 2 * column + (token === "-" ? 1 : 0)
        while ((places.at(-1) ?? -1) > place) places.pop()
        if (places.at(-1) !== place) places.push(place)
      }
      if (!isScalar && (token === "[" || token === "{")) brackets += 1
      deepest = Math.max(deepest, places.length + brackets)
      if (deepest > maxDepth) return deepest
    }
    isScalar = false
    const newline = token.lastIndexOf("\n")
    column = newline === -1 ? column + token.length : token.length - newline - 1
  }
  return deepest
}

/** What the lexer says of its own between the pieces of the text. */
function isControl(token: string): boolean {
  return token === "\x1f" || token === "\x02" || token === "\x18"
}
