import { isMap, isScalar, isSeq, type Node, parseAllDocuments } from "yaml"
import type { Document } from "./documents.ts"
import { lineBreaks } from "./documents.ts"

/** Characters that are parsed once more to say where a field stands, in some 20 ms; of a longer document its first line is said. */
const maxLength = 32 * 1024

/**
 * Where fields stand in a document, which is parsed again for it, once: what is read is values only, and few of them are wrong.
 */
export class Positions {
  readonly #document: Document
  #objects: readonly Node[] | undefined

  constructor(document: Document) {
    this.#document = document
  }

  /**
   * @param index which object of the document, those of lists one by one
   * @param field as in a Problem
   * @returns the line of the file, from 1: of the deepest part of `field` that is there
   */
  lineOf(index: number, field: string): number {
    const { text, line } = this.#document
    this.#objects ??= text.length > maxLength ? [] : objectsIn(text)
    const object = this.#objects[index]
    if (object === undefined) return firstLine(this.#document)
    return line + lineBreaks(text.slice(0, offsetOf(object, field)))
  }
}

/** That of the document's content, as it is said where no field is meant. */
export function firstLine({ text, line }: Document): number {
  return line + (/^---\s*\n/.test(text) ? 1 : 0)
}

function objectsIn(text: string): readonly Node[] {
  const documents = [
    ...parseAllDocuments(text, { prettyErrors: false, logLevel: "silent", uniqueKeys: false }),
  ]
  return documents.flatMap(({ contents }) => (contents === null ? [] : itemsOf(contents)))
}

/** As `expandLists` does with values. */
function itemsOf(node: Node): readonly Node[] {
  if (!isMap(node)) return [node]
  const kind = node.get("kind")
  const items = node.get("items")
  if (typeof kind !== "string" || !kind.endsWith("List") || !isSeq<Node>(items)) return [node]
  return items.items.flatMap(itemsOf)
}

function offsetOf(object: Node, field: string): number {
  let at = object.range?.[0] ?? 0
  let node: unknown = object
  for (const step of stepsOf(field)) {
    const found = below(node, step)
    if (found === undefined) return at
    at = found.key.range?.[0] ?? at
    node = found.value
  }
  return at
}

function below(node: unknown, step: string | number): { key: Node; value: unknown } | undefined {
  if (isSeq<Node>(node)) {
    const item = typeof step === "number" ? node.items[step] : undefined
    return item && { key: item, value: item }
  }
  const pair = isMap<Node>(node)
    ? node.items.find(({ key }) => isScalar(key) && key.value === step)
    : undefined
  return pair && { key: pair.key, value: pair.value }
}

/** The way back from `fieldPath`. */
function stepsOf(field: string): readonly (string | number)[] {
  return [...field.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(
    ([, index, key, name = ""]) => (index === undefined ? (key ?? name) : Number(index)),
  )
}
