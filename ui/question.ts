import { Failure } from "../controller/support/failure.ts"
import { compareText } from "../controller/support/order.ts"
import type { Page } from "./api.ts"

/** What stands behind the question mark. */
export class Question {
  readonly #given: URLSearchParams

  constructor(given: URLSearchParams) {
    this.#given = given
  }

  /** @returns "" for what is absent; of several the last */
  text(name: string): string {
    return this.#given.getAll(name).at(-1) ?? ""
  }

  texts(name: string): readonly string[] {
    return this.#given.getAll(name)
  }

  /** @throws Failure `bad-question` */
  number(name: string, max: number): number | undefined {
    const text = this.text(name)
    if (text === "") return undefined
    const value = Number(text)
    if (/^\d+$/.test(text) && value <= max) return value
    throw new Failure("bad-question", `Cannot read ${name}: write a whole number from 0 to ${max}`)
  }

  /** What a thing must have somewhere to be found: all words, in lower case. */
  get words(): readonly string[] {
    return this.text("q").toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords)
  }

  /**
   * A list as `sort=NAME` asks for it, with `sort=-NAME` from the largest on; without it, and where things are alike, as it is.
   *
   * @param by what a thing is sorted by, by name
   * @throws Failure `bad-question`
   */
  sorted<T>(all: readonly T[], by: SortKeys<T>): readonly T[] {
    const wanted = this.text("sort")
    if (wanted === "") return all
    const isFalling = wanted.startsWith("-")
    const key = by[isFalling ? wanted.slice(1) : wanted]
    if (key === undefined)
      throw new Failure("bad-question", `Cannot sort by that: write one of ${Object.keys(by).join(", ")}`)
    return all
      .map((thing) => ({ thing, at: key(thing) }))
      .sort(isFalling ? (a, b) => compareKeys(b.at, a.at) : (a, b) => compareKeys(a.at, b.at))
      .map(({ thing }) => thing)
  }

  /** The part of a list that is asked for, each thing as it is shown. @throws Failure `bad-question` */
  page<T, S>(all: readonly T[], show: (thing: T) => S): Page<S> {
    const offset = this.number("offset", maxOffset) ?? 0
    const limit = Math.max(1, this.number("limit", maxLimit) ?? defaultLimit)
    return { total: all.length, offset, items: all.slice(offset, offset + limit).map(show) }
  }
}

/** Numbers, or texts, of things of one list. */
export type SortKeys<T> = Readonly<Record<string, (thing: T) => number | string>>

function compareKeys(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b))
}

const maxWords = 8
const maxOffset = 10_000_000
const maxLimit = 500
const defaultLimit = 100

/** Whether each word is in one of the texts. @param words in lower case */
export function hasWords(words: readonly string[], ...texts: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
}
