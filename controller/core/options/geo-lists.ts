import { shown } from "../../model/shown.ts"
import { accepted, type Parser, refused } from "./parser.ts"
import type { Syntax } from "./usage.ts"

/** What the record of a route may have, docs/wire.md. */
const maxCountries = 300
const maxAsns = 1024

/** Codes of ISO 3166-1. One that is none refuses them all: with one less a list would let in, or keep out, others than it should. */
const readCountries: Parser<readonly string[]> = (text) => {
  const items = itemsOf(text)
  const wrong = items.find((item) => !/^[A-Z]{2}$/i.test(item))
  if (wrong !== undefined)
    return refused(`for ${shown(wrong)} write the two letters of a country, such as DE`)
  return limited(new Set(items.map((item) => item.toUpperCase())), maxCountries, "countries")
}

const readAsns: Parser<readonly number[]> = (text) => {
  const items = itemsOf(text)
  const wrong = items.find((item) => asnOf(item) === undefined)
  if (wrong !== undefined)
    return refused(`for ${shown(wrong)} write the number of an autonomous system, such as AS64496 or 64496`)
  return limited(new Set(items.flatMap((item) => asnOf(item) ?? [])), maxAsns, "numbers")
}

function itemsOf(text: string): readonly string[] {
  return text.split(",").map((item) => item.trim())
}

/** Source: RFC 5396, asplain. */
function asnOf(text: string): number | undefined {
  const [, digits] = /^(?:AS)?([1-9]\d{0,9})$/i.exec(text) ?? []
  const number = Number(digits)
  return number < 2 ** 32 ? number : undefined
}

/** In an order of their own: two lists of the same items are the same. */
function limited<T extends string | number>(items: ReadonlySet<T>, max: number, what: string) {
  if (items.size > max) return refused(`write at most ${max} ${what}`)
  return accepted<readonly T[]>([...items].sort((one, other) => (one < other ? -1 : 1)))
}

export const countryList: Syntax<readonly string[]> = {
  parse: readCountries,
  values: "codes of countries (ISO 3166-1), two letters each, separated by commas",
}

export const asnList: Syntax<readonly number[]> = {
  parse: readAsns,
  values: "numbers of autonomous systems, with or without `AS`, separated by commas",
}
