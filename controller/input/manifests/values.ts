import { isNode, isScalar, type Document as Parsed, parseAllDocuments, visit } from "yaml"
import { expandLists } from "../../model/objects/list.ts"
import type { Problem } from "../../model/problem.ts"
import { reasonOf } from "../../support/failure.ts"
import { type Document, lineBreaks } from "./documents.ts"
import { excessOfText, excessOfValue, maxKeys, tooManyKeys } from "./limits.ts"

/** What one document of a file holds: its objects, those of lists one by one, and what could not be read of it. */
export interface Values {
  readonly values: readonly unknown[]
  readonly problems: readonly Problem[]
}

export type Format = "JSON" | "YAML"

export function formatOf(file: string): Format {
  return file.endsWith(".json") ? "JSON" : "YAML"
}

/** Parses a document. Never throws, and takes time in proportion to its length unless it has many anchors. */
export function readValues(document: Document, file: string): Values {
  const format = formatOf(file)
  const excess = excessOfText(document.text, format)
  if (excess !== undefined) return refused(tooMuch(file, document.line, excess))
  try {
    const { values, problems } = format === "JSON" ? readJson(document, file) : readYaml(document, file)
    const tooLarge = excessOfValue(values)
    if (tooLarge !== undefined) return refused(tooMuch(file, document.line, tooLarge))
    return { values: values.flatMap((value) => [...expandLists(value)]), problems }
  } catch (error) {
    return refused(notReadable(file, document.line, format, error))
  }
}

function refused(problem: Problem): Values {
  return { values: [], problems: [problem] }
}

function readJson({ text, line }: Document, file: string): Values {
  if (text.trim() === "") return { values: [], problems: [] }
  try {
    return { values: [JSON.parse(text)], problems: [] }
  } catch {
    // what the parser says repeats the text, and where it does not, it names no position; nearly every text that is not JSON is not YAML either
    const isSmall = excessOfText(text, "YAML") === undefined
    const position = isSmall ? (parseAllDocuments(text, quietly)[0]?.errors[0]?.pos[0] ?? 0) : 0
    return refused(notReadable(file, line + lineBreaks(text.slice(0, position)), "JSON"))
  }
}

/** `uniqueKeys` compares every key with every other one; `mistakeIn` does it in less. */
const quietly = { prettyErrors: false, logLevel: "silent", uniqueKeys: false } as const

/** YAML 1.2 with merge keys (`<<`). Anchors work; their expansion is limited by the library, so that a small file cannot become a large one. */
function readYaml({ text, line }: Document, file: string): Values {
  const at = (position: number) => line + lineBreaks(text.slice(0, position))
  const results = [...parseAllDocuments(text, { merge: true, ...quietly })].map((document): Values => {
    const [error] = document.errors
    if (error) return refused(notReadable(file, at(error.pos[0]), "YAML", error))
    const mistake = mistakeIn(document)
    if (mistake?.reason === tooManyKeys) return refused(tooMuch(file, at(mistake.position), tooManyKeys))
    if (mistake) return refused(notReadable(file, at(mistake.position), "YAML", mistake.reason))
    try {
      const value: unknown = document.toJS()
      return { values: value === null ? [] : [value], problems: [] }
    } catch (error) {
      return refused(notReadable(file, at(document.contents?.range?.[0] ?? 0), "YAML", error))
    }
  })
  return {
    values: results.flatMap(({ values }) => values),
    problems: results.flatMap(({ problems }) => problems),
  }
}

/** The first map with a key that it has already, or with too many. Source of the words: the library's own, with `uniqueKeys`. */
function mistakeIn(document: Parsed.Parsed): { position: number; reason: string } | undefined {
  let mistake: { position: number; reason: string } | undefined
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        const value = isScalar(key) ? key.value : key
        if (keys.has(value)) mistake ??= { position: positionOf(key), reason: "Map keys must be unique" }
        keys.add(value)
      }
      if (keys.size > maxKeys) mistake ??= { position: map.range?.[0] ?? 0, reason: tooManyKeys }
      return mistake && visit.BREAK
    },
  })
  return mistake
}

function positionOf(key: unknown): number {
  return (isNode(key) && key.range?.[0]) || 0
}

/** @param error what the parser says; from the first colon or quote on it may repeat the text, and that may be a Secret's */
function notReadable(file: string, line: number, format: Format, error?: unknown): Problem {
  const [said = ""] = error === undefined ? [] : reasonOf(error).split(/[:"\n]/)
  const reason = said.trim()
  return {
    object: { kind: "File", namespace: "", name: file },
    field: `${file}:${line}`,
    code: format === "JSON" ? "not-json" : "not-yaml",
    message: `Text at ${file}:${line} is not ${format}${reason === "" ? "" : `: ${reason}`}`,
  }
}

/** @param excess what the document exceeds, as a clause */
export function tooMuch(file: string, line: number, excess: string): Problem {
  return {
    object: { kind: "File", namespace: "", name: file },
    field: `${file}:${line}`,
    code: "manifest-too-large",
    message: `Cannot read the document at ${file}:${line}: ${excess}`,
  }
}
