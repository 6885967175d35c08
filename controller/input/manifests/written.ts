import { readdirSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { isRecord } from "../../model/objects/reader.ts"
import { Failure, reasonOf } from "../../support/failure.ts"
import type { Change } from "../provider/source.ts"
import { type Document, splitDocuments } from "./documents.ts"
import { readText } from "./files.ts"
import { manifestSource } from "./manifests.ts"
import { readValues } from "./values.ts"

/** What a directory of manifests holds now, read as `--manifests` reads it. @throws Failure when it cannot be read */
export async function readDirectory(directory: string): Promise<readonly Change[]> {
  const isDirectory = await stat(directory).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isDirectory)
    throw new Failure("manifests-unreadable", `Cannot read ${JSON.stringify(directory)}: it is no directory`)
  const end = new AbortController()
  try {
    for await (const { changes } of manifestSource(directory).changes(end.signal)) return changes
    return []
  } finally {
    end.abort()
  }
}

/** An object as it is written, and where. */
export interface Written {
  readonly value: Readonly<Record<string, unknown>>
  /** below the directory */
  readonly file: string
  /** of its document, from 1 */
  readonly line: number
}

/** Objects of some kinds as they are written, those that nobody watches included. What cannot be parsed is left out. */
export async function readWritten(directory: string, kinds: readonly string[]): Promise<readonly Written[]> {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
  const isMeant = new RegExp(`\\bkind["']?:\\s*["']?(?:${kinds.join("|")})`)
  const found: Written[] = []
  for (const file of files.filter((name) => /\.(?:ya?ml|json)$/.test(name)).sort()) {
    const reading = await readText(directory, file)
    if (reading.kind === "text" && isMeant.test(reading.text)) found.push(...writtenIn(reading.text, file))
  }
  return found.filter(({ value }) => kinds.includes(String(value.kind)))
}

function writtenIn(text: string, file: string): readonly Written[] {
  return documentsOf(text, file).flatMap((document) => {
    const line = document.line + (/^---\s*\n/.test(document.text) ? 1 : 0)
    return readValues(document, file).values.flatMap((value) =>
      isRecord(value) ? [{ value, file, line }] : [],
    )
  })
}

/** A file of YAML or JSON that is no manifest. @throws Failure when it cannot be read */
export async function readValuesFile(file: string): Promise<unknown> {
  try {
    const text = await readFile(file, "utf8")
    const [first] = documentsOf(text, file)
    if (first === undefined) return {}
    const { values, problems } = readValues(first, file)
    const [problem] = problems
    if (problem !== undefined) throw new Error(problem.message)
    return values[0]
  } catch (error) {
    throw new Failure("values-unreadable", `Cannot read ${file}: ${reasonOf(error)}`, { cause: error })
  }
}

function documentsOf(text: string, file: string): readonly Document[] {
  return file.endsWith(".json") ? [{ text, line: 1 }] : splitDocuments(text)
}
