// What pages promise: a table "request | answer" below an example says what clients get when it is applied.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../harness/paths.ts"

/** A row of such a table. */
export interface Promised {
  /** as the page has it */
  readonly text: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly answer: Outcome
}

type Outcome = FromBackend | FromNginx

/** Which Service answers, and what it was asked. */
interface FromBackend {
  readonly kind: "backend"
  readonly name: string
  readonly path: string | undefined
  readonly header: readonly [string, string] | undefined
}

interface FromNginx {
  readonly kind: "nginx"
  readonly status: number
  readonly location: string | undefined
}

/** Tables of a page by the heading that they stand under. */
export function promisesOf(page: string): ReadonlyMap<string, readonly Promised[]> {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```$/gms, "")
  const sections = text.split(/^#+ /m).slice(1)
  return new Map(
    sections.flatMap((section) => {
      const [, rows] = /^\| request \| answer \|\n\| --- \| --- \|\n((?:\|.*\|\n)+)/m.exec(section) ?? []
      const [heading = ""] = section.split("\n")
      return rows === undefined ? [] : [[heading, rows.trim().split("\n").map(promiseIn)] as const]
    }),
  )
}

function promiseIn(row: string): Promised {
  const [, request = "", answer = ""] = row.split(/ ?\| ?/)
  const [, url, header] = /^`([^`]+)`(?: with `([^`]+)`)?$/.exec(request) ?? []
  if (url === undefined) throw new Error(`Not a request: ${row}`)
  const headers = header === undefined ? {} : Object.fromEntries([headerIn(header)])
  return { text: `${request} → ${answer}`, url: new URL(url), headers, answer: answerIn(answer) }
}

/** `shop`, `shop` gets `/path`, `shop` gets `/path` with `Name: value`; 404, or 301 to `URL`. */
function answerIn(text: string): Outcome {
  const [, name, path, header] = /^`([^`]+)`(?: gets `([^`]+)`(?: with `([^`]+)`)?)?$/.exec(text) ?? []
  if (name !== undefined)
    return { kind: "backend", name, path, header: header === undefined ? undefined : headerIn(header) }
  const [, status, location] = /^(\d{3})(?: to `([^`]+)`)?$/.exec(text) ?? []
  if (status === undefined) throw new Error(`Not an answer: ${text}`)
  return { kind: "nginx", status: Number(status), location }
}

function headerIn(text: string): readonly [string, string] {
  const [name = "", ...value] = text.split(": ")
  return [name.toLowerCase(), value.join(": ")]
}
