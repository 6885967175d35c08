// The parts of a directive, from a seed: values, conditions, patterns.
import type { Random } from "../../../../harness/random.ts"
import * as words from "./words.ts"

export class Phrases {
  readonly #random: Random
  readonly #set = new Set<string>()
  readonly #used = new Set<string>()

  /** Whether the Ingress's own path is around: its variables are those of ingress-nginx's locations. */
  #inPath = false

  constructor(random: Random) {
    this.#random = random
  }

  /** What follows stands in a path of the Ingress. */
  enterPath(): void {
    this.#inPath = true
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.#random.below(items.length)]
    if (item === undefined) throw new Error("Nothing to pick from")
    return item
  }

  /** True in one of `count` cases. */
  oneIn(count: number): boolean {
    return this.#random.below(count) === 0
  }

  /** `min` to `max` of them, separated by blanks. */
  some(items: readonly string[], min: number, max: number): string {
    const count = min + this.#random.below(max - min + 1)
    return Array.from({ length: count }, () => this.pick(items)).join(" ")
  }

  /** Picks by weight. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    const total = items.reduce((sum, { weight }) => sum + weight, 0)
    let left = this.#random.next() * total
    for (const item of items) {
      left -= item.weight
      if (left < 0) return item
    }
    return this.pick(items)
  }

  /** A variable that is set here. */
  setVariable(): string {
    const name = this.pick(words.ownVariables)
    this.#set.add(name)
    return `$${name}`
  }

  /** Arguments as requests have them: without blanks. */
  args(): string {
    return `"${this.pick(["", "a=1", "$args&more=1", "q=$arg_r", "x=$1", "$http_x_a"])}"`
  }

  /** A quoted value: texts, variables and captures in any order. @param inAnswer where the answer is known already */
  value(inAnswer = false): string {
    if (this.oneIn(12)) return '""'
    const count = 1 + this.#random.below(3)
    return `"${Array.from({ length: count }, () => this.#piece(inAnswer)).join("")}"`
  }

  #piece(inAnswer: boolean): string {
    if (this.oneIn(2)) return this.pick(words.literals)
    // A capture takes no braces, and is one digit.
    if (this.oneIn(4)) return this.pick(["$1", "$2", "$3"])
    const name = this.#variable(inAnswer)
    return this.oneIn(2) ? `\${${name}}` : `$${name} `
  }

  #variable(inAnswer: boolean): string {
    if (inAnswer && this.oneIn(4)) return this.pick(words.answerVariables)
    if (this.oneIn(4)) return this.#use(this.pick(words.ownVariables))
    if (this.oneIn(10)) return this.#inPath ? this.pick(words.locationVariables) : "host"
    return this.pick(words.requestVariables)
  }

  #use(name: string): string {
    this.#used.add(name)
    return name
  }

  condition(): string {
    const tested = this.oneIn(3)
      ? `$${this.#use(this.pick(words.ownVariables))}`
      : `$${this.pick(words.requestVariables)}`
    if (this.oneIn(5)) return `(${tested})`
    if (this.oneIn(3)) return `(${tested} ${this.pick(["=", "!="])} ${this.#compared()})`
    const isPath = /uri/.test(tested)
    const pattern = this.pick(isPath ? words.pathPatterns : words.valuePatterns)
    return `(${tested} ${this.pick(["~", "~*", "!~", "!~*"])} "${pattern}")`
  }

  #compared(): string {
    if (this.oneIn(6)) return this.value()
    const texts = [...words.values, ...words.methods, ...words.paths.slice(0, 6), "http", "127.0.0.1"]
    return `"${this.pick(texts)}"`
  }

  pathPattern(): string {
    return `"${this.pick(words.pathPatterns)}"`
  }

  /** Where a path leads: a path with captures and arguments. */
  target(): string {
    const path = this.pick([
      "/new",
      "/new/$1",
      "/$2/$1",
      "/a/b",
      "/x y",
      "/sub$uri",
      "/$http_x_a",
      "/c%2Fd",
      "/l0/x",
    ])
    return `"${path}${this.pick(["", "", "", "?", "?z=1", "?z=$1&", "?$args"])}"`
  }

  url(): string {
    return `"${this.pick(["https://elsewhere.test", "http://$host", "https://$http_host"])}${this.pick(["/", "$request_uri", "/$1", "/x?y=z", ""])}"`
  }

  /** Directives that declare what was used and never set: nginx takes no variable that nobody sets. */
  declarations(): string {
    const missing = [...this.#used].filter((name) => !this.#set.has(name))
    return missing.map((name) => `if ($request_method = NEVER) { set $${name} ""; }\n`).join("")
  }
}
