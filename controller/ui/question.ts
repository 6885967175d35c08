import { Failure } from "../support/failure.ts"
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

  /** The part of a list that is asked for, each thing as it is shown. @throws Failure `bad-question` */
  page<T, S>(all: readonly T[], show: (thing: T) => S): Page<S> {
    const offset = this.number("offset", maxOffset) ?? 0
    const limit = Math.max(1, this.number("limit", maxLimit) ?? defaultLimit)
    return { total: all.length, offset, items: all.slice(offset, offset + limit).map(show) }
  }
}

const maxWords = 8
const maxOffset = 10_000_000
const maxLimit = 500
const defaultLimit = 100

/** Whether each word is in one of the texts. @param words in lower case */
export function hasWords(words: readonly string[], ...texts: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
}
