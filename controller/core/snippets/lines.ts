import { shown } from "../../model/shown.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import { canonicalRange } from "../../support/address-range.ts"
import type { Directive } from "./syntax.ts"
import { free, mediaType, pattern, type Value } from "./values.ts"

// Blocks that hold lines of data. Each line is read as what it is, and printed anew.

interface Line {
  readonly typed: TypedDirective
  readonly variables: readonly string[]
}

type LineReader = (words: readonly string[]) => Line | string

/** Why a block of data is refused, or its lines. */
export function readLines(name: string, block: readonly Directive[]): readonly Line[] | string {
  const read = readers.get(name)
  if (read === undefined) return `a block of ${shown(name)} is not known here`
  const lines: Line[] = []
  for (const { name: first, words, block: inner, line } of block) {
    const found = inner === undefined ? read([first, ...words]) : "a block stands in it"
    if (typeof found === "string") return `${found} in line ${line}`
    lines.push(found)
  }
  return lines
}

const switches: ReadonlySet<string> = new Set(["hostnames", "volatile", "ranges", "proxy_recursive"])

function lineOf(words: readonly string[], ...values: readonly (Value | string)[]): Line | string {
  const fault = values.find((it) => typeof it === "string")
  if (typeof fault === "string") return fault
  const read = values.filter((it) => typeof it !== "string")
  return {
    typed: { name: words[0] ?? "", args: words.slice(1) },
    variables: read.flatMap((it) => it.variables ?? []),
  }
}

const mapLine: LineReader = (words) => {
  const [key = "", value, more] = words
  if (key === "include") return "it reads a file"
  if (value === undefined && switches.has(key)) return lineOf(words)
  if (value === undefined || more !== undefined) return "invalid number of the map parameters"
  return lineOf(words, free(value), /^~/.test(key) ? pattern(key.replace(/^~\*?/, "")) : plain(key))
}

const geoLine: LineReader = (words) => {
  const [key = "", value, more] = words
  if (key === "include") return "it reads a file"
  if (value === undefined && switches.has(key)) return lineOf(words)
  if (value === undefined || more !== undefined) return "invalid number of the geo parameters"
  if (key === "proxy" || key === "delete")
    return canonicalRange(value) === undefined ? `invalid network ${shown(value)}` : lineOf(words)
  const isClient = key === "default" || key.split("-").every((it) => canonicalRange(it) !== undefined)
  return isClient ? lineOf(words, plain(value)) : `invalid network ${shown(key)}`
}

const splitLine: LineReader = (words) => {
  const [share = "", value, more] = words
  if (value === undefined || more !== undefined) return "invalid number of the split_clients parameters"
  return /^(\*|\d{1,3}(\.\d{1,2})?%)$/.test(share)
    ? lineOf(words, free(value))
    : `invalid percent value ${shown(share)}`
}

const typesLine: LineReader = (words) => {
  const [type = "", ...extensions] = words
  return lineOf(words, mediaType(type), ...extensions.map(plain))
}

const charsetLine: LineReader = (words) =>
  words.length === 2 && words.every((it) => /^[0-9A-Fa-f]{1,12}$/.test(it)) ? lineOf(words) : "invalid value"

function plain(word: string): Value | string {
  return word.includes("\0") || word.includes("$")
    ? `${shown(word)} has a character that is not allowed`
    : { text: word }
}

const readers: ReadonlyMap<string, LineReader> = new Map([
  ["map", mapLine],
  ["geo", geoLine],
  ["split_clients", splitLine],
  ["types", typesLine],
  ["charset_map", charsetLine],
])
