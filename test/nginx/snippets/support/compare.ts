// What differs between two exchanges that should be the same.
import type { Header } from "./case.ts"
import type { Asked, Exchange } from "./exchange.ts"

/** Texts that are another one's on each side, such as its port, and what to call them. */
export type Names = Readonly<Record<string, string>>

/** Of its own on each side, or of the moment. */
const notCompared = new Set(["date", "server"])

/** An id that nginx has made up. */
const madeUp = /[0-9a-f]{32,34}/g

/** Set by wick, and by no text of the reference. */
const notAsked = new Set(["cdn-loop"])

/** An exchange in a form whose text is the same if nothing differs that matters: the order of headers is nobody's business, their number is. */
export function shownExchange({ status, headers, body, asked }: Exchange, names: Names): string {
  const lines = [
    status === 0 ? "closed without an answer" : `${status}`,
    ...linesOf(headers.map(withoutMoment(headers)), notCompared),
    `body: ${JSON.stringify(body)}`,
    ...(asked.length === 0 ? ["backend: not asked"] : asked.flatMap(shownAsked)),
  ]
  const text = lines.join("\n").replaceAll(madeUp, "<id>")
  return Object.entries(names).reduce((shown, [own, name]) => shown.replaceAll(own, name), text)
}

/** `Expires` as nginx works it out, from the moment that `Date` says. */
function withoutMoment(headers: readonly Header[]): (header: Header) => Header {
  const date = headers.find(([name]) => name.toLowerCase() === "date")?.[1] ?? ""
  return ([name, value]) => {
    const seconds = (Date.parse(value) - Date.parse(date)) / 1000
    const isNear = name.toLowerCase() === "expires" && Math.abs(seconds) < 10 ** 7
    return isNear ? [name, `Date + ${seconds} s`] : [name, value]
  }
}

function shownAsked({ line, headers, body }: Asked): string[] {
  return [
    `backend: ${withoutBlanks(line)}`,
    ...linesOf(headers, notAsked).map((it) => `  ${it}`),
    `  body: ${JSON.stringify(body)}`,
  ]
}

/** Blanks that a script puts into arguments are escaped by wick; nginx passes them on, and the line of the request has more than three words. */
function withoutBlanks(line: string): string {
  return line.replace(/(?<=^\S+ .*) (?=.* HTTP)/g, "%20")
}

function linesOf(headers: readonly Header[], without: ReadonlySet<string>): string[] {
  return headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !without.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
}

/** Lines that only one side has: `-` the oracle's, `+` the other's. */
export function linesApart(oracle: string, other: string): string[] {
  const left = countsOf(other)
  const missing = oracle.split("\n").filter((line) => !take(left, line))
  const counts = countsOf(oracle)
  const added = other.split("\n").filter((line) => !take(counts, line))
  return [...missing.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

function take(counts: Map<string, number>, line: string): boolean {
  const count = counts.get(line) ?? 0
  if (count > 0) counts.set(line, count - 1)
  return count > 0
}
