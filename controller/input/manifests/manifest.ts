import { setImmediate } from "node:timers/promises"
import type { ObjectKey } from "../../model/objects/object.ts"
import { type Parsed, parseObject } from "../../model/objects/parse.ts"
import type { Problem } from "../../model/problem.ts"
import { countDocuments, type Document, splitDocuments } from "./documents.ts"
import { maxDocuments, maxParseMs } from "./limits.ts"
import type { Budget, ParseThread } from "./parse-thread.ts"
import { placed } from "./placed.ts"
import { formatOf, tooMuch } from "./values.ts"

/** What parses documents. */
export type Parsing = Pick<ParseThread, "read" | "linesOf">

/** What one piece of a file came to. */
interface Piece {
  readonly text: string
  readonly objects: readonly Parsed[]
  /** the piece, or a part of it, is not YAML: objects may be missing that are there */
  readonly problems: readonly Problem[]
}

/** A file as it was read. Unchanged pieces are taken over from the version before, objects and all. */
export interface Manifest {
  /** undefined when it is not known what the file says now */
  readonly text: string | undefined
  readonly pieces: readonly Piece[]
}

export const emptyManifest: Manifest = { text: undefined, pieces: [] }

/**
 * Reads a file's text, a large one in slices of some milliseconds. Never rejects: what cannot be read is a Problem with file and line.
 *
 * @param file   its path below the directory, for messages; a name that ends in `.json` makes it JSON
 * @param before the version before, from which unchanged pieces are taken
 */
export async function readManifest(
  text: string,
  file: string,
  before: Manifest,
  firstSeenMs: (key: ObjectKey) => number,
  thread: Parsing,
): Promise<Manifest> {
  if (formatOf(file) === "YAML" && countDocuments(text, maxDocuments) > maxDocuments) {
    const problem = tooMuch(file, 1, `the file has more than ${maxDocuments} documents`)
    return { text, pieces: [{ text, objects: [], problems: [problem] }] }
  }
  const known = new Map(before.pieces.filter(isClean).map((piece) => [piece.text, piece]))
  const documents = formatOf(file) === "JSON" ? [{ text, line: 1 }] : splitDocuments(text)
  const pause = pauses()
  const budget = { leftMs: maxParseMs(text) }
  const parsing = { file, firstSeenMs, thread, budget, pause }
  const pieces: Piece[] = []
  for (const document of documents) {
    await pause()
    pieces.push(known.get(document.text) ?? (await readPiece(document, parsing)))
  }
  return { text, pieces }
}

/** Gives others their turn when 10 ms have passed since the last one: a large file must not keep the whole process waiting. */
function pauses(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < 10) return undefined
    return setImmediate().then(() => {
      sinceMs = performance.now()
    })
  }
}

/** Whether it is not known of something in the file which object it is, so that one that is missing may still be meant. */
export function isDamaged(manifest: Manifest): boolean {
  return manifest.pieces.some((piece) => piece.problems.length > 0 || piece.objects.some(isUnidentified))
}

function isUnidentified(parsed: Parsed): boolean {
  return parsed.kind === "refused" && parsed.key === undefined
}

/** What became of each object in the file, in its order. */
export function parsedOf(manifest: Manifest): readonly Parsed[] {
  return manifest.pieces.flatMap((piece) => piece.objects)
}

/** Every Problem of the file. */
export function problemsOf(manifest: Manifest): readonly Problem[] {
  return manifest.pieces.flatMap(problemsIn)
}

function problemsIn(piece: Piece): readonly Problem[] {
  return [...piece.problems, ...piece.objects.flatMap((parsed) => parsed.problems)]
}

/** Problems name lines, which move: only a piece without any can be taken over. */
function isClean(piece: Piece): boolean {
  return problemsIn(piece).length === 0
}

interface PieceOptions {
  readonly file: string
  readonly firstSeenMs: (key: ObjectKey) => number
  readonly thread: Parsing
  readonly budget: Budget
  readonly pause: () => Promise<void> | undefined
}

async function readPiece(document: Document, options: PieceOptions): Promise<Piece> {
  const { file, firstSeenMs, thread, budget, pause } = options
  const { values, problems } = await thread.read(document, file, budget)
  const origin = `${file}:${document.line + (/^---\s*\n/.test(document.text) ? 1 : 0)}`
  const objects: Parsed[] = []
  for (const value of values) {
    objects.push(parseObject(value, { firstSeenMs, origin }))
    await pause()
  }
  if (objects.every((parsed) => parsed.problems.length === 0))
    return { text: document.text, objects, problems }
  const fields = objects.map((parsed) => parsed.problems.map(({ field }) => field))
  const lines = await thread.linesOf(document, file, fields, budget)
  return { text: document.text, objects: placed(objects, origin, lines), problems }
}
