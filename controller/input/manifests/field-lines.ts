import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Document as Parsed,
  parseAllDocuments,
} from "yaml"
import type { Document } from "./documents.ts"
import type { Format } from "./values.ts"

/** Fields of each object of a document, in the order of `readValues`; or the lines on which they stand. */
export type PerObject<T> = readonly (readonly T[])[]

/**
 * The lines of fields in the file. A field that is not there has the line of the last one on the way to it, or of its object.
 *
 * @param fields as `fieldPath` writes them
 * @returns nothing when it is not certain which object of the text is which
 */
export function linesOf(
  { text, line }: Document,
  format: Format,
  fields: PerObject<string>,
): PerObject<number> {
  const counter = new LineCounter()
  const options = { merge: true, prettyErrors: false, logLevel: "silent", uniqueKeys: false } as const
  const documents = [...parseAllDocuments(text, { ...options, lineCounter: counter })]
  // What is too long a key for YAML, for instance, is good JSON.
  const sound = documents.filter(({ errors }) => format === "JSON" || errors.length === 0)
  const objects = sound.flatMap((document) => [...objectsIn(document.contents, document)])
  if (objects.length !== fields.length) return []
  const lineAt = (position: number) => line - 1 + counter.linePos(position).line
  return fields.map((paths, index) => paths.map((path) => lineAt(positionIn(objects[index], path))))
}

/** The nodes of what `expandLists` finds in the value. */
function* objectsIn(node: unknown, document: Parsed): Generator<unknown> {
  const value = isAlias(node) ? node.resolve(document) : node
  if (value === null || (isScalar(value) && value.value === null)) return
  const items = isMap(value) && /List$/.test(String(value.get("kind"))) && value.get("items", true)
  if (isSeq(items)) for (const item of items.items) yield* objectsIn(item, document)
  else yield node
}

function positionIn(object: unknown, path: string): number {
  return positionOf(object, stepsOf(path)) ?? startOf(object) ?? 0
}

/** Of a path as `fieldPath` writes it. */
function stepsOf(path: string): readonly (string | number)[] {
  const steps = path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)
  return [...steps].map(([, index, key, name]) => (index === undefined ? (key ?? name ?? "") : Number(index)))
}

/** Of the field, or of the last one on the way to it that is there. Undefined: the object has none of them. */
function positionOf(node: unknown, [step, ...rest]: readonly (string | number)[]): number | undefined {
  if (isSeq(node) && typeof step === "number") {
    const item: unknown = node.items[step]
    return positionOf(item, rest) ?? startOf(item)
  }
  if (!isMap(node)) return undefined
  // Of two equal keys in JSON the last one counts.
  const pair = node.items.findLast(({ key }) => isScalar(key) && key.value === step)
  return pair && (positionOf(pair.value, rest) ?? startOf(pair.key))
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
